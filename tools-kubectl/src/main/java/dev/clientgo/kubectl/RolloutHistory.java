package dev.clientgo.kubectl;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.ResourceClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The revisions of a workload, which its controller keeps: a deployment's are replica sets, those
 * of stateful sets and daemon sets are ControllerRevisions.
 *
 * <p>Corresponds to kubectl's {@code HistoryViewer} and {@code Rollbacker}.
 */
final class RolloutHistory {

  private static final GroupVersionResource REPLICA_SETS =
      new GroupVersionResource("apps", "v1", "replicasets");
  private static final GroupVersionResource CONTROLLER_REVISIONS =
      new GroupVersionResource("apps", "v1", "controllerrevisions");

  private static final String REVISION = "deployment.kubernetes.io/revision";
  private static final String CHANGE_CAUSE = "kubernetes.io/change-cause";
  private static final String HASH = "pod-template-hash";

  /** The annotations of a deployment that a rollback leaves as they are. */
  private static final Set<String> KEPT =
      Set.of(
          "kubectl.kubernetes.io/last-applied-configuration",
          REVISION,
          "deployment.kubernetes.io/revision-history",
          "deployment.kubernetes.io/desired-replicas",
          "deployment.kubernetes.io/max-replicas",
          "deprecated.deployment.rollback.to");

  private final Unstructured workload;
  private final List<Entry> entries;

  /**
   * A revision.
   *
   * @param source the object that holds it
   */
  record Entry(RolloutRevision revision, Unstructured source) {}

  private RolloutHistory(Unstructured workload, List<Entry> entries) {
    this.workload = workload;
    this.entries = entries;
  }

  /**
   * Reads the history of a workload.
   *
   * @throws IllegalArgumentException if it is no Deployment, StatefulSet or DaemonSet
   */
  static <T extends KubernetesObject> RolloutHistory read(ResourceClient<T> resource, String name)
      throws InterruptedException {
    Unstructured workload = Unstructured.from(resource.type().codec(), resource.get(name));
    GroupVersionResource kept =
        switch (workload.groupVersionKind().groupKind().toString()) {
          case "Deployment.apps" -> REPLICA_SETS;
          case "StatefulSet.apps", "DaemonSet.apps" -> CONTROLLER_REVISIONS;
          default ->
              throw new IllegalArgumentException(
                  workload.kind() + " has no history: name a Deployment, StatefulSet or DaemonSet");
        };
    Selector selector =
        Selector.of(workload.nested(LabelSelector.CODEC, "spec", "selector").orElse(null));
    String namespace = String.valueOf(workload.metadata().namespace());
    List<Entry> entries = new ArrayList<>();
    for (Unstructured source : resource.dynamic(kept).inNamespace(namespace).list(selector)) {
      if (isOf(workload, source)) {
        add(source, entries);
      }
    }
    entries.sort(Comparator.comparingLong(entry -> entry.revision().number()));
    return new RolloutHistory(workload, entries);
  }

  private static boolean isOf(Unstructured workload, Unstructured source) {
    return source
        .metadata()
        .controller()
        .filter(owner -> String.valueOf(workload.metadata().uid()).equals(owner.uid()))
        .isPresent();
  }

  /** A replica set without a valid number is of no revision. */
  private static void add(Unstructured source, List<Entry> entries) {
    String number = source.metadata().annotation(REVISION).orElse("");
    if (source.nested("data").isPresent()) {
      long revision = source.nestedLong("revision").orElse(0L);
      entries.add(entry(revision, source, "data", "spec", "template"));
    } else if (number.matches("[0-9]{1,18}")) {
      entries.add(entry(Long.parseLong(number), source, "spec", "template"));
    }
  }

  private static Entry entry(long number, Unstructured source, String... path) {
    Unstructured template =
        Unstructured.of(source.nestedMap(path).orElse(Map.of()))
            .without("$patch")
            .without("metadata", "labels", HASH);
    String cause = source.metadata().annotation(CHANGE_CAUSE).orElse("");
    return new Entry(new RolloutRevision(number, cause, template.content()), source);
  }

  /** Returns the revisions, the oldest first. */
  List<RolloutRevision> revisions() {
    return entries.stream().map(Entry::revision).toList();
  }

  /**
   * Returns the revision before the latest.
   *
   * @throws IllegalStateException if there is none
   */
  Entry previous() {
    if (entries.size() < 2) {
      throw new IllegalStateException(describe() + " has no revision before the one that it runs");
    }
    return entries.get(entries.size() - 2);
  }

  /**
   * Returns a revision.
   *
   * @throws IllegalArgumentException if it is not there
   */
  Entry get(long number) {
    return entries.stream()
        .filter(entry -> entry.revision().number() == number)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    describe()
                        + " has no revision "
                        + number
                        + ": there are "
                        + entries.stream().map(entry -> entry.revision().number()).toList()));
  }

  /** Returns what makes the workload run a revision. */
  Patch patchTo(Entry entry) {
    if (entry.source().nested("data").isPresent()) {
      return Patch.strategicMerge(entry.source().nestedMap("data").orElse(Map.of()));
    }
    return Patch.json(
        JsonPatch.builder()
            .replace("/spec/template", entry.revision().template())
            .add("/metadata/annotations", annotations(entry.source()))
            .build());
  }

  /** The other annotations, such as the cause of the change, go back with the template. */
  private Map<String, String> annotations(Unstructured source) {
    Map<String, String> annotations = new HashMap<>(annotationsOf(source));
    annotations.keySet().removeAll(KEPT);
    annotationsOf(workload)
        .forEach(
            (key, value) -> {
              if (KEPT.contains(key)) {
                annotations.put(key, value);
              }
            });
    return annotations;
  }

  private static Map<String, String> annotationsOf(Unstructured object) {
    return object.nestedStringMap("metadata", "annotations").orElse(Map.of());
  }

  /** Returns whether the workload runs a revision already. */
  boolean runs(Entry entry) {
    return workload
        .nestedMap("spec", "template")
        .filter(template -> template.equals(entry.revision().template()))
        .isPresent();
  }

  Unstructured workload() {
    return workload;
  }

  private String describe() {
    return workload.kind() + " " + workload.metadata().name();
  }
}
