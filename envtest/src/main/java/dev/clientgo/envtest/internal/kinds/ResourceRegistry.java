package dev.clientgo.envtest.internal.kinds;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.envtest.internal.kinds.Resource.Trait;
import dev.clientgo.envtest.internal.kinds.Resource.Version;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** The kinds that are served now. Safe for use by many threads. */
public final class ResourceRegistry {

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<GroupResource, Resource> table = new LinkedHashMap<>();

  public ResourceRegistry(List<Resource> resources) {
    resources.forEach(this::put);
  }

  /** Adds a kind, or replaces the one of the same name. */
  public void put(Resource resource) {
    lock.lock();
    try {
      table.put(resource.groupResource(), resource);
    } finally {
      lock.unlock();
    }
  }

  public void remove(GroupResource name) {
    lock.lock();
    try {
      table.remove(name);
    } finally {
      lock.unlock();
    }
  }

  /** Returns a kind that is served in a version. */
  public Optional<ServedKind> find(String group, String version, String plural) {
    return find(group, plural)
        .flatMap(
            resource ->
                resource
                    .version(version)
                    .filter(Version::served)
                    .map(found -> new ServedKind(resource, found)));
  }

  private Optional<Resource> find(String group, String plural) {
    lock.lock();
    try {
      return Optional.ofNullable(table.get(new GroupResource(group, plural)));
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether a kind of the same name is served. */
  public boolean isServed(Resource resource) {
    return find(resource.group(), resource.plural()).isPresent();
  }

  /** Returns whether a group has a kind that is not custom. */
  public boolean isBuiltIn(String group) {
    return all().stream().anyMatch(r -> r.group().equals(group) && !r.is(Trait.CUSTOM));
  }

  /** Returns the kinds, in the order in which they came. */
  public Collection<Resource> all() {
    lock.lock();
    try {
      return List.copyOf(table.values());
    } finally {
      lock.unlock();
    }
  }
}
