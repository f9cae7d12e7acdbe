package dev.clientgo.rest.discovery;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.status.ApiStatusException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A discovery with a cache in memory, which is kept until it is invalidated. The first call reads
 * everything.
 *
 * <p>If a version failed because the server was busy or unreachable, the next call for it tries
 * again; other failures are kept. Safe for use by many threads: while one thread asks the server,
 * the others wait, and can be interrupted. Corresponds to client-go's {@code
 * discovery/cached/memory.NewMemCacheClient}.
 */
public final class MemCacheClient implements CachedDiscovery {

  private final ReentrantLock lock = new ReentrantLock();
  private final Discovery delegate;

  @GuardedBy("lock")
  private @Nullable ServerResources known;

  private MemCacheClient(Discovery delegate) {
    this.delegate = requireNonNull(delegate, "delegate");
  }

  /** Returns an empty cache over another discovery. */
  public static MemCacheClient of(Discovery delegate) {
    return new MemCacheClient(delegate);
  }

  @Override
  public List<APIGroup> serverGroups() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      return knownLocked().groups();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public ServerResources serverGroupsAndResources() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      for (Map.Entry<GroupVersion, ServerResources.Failure> failed :
          List.copyOf(knownLocked().failures().entrySet())) {
        if (failed.getValue().isTransient()) {
          tryAgainLocked(failed.getKey());
        }
      }
      return knownLocked();
    } finally {
      lock.unlock();
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws ApiStatusException with the status NotFound if there is no such version
   */
  @Override
  public List<APIResource> serverResourcesForGroupVersion(GroupVersion version)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      ServerResources.Failure failure = knownLocked().failures().get(version);
      if (failure != null && failure.isTransient()) {
        tryAgainLocked(version);
        failure = knownLocked().failures().get(version);
      }
      List<APIResource> resources = knownLocked().resources().get(version);
      if (resources != null) {
        return resources;
      }
      throw failure == null ? notServed(version) : failure.exception();
    } finally {
      lock.unlock();
    }
  }

  private static ApiStatusException notServed(GroupVersion version) {
    return ApiStatusException.notFound(new GroupResource(version.group(), version.version()), "");
  }

  @GuardedBy("lock")
  private ServerResources knownLocked() throws InterruptedException {
    ServerResources present = known;
    if (present == null) {
      present = withoutEmpty(delegate.serverGroupsAndResources());
      if (!present.groups().isEmpty()) {
        known = present;
      }
    }
    return present;
  }

  /** A version without resources belongs to an aggregated API server that is still starting. */
  private static ServerResources withoutEmpty(ServerResources found) {
    Map<GroupVersion, List<APIResource>> resources = new LinkedHashMap<>();
    Map<GroupVersion, ServerResources.Failure> failures = new LinkedHashMap<>(found.failures());
    found
        .resources()
        .forEach(
            (version, list) -> {
              if (list.isEmpty()) {
                failures.put(version, ServerResources.Failure.empty(version));
              } else {
                resources.put(version, list);
              }
            });
    return new ServerResources(found.groups(), resources, failures);
  }

  @GuardedBy("lock")
  private void tryAgainLocked(GroupVersion version) throws InterruptedException {
    ServerResources present = knownLocked();
    Map<GroupVersion, List<APIResource>> resources = new LinkedHashMap<>(present.resources());
    Map<GroupVersion, ServerResources.Failure> failures = new LinkedHashMap<>(present.failures());
    try {
      resources.put(version, delegate.serverResourcesForGroupVersion(version));
      failures.remove(version);
    } catch (KubernetesException e) {
      failures.put(version, ServerResources.Failure.of(e));
    }
    known = withoutEmpty(new ServerResources(present.groups(), resources, failures));
  }

  @Override
  public boolean isFresh() {
    lock.lock();
    try {
      return known != null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void invalidate() {
    lock.lock();
    try {
      known = null;
    } finally {
      lock.unlock();
    }
    if (delegate instanceof CachedDiscovery cached) {
      cached.invalidate();
    }
  }
}
