package dev.clientgo.envtest.controllers.internal.namespaces;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.NamespaceCondition;
import dev.clientgo.kubernetes.core.v1.NamespaceStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The conditions in which a namespace that is being deleted reports what remains in it.
 *
 * <p>Corresponds to {@code namespaceConditionUpdater} in {@code pkg/controller/namespace/deletion}.
 */
final class NamespaceConditions {

  private static final String REMOVED = "ContentRemoved";
  private static final String ALL_REMOVED = "All content successfully removed";

  private final NamespaceContent.Remains remains;
  private final Instant now;

  NamespaceConditions(NamespaceContent.Remains remains, Instant now) {
    this.remains = remains;
    this.now = now;
  }

  /** Returns the namespace with these conditions in its status. */
  Namespace setIn(Namespace namespace) {
    return namespace.with(n -> n.editStatus(s -> set(namespace, s)));
  }

  private void set(Namespace namespace, NamespaceStatus.Builder status) {
    Condition[] conditions = {
      condition(
          "NamespaceDeletionDiscoveryFailure",
          remains.undiscovered(),
          "DiscoveryFailed",
          "ResourcesDiscovered",
          "All resources successfully discovered"),
      condition(
          "NamespaceDeletionGroupVersionParsingFailure",
          Optional.empty(),
          "GroupVersionParsingFailed",
          "ParsedGroupVersions",
          "All legacy kube types successfully parsed"),
      condition(
          "NamespaceDeletionContentFailure",
          failures(),
          "ContentDeletionFailed",
          "ContentDeleted",
          "All content successfully deleted, may be waiting on finalization"),
      condition(
          "NamespaceContentRemaining", objects(), "SomeResourcesRemain", REMOVED, ALL_REMOVED),
      condition(
          "NamespaceFinalizersRemaining",
          finalizers(),
          "SomeFinalizersRemain",
          REMOVED,
          ALL_REMOVED)
    };
    for (Condition condition : conditions) {
      status.editConditions(condition.type, edited -> condition.set(namespace, edited, now));
    }
  }

  private record Condition(String type, boolean problem, String reason, String message) {

    void set(Namespace before, NamespaceCondition.Builder condition, Instant now) {
      String status = problem ? "True" : "False";
      boolean unchanged =
          before.status().conditions().stream()
              .anyMatch(c -> type.equals(c.type()) && status.equals(c.status()));
      if (!unchanged) {
        condition.lastTransitionTime(Time.of(now));
      }
      condition.status(status).reason(reason).message(message);
    }
  }

  private static Condition condition(
      String type,
      Optional<String> problem,
      String problemReason,
      String goodReason,
      String goodMessage) {
    return problem
        .map(message -> new Condition(type, true, problemReason, message))
        .orElseGet(() -> new Condition(type, false, goodReason, goodMessage));
  }

  private Optional<String> failures() {
    List<String> failures = remains.failures();
    return failures.isEmpty()
        ? Optional.empty()
        : Optional.of(
            failures.stream()
                .sorted()
                .collect(
                    Collectors.joining(
                        ", ",
                        "Failed to delete all resource types, " + failures.size() + " remaining: ",
                        "")));
  }

  // As upstream, the conditions do not tell that pods are left, for which all else waits.

  private Optional<String> objects() {
    if (remains.podsAlone()) {
      return Optional.empty();
    }
    Map<String, Integer> counts = new TreeMap<>();
    remains
        .objects()
        .forEach(
            (type, left) ->
                counts.put(
                    type.resource().resource() + "." + type.resource().group(), left.size()));
    return text("Some resources are remaining: ", counts, " has %d resource instances");
  }

  private Optional<String> finalizers() {
    if (remains.podsAlone()) {
      return Optional.empty();
    }
    Map<String, Integer> counts = new TreeMap<>();
    remains.objects().values().stream()
        .flatMap(List::stream)
        .flatMap(object -> object.metadata().finalizers().stream())
        .forEach(finalizer -> counts.merge(finalizer, 1, Integer::sum));
    return text(
        "Some content in the namespace has finalizers remaining: ",
        counts,
        " in %d resource instances");
  }

  private static Optional<String> text(
      String begin, Map<String, Integer> counts, String countFormat) {
    return counts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            counts.entrySet().stream()
                .map(count -> count.getKey() + countFormat.formatted(count.getValue()))
                .collect(Collectors.joining(", ", begin, "")));
  }
}
