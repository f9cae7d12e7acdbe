package dev.clientgo.controller.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.IndexReader;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.clock.Deadline;
import dev.clientgo.controller.scope.Scope;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A use of the cache of a kind that several informers fill: one for each namespace and selection of
 * a scope. They may change while it is in use.
 *
 * <p>An informer that the server forbids holds up only reads that need it.
 *
 * @param <T> the type of the objects
 */
public final class UnionUse<T extends KubernetesObject>
    implements CacheUse<T>, ReadScope, Informers.Union {

  /** How often to look whether a list that has failed has succeeded. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Informers informers;
  private final ResourceType<T> type;
  private final Scope followed;
  private final boolean ofShard;

  private final UnionReader<T> reader;

  /** Replaced at each change; in the order in which they came. */
  private volatile Map<CachePart, Informers.Lease<T>> parts = Map.of();

  private volatile boolean closed;

  /** Registers the handler, if there is one, with a part. */
  private volatile Consumer<Informers.Lease<T>> registration = part -> {};

  /** Held by the thread that changes the parts. */
  private final ReentrantLock changing = new ReentrantLock();

  /**
   * Returns a use of the cache of some objects: of one informer if it has them all. Its informers
   * are created and started if there are none.
   *
   * @param ofShard whether to follow only the shard of this replica
   * @param byRead whether a read asks for it
   * @throws IllegalStateException if the informers are closed, or a read may not start one
   * @throws InterruptedException if the thread is interrupted while an informer's predecessor ends
   */
  public static <T extends KubernetesObject> CacheUse<T> acquire(
      Informers informers, ResourceType<T> type, Scope scope, boolean ofShard, boolean byRead)
      throws InterruptedException {
    List<CachePart> parts = informers.scopes().parts(type, scope);
    if (parts.size() == 1 && !informers.scopes().mayChange(type, scope)) {
      return informers.lease(type, parts.get(0), ofShard, byRead);
    }
    UnionUse<T> union = new UnionUse<>(informers, type, scope, ofShard, byRead);
    informers.add(union);
    try {
      union.update(byRead);
    } catch (Throwable e) {
      union.close();
      throw e;
    }
    return union;
  }

  /** Creates a use without informers, until {@link #update}. */
  private UnionUse(
      Informers informers, ResourceType<T> type, Scope scope, boolean ofShard, boolean byRead) {
    this.informers = informers;
    this.type = type;
    this.followed = scope;
    this.ofShard = ofShard;
    reader =
        new UnionReader<>(
            () -> parts.values(),
            // Reads see own writes; handlers see what the watches deliver.
            byRead ? Informers.Lease::ownWrites : Informers.Lease::delivered);
  }

  @Override
  public void update(boolean onlyRunning) throws InterruptedException {
    changing.lockInterruptibly();
    try {
      List<CachePart> wanted = closed ? List.of() : informers.scopes().parts(type, followed);
      for (CachePart part : wanted) {
        if (!parts.containsKey(part)) {
          Informers.Lease<T> added = informers.lease(type, part, ofShard, onlyRunning);
          setParts(part, added);
          registration.accept(added);
        }
      }
      for (CachePart part : List.copyOf(parts.keySet())) {
        if (!wanted.contains(part)) {
          removeLocked(part);
        }
      }
    } finally {
      changing.unlock();
      if (closed) {
        closeParts(); // It was closed meanwhile.
      }
    }
  }

  @GuardedBy("changing")
  private void setParts(CachePart part, Informers.@Nullable Lease<T> lease) {
    Map<CachePart, Informers.Lease<T>> changed = new LinkedHashMap<>(parts);
    if (lease == null) {
      changed.remove(part);
    } else {
      changed.put(part, lease);
    }
    parts = Collections.unmodifiableMap(changed);
  }

  @GuardedBy("changing")
  private void removeLocked(CachePart part) {
    Informers.Lease<T> lease = parts.get(part);
    setParts(part, null);
    if (lease != null) {
      lease.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    informers.forget(this);
    if (changing.tryLock()) { // Otherwise the thread that has it closes the parts.
      try {
        closeParts();
      } finally {
        changing.unlock();
      }
    }
  }

  private void closeParts() {
    changing.lock();
    try {
      for (CachePart part : List.copyOf(parts.keySet())) {
        removeLocked(part);
      }
    } finally {
      changing.unlock();
    }
  }

  // ---- handlers

  @Override
  public void handle(ResourceEventHandler<T> wanted, String name) {
    changing.lock();
    try {
      registration = part -> part.handle(wanted, name);
      parts.values().forEach(registration);
    } finally {
      changing.unlock();
    }
  }

  // ---- reading

  private Collection<Informers.Lease<T>> having(String namespace) {
    return parts.values().stream().filter(part -> part.scope().hasNamespace(namespace)).toList();
  }

  @Override
  public ReadScope scope() {
    return this;
  }

  @Override
  public IndexReader<T> delivered() {
    return reader;
  }

  @Override
  public IndexReader<T> cache(Predicate<String> wanted) throws InterruptedException {
    for (Informers.Lease<T> part : parts.values()) {
      part.cache(wanted);
    }
    return reader;
  }

  @Override
  public Optional<T> lookUp(ObjectName name) throws InterruptedException {
    for (Informers.Lease<T> part : having(name.namespace())) {
      Optional<T> found = part.lookUp(name);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  @Override
  public void indexOwners() {
    reader.indexOwners();
  }

  @Override
  public boolean hasNamespace(String other) {
    return other.isEmpty() || !having(other).isEmpty();
  }

  @Override
  public boolean isNowhere() {
    return parts.isEmpty();
  }

  @Override
  public boolean has(KubernetesObject object) {
    return parts.values().stream().anyMatch(part -> part.scope().has(object));
  }

  @Override
  public void requireNamespace(ResourceType<?> of, String other) {
    // A part without a list was removed and added again since the reader has waited for it.
    List<Informers.Lease<T>> filled =
        parts.values().stream().filter(Informers.Lease::hasList).toList();
    if (!other.isEmpty() && filled.stream().noneMatch(part -> part.scope().hasNamespace(other))) {
      throw CacheScope.outside(
          of,
          "the namespaces "
              + filled.stream()
                  .map(part -> part.scope().namespace())
                  .distinct()
                  .collect(Collectors.joining(", ", "[", "]")),
          "the namespace " + other);
    }
  }

  @Override
  public void requireLabels(ResourceType<?> of, String namespace, Selector wanted) {
    Collection<Informers.Lease<T>> all = having(namespace);
    if (!all.isEmpty() && all.stream().noneMatch(part -> part.scope().canHave(wanted))) {
      throw CacheScope.outside(
          of,
          "objects with the labels "
              + all.stream()
                  .map(part -> part.scope().labels().toString())
                  .distinct()
                  .collect(Collectors.joining(" or ")),
          "those with " + wanted);
    }
  }

  // ---- waiting

  @Override
  public boolean awaitSynced(String namespace, Duration timeout) throws InterruptedException {
    Deadline deadline = informers.clock().deadline(timeout);
    for (Informers.Lease<T> part : having(namespace)) {
      boolean isFilled = part.awaitSynced(namespace, Duration.ZERO);
      while (!isFilled) {
        if (!parts.containsValue(part)) {
          return awaitSynced(namespace, deadline.left()); // It was removed, perhaps added again.
        }
        if (part.isForbidden() || deadline.hasPassed()) {
          return false;
        }
        isFilled = part.awaitSynced(namespace, pause(deadline));
      }
    }
    return true;
  }

  private static Duration pause(Deadline deadline) {
    Duration left = deadline.left();
    return left.compareTo(PAUSE) < 0 ? left : PAUSE;
  }

  @Override
  public boolean isHandled() {
    return parts.values().stream().allMatch(Informers.Lease::isHandled);
  }

  @Override
  public boolean awaitHandled(Duration timeout) throws InterruptedException {
    Deadline deadline = informers.clock().deadline(timeout);
    while (true) {
      Duration pause = pause(deadline);
      Collection<Informers.Lease<T>> now = parts.values();
      boolean isWaiting = false;
      boolean hasOne = now.isEmpty();
      for (Informers.Lease<T> part : now) {
        if (part.awaitHandled(isWaiting || part.isForbidden() ? Duration.ZERO : pause)) {
          hasOne = true;
        } else {
          isWaiting |= !part.isForbidden();
        }
      }
      if (hasOne && !isWaiting) {
        return true;
      }
      if (pause.isZero()) {
        return false;
      }
      if (!isWaiting) {
        now.iterator().next().awaitHandled(pause); // The server forbids all of them.
      }
    }
  }

  @Override
  public boolean awaitShard(Duration timeout) throws InterruptedException {
    for (Informers.Lease<T> part : parts.values()) {
      if (part.isHandled() && !part.awaitShard(timeout)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Duration age() {
    return parts.values().stream()
        .map(Informers.Lease::age)
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  @Override
  public Optional<String> missingParts() {
    return problem(Informers.Lease::hasList);
  }

  @Override
  public String problem() {
    return problem(Informers.Lease::isHandled).orElse("");
  }

  private Optional<String> problem(Predicate<Informers.Lease<T>> isWell) {
    return parts.values().stream()
        .filter(part -> !isWell.test(part))
        .map(Informers.Lease::problem)
        .reduce((one, other) -> one + "; " + other);
  }
}
