package dev.clientgo.envtest.controllers.internal.quota;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.kubernetes.core.v1.Container;
import dev.clientgo.kubernetes.core.v1.ContainerRestartPolicy;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.kubernetes.core.v1.ResourceQuotaScope;
import dev.clientgo.kubernetes.core.v1.ResourceQuotaSpec;
import dev.clientgo.kubernetes.core.v1.ScopeSelector;
import dev.clientgo.kubernetes.core.v1.ScopeSelectorOperator;
import dev.clientgo.kubernetes.core.v1.ScopedResourceSelectorRequirement;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The part of a quota that a pod uses.
 *
 * <p>Corresponds to {@code podEvaluator} in {@code pkg/quota/v1/evaluator/core}.
 */
final class PodUsage {

  private static final Set<String> NAMES =
      Set.of("pods", "count/pods", "cpu", "memory", "ephemeral-storage");
  private static final List<String> PREFIXES = List.of("requests.", "limits.", "hugepages-");
  private static final String STORAGE = "requests.storage";

  private PodUsage() {}

  /** Returns whether a resource of a quota is one that pods use. */
  static boolean isOfPods(String resource) {
    return NAMES.contains(resource)
        || (!resource.equals(STORAGE) && PREFIXES.stream().anyMatch(resource::startsWith));
  }

  /** Returns the resources that a pod uses at a time. */
  static Map<String, Quantity> of(Pod pod, Instant now) {
    Map<String, Quantity> usage = new HashMap<>();
    usage.put("count/pods", Quantity.of(1));
    if (hasEnded(pod, now)) {
      return usage;
    }
    usage.put("pods", Quantity.of(1));
    total(pod, PodUsage::requests)
        .forEach(
            (name, amount) -> {
              usage.put(name, amount);
              usage.put("requests." + name, amount);
            });
    total(pod, container -> container.resources().limits())
        .forEach((name, amount) -> usage.put("limits." + name, amount));
    return usage;
  }

  private static boolean hasEnded(Pod pod, Instant now) {
    PodPhase phase = pod.status().phase();
    if (PodPhase.SUCCEEDED.equals(phase) || PodPhase.FAILED.equals(phase)) {
      return true;
    }
    Time deleted = pod.metadata().deletionTimestamp();
    Long grace = pod.metadata().deletionGracePeriodSeconds();
    return deleted != null && grace != null && now.isAfter(deleted.instant().plusSeconds(grace));
  }

  /** A limit is a request, too, as the real server makes it when it sets defaults. */
  private static Map<String, Quantity> requests(Container container) {
    Map<String, Quantity> requests = new HashMap<>(container.resources().limits());
    requests.putAll(container.resources().requests());
    return requests;
  }

  /**
   * Returns what all containers need together: init containers run one after the other and before
   * the others, but those that restart always keep running.
   */
  private static Map<String, Quantity> total(
      Pod pod, Function<Container, Map<String, Quantity>> resources) {
    Map<String, Quantity> sum = new HashMap<>();
    pod.spec().containers().forEach(container -> add(sum, resources.apply(container)));
    Map<String, Quantity> sidecars = new HashMap<>();
    Map<String, Quantity> most = new HashMap<>();
    for (Container container : pod.spec().initContainers()) {
      Map<String, Quantity> during = new HashMap<>(sidecars);
      add(during, resources.apply(container));
      during.forEach((name, amount) -> most.merge(name, amount, PodUsage::larger));
      if (ContainerRestartPolicy.ALWAYS.equals(container.restartPolicy())) {
        add(sidecars, resources.apply(container));
      }
    }
    add(sum, sidecars);
    most.forEach((name, amount) -> sum.merge(name, amount, PodUsage::larger));
    add(sum, pod.spec().overhead());
    return sum;
  }

  private static void add(Map<String, Quantity> sum, Map<String, Quantity> more) {
    more.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
  }

  private static Quantity larger(Quantity one, Quantity other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  /* --------------- Scopes --------------- */

  /** Returns whether a pod is in all scopes of a quota. */
  static boolean isInScope(Pod pod, ResourceQuotaSpec spec) {
    Stream<ScopedResourceSelectorRequirement> scopes =
        spec.scopes().stream()
            .map(
                scope ->
                    ScopedResourceSelectorRequirement.of(
                        r -> r.scopeName(scope).operator(ScopeSelectorOperator.EXISTS)));
    ScopeSelector selector = spec.scopeSelector();
    return Stream.concat(
            scopes, selector == null ? Stream.of() : selector.matchExpressions().stream())
        .allMatch(requirement -> matches(pod, requirement));
  }

  private static boolean matches(Pod pod, ScopedResourceSelectorRequirement requirement) {
    ResourceQuotaScope scope = requirement.scopeName();
    if (ResourceQuotaScope.TERMINATING.equals(scope)) {
      return pod.spec().activeDeadlineSeconds() != null;
    }
    if (ResourceQuotaScope.NOT_TERMINATING.equals(scope)) {
      return pod.spec().activeDeadlineSeconds() == null;
    }
    if (ResourceQuotaScope.BEST_EFFORT.equals(scope)) {
      return isBestEffort(pod);
    }
    if (ResourceQuotaScope.NOT_BEST_EFFORT.equals(scope)) {
      return !isBestEffort(pod);
    }
    return ResourceQuotaScope.PRIORITY_CLASS.equals(scope) && matchesPriority(pod, requirement);
  }

  private static boolean isBestEffort(Pod pod) {
    return Stream.concat(pod.spec().containers().stream(), pod.spec().initContainers().stream())
        .allMatch(
            container ->
                container.resources().requests().isEmpty()
                    && container.resources().limits().isEmpty());
  }

  private static boolean matchesPriority(Pod pod, ScopedResourceSelectorRequirement requirement) {
    String priority = pod.spec().priorityClassName();
    boolean exists = priority != null && !priority.isEmpty();
    ScopeSelectorOperator operator = requirement.operator();
    if (ScopeSelectorOperator.EXISTS.equals(operator)) {
      return exists;
    }
    if (ScopeSelectorOperator.DOES_NOT_EXIST.equals(operator)) {
      return !exists;
    }
    boolean in = exists && requirement.values().contains(priority);
    return ScopeSelectorOperator.IN.equals(operator) == in;
  }
}
