package dev.clientgo.rest.discovery;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.clock.Clock;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A discovery with a cache on disk, for programs that run only a moment. Programs with the same
 * folder share the cache, {@code kubectl} included.
 *
 * <p>A file is valid until its time to live ends. A file that cannot be read or written counts as
 * missing. Safe for use by many threads and by many programs at once: files are replaced as a
 * whole. Corresponds to client-go's {@code discovery/cached/disk.CachedDiscoveryClient}.
 */
public final class CachedDiscoveryClient implements CachedDiscovery {

  private static final Logger LOG = System.getLogger(CachedDiscoveryClient.class.getName());

  private final ReentrantLock lock = new ReentrantLock();
  private final Discovery delegate;
  private final DiscoveryCacheFiles folder;

  /** The files that this object has written since the last {@link #invalidate}. */
  @GuardedBy("lock")
  private final Set<Path> ours = new HashSet<>();

  @GuardedBy("lock")
  private boolean invalidated;

  @GuardedBy("lock")
  private boolean fresh = true;

  private CachedDiscoveryClient(Discovery delegate, DiscoveryCacheFiles folder) {
    this.delegate = requireNonNull(delegate, "delegate");
    this.folder = folder;
  }

  /**
   * Returns a cache over another discovery.
   *
   * @param folder the folder of the files, for only this server; created when needed
   * @param timeToLive how long a file is valid; six hours in kubectl
   */
  public static CachedDiscoveryClient of(Discovery delegate, Path folder, Duration timeToLive) {
    return of(delegate, folder, timeToLive, Clock.system());
  }

  static CachedDiscoveryClient of(
      Discovery delegate, Path folder, Duration timeToLive, Clock clock) {
    return new CachedDiscoveryClient(delegate, new DiscoveryCacheFiles(folder, timeToLive, clock));
  }

  @Override
  public List<APIGroup> serverGroups() throws InterruptedException {
    Optional<List<APIGroup>> cached = read(folder.groups()).map(UnaggregatedDiscovery::groups);
    if (cached.isPresent()) {
      return cached.get();
    }
    List<APIGroup> groups = delegate.serverGroups();
    writeGroups(groups);
    return groups;
  }

  private void writeGroups(List<APIGroup> groups) {
    if (!groups.isEmpty()) {
      write(folder.groups(), UnaggregatedDiscovery.write(groups));
    }
  }

  @Override
  public List<APIResource> serverResourcesForGroupVersion(GroupVersion version)
      throws InterruptedException {
    Optional<List<APIResource>> cached = cachedResources(version);
    if (cached.isPresent()) {
      return cached.get();
    }
    List<APIResource> resources = delegate.serverResourcesForGroupVersion(version);
    writeResources(version, resources);
    return resources;
  }

  private Optional<List<APIResource>> cachedResources(GroupVersion version) {
    return folder.resources(version).flatMap(this::read).map(UnaggregatedDiscovery::resources);
  }

  private void writeResources(GroupVersion version, List<APIResource> resources) {
    if (!resources.isEmpty()) {
      folder
          .resources(version)
          .ifPresent(file -> write(file, UnaggregatedDiscovery.write(version, resources)));
    }
  }

  @Override
  public ServerResources serverGroupsAndResources() throws InterruptedException {
    Optional<List<APIGroup>> groups = read(folder.groups()).map(UnaggregatedDiscovery::groups);
    return groups.isPresent() ? completed(groups.get()) : all();
  }

  private ServerResources all() throws InterruptedException {
    ServerResources found = delegate.serverGroupsAndResources();
    writeGroups(found.groups());
    found.resources().forEach(this::writeResources);
    return found;
  }

  /** Requests the versions that are not on disk, one by one. */
  private ServerResources completed(List<APIGroup> groups) throws InterruptedException {
    Map<GroupVersion, List<APIResource>> resources = new LinkedHashMap<>();
    Map<GroupVersion, ServerResources.Failure> failures = new LinkedHashMap<>();
    for (APIGroup group : groups) {
      for (GroupVersion version : group.versions()) {
        try {
          resources.put(version, serverResourcesForGroupVersion(version));
        } catch (KubernetesException e) {
          failures.put(version, ServerResources.Failure.of(e));
        }
      }
    }
    return new ServerResources(groups, resources, failures);
  }

  @Override
  public boolean isFresh() {
    lock.lock();
    try {
      return fresh;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void invalidate() {
    lock.lock();
    try {
      ours.clear();
      fresh = true;
      invalidated = true;
    } finally {
      lock.unlock();
    }
    if (delegate instanceof CachedDiscovery cached) {
      cached.invalidate();
    }
  }

  private Optional<Map<?, ?>> read(Path file) {
    if (!isBelieved(file)) {
      return Optional.empty();
    }
    try {
      Optional<Map<?, ?>> document = folder.read(file);
      document.ifPresent(unused -> used(file));
      return document;
    } catch (IOException | CodecException e) {
      LOG.log(Level.DEBUG, "Cannot read the discovery cache: file=" + file, e);
      return Optional.empty();
    }
  }

  private boolean isBelieved(Path file) {
    lock.lock();
    try {
      return !invalidated || ours.contains(file);
    } finally {
      lock.unlock();
    }
  }

  private void used(Path file) {
    lock.lock();
    try {
      fresh = fresh && ours.contains(file);
    } finally {
      lock.unlock();
    }
  }

  private void write(Path file, Map<String, Object> document) {
    try {
      folder.write(file, document);
      lock.lock();
      try {
        ours.add(file);
      } finally {
        lock.unlock();
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "Cannot write the discovery cache: file=" + file, e);
    }
  }
}
