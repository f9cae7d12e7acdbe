package dev.clientgo.rest.discovery;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.restmapper.RESTMapper;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Interruptible;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A mapper that runs discovery on its first use, and again when a resource is missing, so that it
 * finds a custom resource that was just created.
 *
 * <p>Repeated requests for the same missing resource run discovery at most once per second. If the
 * thread is interrupted meanwhile, the mapper sets the thread's interrupt flag and throws {@link
 * dev.clientgo.clock.UncheckedInterruptedException}. Safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code restmapper.DeferredDiscoveryRESTMapper}. Unlike client-go:
 * it also invalidates a cache in memory, not only one on disk.
 */
public final class DeferredDiscoveryRESTMapper implements RESTMapper {

  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final int MAX_MISSES = 1000;

  private final ReentrantLock lock = new ReentrantLock();
  private final CachedDiscovery discovery;
  private final Clock clock;

  @GuardedBy("lock")
  private @Nullable RESTMapper delegate;

  /** The missing resources, and when each was last looked up. */
  @GuardedBy("lock")
  private final Map<Object, Long> misses = new HashMap<>();

  private DeferredDiscoveryRESTMapper(CachedDiscovery discovery, Clock clock) {
    this.discovery = requireNonNull(discovery, "discovery");
    this.clock = clock;
  }

  /** Returns a mapper, without running discovery. */
  public static DeferredDiscoveryRESTMapper of(CachedDiscovery discovery) {
    return of(discovery, Clock.system());
  }

  static DeferredDiscoveryRESTMapper of(CachedDiscovery discovery, Clock clock) {
    return new DeferredDiscoveryRESTMapper(discovery, clock);
  }

  /** Discards the results, so that the next call runs discovery again. */
  public void reset() {
    lock.lock();
    try {
      discovery.invalidate();
      delegate = null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public GroupVersionKind kindFor(GroupVersionResource resource) {
    return lookUp(resource, mapper -> mapper.kindFor(resource));
  }

  @Override
  public List<GroupVersionKind> kindsFor(GroupVersionResource resource) {
    return lookUp(resource, mapper -> mapper.kindsFor(resource));
  }

  @Override
  public GroupVersionResource resourceFor(GroupVersionResource resource) {
    return lookUp(resource, mapper -> mapper.resourceFor(resource));
  }

  @Override
  public List<GroupVersionResource> resourcesFor(GroupVersionResource resource) {
    return lookUp(resource, mapper -> mapper.resourcesFor(resource));
  }

  @Override
  public RESTMapping restMapping(GroupKind kind, String... versions) {
    return lookUp(key(kind, versions), mapper -> mapper.restMapping(kind, versions));
  }

  @Override
  public List<RESTMapping> restMappings(GroupKind kind, String... versions) {
    return lookUp(key(kind, versions), mapper -> mapper.restMappings(kind, versions));
  }

  @Override
  public String singularize(String resource) {
    return lookUp(resource, mapper -> mapper.singularize(resource));
  }

  private static Object key(GroupKind kind, String... versions) {
    return List.of(kind, Arrays.asList(versions.clone()));
  }

  private <T> T lookUp(Object key, Function<RESTMapper, T> question) {
    RESTMapper mapper = mapper();
    try {
      return question.apply(mapper);
    } catch (NoMatchException e) {
      if (!forget(key, mapper)) {
        throw e;
      }
    }
    T found;
    try {
      found = question.apply(mapper());
    } catch (NoMatchException e) {
      remember(key);
      throw e;
    }
    return found;
  }

  private RESTMapper mapper() {
    return Interruptible.get(this::present);
  }

  private RESTMapper present() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      RESTMapper present = delegate;
      if (present == null) {
        present = DiscoveryRESTMapper.of(discovery.serverGroupsAndResources());
        delegate = present;
      }
      return present;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns whether discovery should run again for a missing resource, and discards the results.
   */
  private boolean forget(Object key, RESTMapper used) {
    lock.lock();
    try {
      if (delegate != used) {
        return true; // Another thread has run discovery since.
      }
      Long missed = misses.get(key);
      if (discovery.isFresh() && missed != null && clock.nanoTime() - missed < AGAIN.toNanos()) {
        return false;
      }
      discovery.invalidate();
      delegate = null;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void remember(Object key) {
    lock.lock();
    try {
      if (misses.size() >= MAX_MISSES) {
        misses.clear();
      }
      misses.put(key, clock.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "DeferredDiscoveryRESTMapper";
  }
}
