package dev.clientgo.envtest.internal.kinds;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.envtest.internal.kinds.Resource.Version;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds that are currently served. Safe for use by many threads. */
public final class ResourceRegistry {

  private final Map<GroupResource, Resource> resources =
      Collections.synchronizedMap(new LinkedHashMap<>());

  /** Creates a registry of these kinds. */
  public ResourceRegistry(List<Resource> resources) {
    resources.forEach(this::put);
  }

  /** Adds a kind, or replaces the kind of the same name. */
  public void put(Resource resource) {
    resources.put(resource.groupResource(), resource);
  }

  /** Removes a kind, if it is there. */
  public void remove(GroupResource name) {
    resources.remove(name);
  }

  /** Returns a kind. */
  public Optional<Resource> find(GroupResource name) {
    return Optional.ofNullable(resources.get(name));
  }

  /** Returns a kind in a version in which it is served. */
  public Optional<ServedKind> find(String group, String version, String plural) {
    return Optional.ofNullable(resources.get(new GroupResource(group, plural)))
        .flatMap(
            resource ->
                resource
                    .version(version)
                    .filter(Version::served)
                    .map(found -> new ServedKind(resource, found)));
  }

  /** Returns whether a kind of the same name is served. */
  public boolean isServed(Resource resource) {
    return resources.containsKey(resource.groupResource());
  }

  /** Returns whether a group has a built-in kind. */
  public boolean isBuiltIn(String group) {
    return all().stream().anyMatch(r -> r.group().equals(group) && !r.isCustom());
  }

  /** Returns the kinds, in the order in which they were added. */
  public List<Resource> all() {
    return List.copyOf(resources.values());
  }
}
