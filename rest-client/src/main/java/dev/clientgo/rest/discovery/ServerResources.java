package dev.clientgo.rest.discovery;

import static java.util.stream.Collectors.joining;

import dev.clientgo.apimachinery.schema.GroupVersion;
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

/**
 * What a server serves, as far as it could be found out.
 *
 * <p>Immutable. Corresponds to what client-go's {@code ServerGroupsAndResources} returns. Unlike
 * there, what is not known is data beside what is, so that nobody takes it for a reason to stop.
 *
 * @param groups the groups, in the order of the server's preference
 * @param resources the resources of each version of a group, in the same order
 * @param failures the versions whose resources are not known, and why
 */
public record ServerResources(
    List<APIGroup> groups,
    Map<GroupVersion, List<APIResource>> resources,
    Map<GroupVersion, DiscoveryFailure> failures) {

  /** Nothing at all. */
  public static final ServerResources EMPTY = new ServerResources(List.of(), Map.of(), Map.of());

  public ServerResources {
    groups = List.copyOf(groups);
    resources = Collections.unmodifiableMap(new LinkedHashMap<>(resources));
    failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
  }

  /** Returns whether nothing is missing. */
  public boolean isComplete() {
    return failures.isEmpty();
  }

  /** Returns what is missing and why, in one sentence; empty if nothing is. */
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
   * Returns each resource once: in the preferred version of its group, or else in the first version
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

  /** Returns the resources that fit; versions of which none fits are left out. */
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

  /** Returns the condition that all of these may be done with a resource. */
  public static BiPredicate<GroupVersion, APIResource> supportingAllVerbs(
      Collection<String> verbs) {
    return (version, resource) -> resource.supports(verbs);
  }
}
