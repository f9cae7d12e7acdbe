package dev.clientgo.rest.discovery;

import static java.util.stream.Collectors.joining;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.status.ApiStatusException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The groups and resources of a server, as far as discovery succeeded.
 *
 * <p>Immutable. Corresponds to the results of client-go's {@code ServerGroupsAndResources}. Unlike
 * client-go: failures are data, not an error, so that one failure does not hide the rest.
 *
 * @param groups the groups, in the order of the server's preference
 * @param resources the resources of each version of a group, in the same order
 * @param failures the versions whose resources are unknown, with the reason
 */
public record ServerResources(
    List<APIGroup> groups,
    Map<GroupVersion, List<APIResource>> resources,
    Map<GroupVersion, Failure> failures) {

  /** No groups and no resources. */
  public static final ServerResources EMPTY = new ServerResources(List.of(), Map.of(), Map.of());

  public ServerResources {
    groups = List.copyOf(groups);
    resources = Collections.unmodifiableMap(new LinkedHashMap<>(resources));
    failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
  }

  /** Returns whether there are no failures. */
  public boolean isComplete() {
    return failures.isEmpty();
  }

  /** Returns the failures in one sentence, empty if there are none. */
  public Optional<String> problem() {
    if (failures.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        failures.entrySet().stream()
            .sorted(Comparator.comparing(entry -> entry.getKey().toString()))
            .map(entry -> entry.getKey() + ": " + entry.getValue().message())
            .collect(joining(", ", "unable to retrieve the complete list of server APIs: ", "")));
  }

  /**
   * Returns each resource once: in the preferred version of its group, else in the first version
   * that has it.
   *
   * <p>Corresponds to client-go's {@code ServerPreferredResources}.
   */
  public Map<GroupVersion, List<APIResource>> preferred() {
    Map<GroupVersion, List<APIResource>> preferred = new LinkedHashMap<>();
    for (APIGroup group : groups) {
      Set<String> seen = new HashSet<>();
      for (GroupVersion version : preferredFirst(group)) {
        List<APIResource> fresh = new ArrayList<>();
        for (APIResource resource : resources.getOrDefault(version, List.of())) {
          if (seen.add(resource.name())) {
            fresh.add(resource);
          }
        }
        if (!fresh.isEmpty()) {
          preferred.put(version, List.copyOf(fresh));
        }
      }
    }
    return Collections.unmodifiableMap(preferred);
  }

  private static List<GroupVersion> preferredFirst(APIGroup group) {
    List<GroupVersion> versions = new ArrayList<>(group.versions());
    GroupVersion preferred = group.preferredVersion();
    if (preferred != null && versions.remove(preferred)) {
      versions.add(0, preferred);
    }
    return versions;
  }

  /** Returns the {@link #preferred} resources whose objects live in namespaces. */
  public Map<GroupVersion, List<APIResource>> preferredNamespaced() {
    return filter(preferred(), (version, resource) -> resource.namespaced());
  }

  /** Returns the resources that match, without versions that have none. */
  public static Map<GroupVersion, List<APIResource>> filter(
      Map<GroupVersion, List<APIResource>> resources,
      BiPredicate<GroupVersion, APIResource> condition) {
    Map<GroupVersion, List<APIResource>> filtered = new LinkedHashMap<>();
    resources.forEach(
        (version, all) -> {
          List<APIResource> fitting =
              all.stream().filter(resource -> condition.test(version, resource)).toList();
          if (!fitting.isEmpty()) {
            filtered.put(version, fitting);
          }
        });
    return Collections.unmodifiableMap(filtered);
  }

  /** Returns the condition that a resource supports all of these verbs. */
  public static BiPredicate<GroupVersion, APIResource> supportingAllVerbs(
      Collection<String> verbs) {
    return (version, resource) -> resource.supports(verbs);
  }

  /**
   * The reason why the resources of one version of a group are unknown.
   *
   * <p>Corresponds to client-go's {@code discovery.StaleGroupVersionError} and the values of {@code
   * discovery.ErrGroupDiscoveryFailed}.
   *
   * @param message the reason
   * @param cause the error of the request; null if the server reports the version as stale, because
   *     the aggregated API server does not respond
   */
  public record Failure(String message, @Nullable KubernetesException cause) {

    static Failure of(KubernetesException cause) {
      return new Failure(String.valueOf(cause.getMessage()), cause);
    }

    static Failure stale(Object groupVersion) {
      return new Failure("stale GroupVersion discovery: " + groupVersion, null);
    }

    static Failure empty(Object groupVersion) {
      return new Failure("received empty response for: " + groupVersion, null);
    }

    /** Returns this failure as an exception. */
    KubernetesException exception() {
      return cause == null ? ApiStatusException.serviceUnavailable(message) : cause;
    }

    /** Returns whether a later attempt may succeed. */
    boolean isTransient() {
      if (cause instanceof TransportException) {
        return true;
      }
      return cause instanceof ApiStatusException e && (e.isTooManyRequests() || code(e) >= 500);
    }

    private static int code(ApiStatusException e) {
      Integer code = e.status().code();
      return code == null ? 0 : code;
    }
  }
}
