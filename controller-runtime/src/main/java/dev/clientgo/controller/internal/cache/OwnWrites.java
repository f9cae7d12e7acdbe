package dev.clientgo.controller.internal.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.IndexReader;
import dev.clientgo.cache.IndexSnapshot;
import dev.clientgo.cache.KeyFunction;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cache that shows the writes of this process before the watch delivers them, by key, in lists
 * and through indices.
 *
 * <p>It keeps what the server returned for each write until the cache has caught up: until the
 * version of the <em>collection</em> that the cache shows has reached the version of the write.
 * From then on the cache alone counts, so a deletion or a change by another client is never hidden.
 * Before that, an object in the cache that is newer than the write counts. An object that a write
 * has moved out of the selection of the informer is hidden.
 *
 * <p>The version of a deletion is not known, so a deletion is kept by the uid of the object: it
 * hides only that object, not a later one of the same name.
 *
 * <p>After a write through another Java type, which may have fewer fields, or in an informer with
 * field selectors, only the server can tell the state. A reader calls {@link #settle}, which asks
 * for it. The same finds out whether the server has lost a write that does not arrive. If the
 * version of the collection goes back, as after a restore of etcd, all writes are forgotten.
 *
 * <p>If the cache catches up by a list that lacks an object which this process has made, no event
 * shows its deletion, because the cache never had it. Then this reports the object as lost.
 *
 * <p>Reads of keys without a pending write cost one look into an empty or small map. Safe for use
 * by many threads.
 *
 * @param <T> the type of the objects
 */
public final class OwnWrites<T extends KubernetesObject> extends SnapshotReader<T> {

  /** How long to wait for the event of a write before asking the server. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How many objects are read one by one; more are read by one list. */
  static final int FEW = 20;

  private static final Logger LOG = System.getLogger(OwnWrites.class.getName());

  /**
   * The objects of some names that the server has, as far as the informer follows them.
   *
   * @param version the version of the collection, empty if the server did not tell
   */
  record Answer<T>(List<T> objects, String version) {}

  /** Reads objects from the server, as far as the informer follows them. */
  @FunctionalInterface
  interface Server<T> {
    Answer<T> lookUp(Set<ObjectName> names) throws InterruptedException;
  }

  /**
   * A write that the cache may not show yet.
   *
   * @param time when it was recorded, or last looked for on the server
   * @param object what readers see, null if nothing
   * @param created the object if the cache did not have it when it was written: no event shows its
   *     end if the cache catches up by a list; null otherwise
   */
  private record Write<T>(WriteMark mark, long time, @Nullable T object, @Nullable T created) {

    boolean isNewerThan(@Nullable Write<T> other) {
      return mark.isNewerThan(other == null ? null : other.mark);
    }
  }

  private final IndexReader<T> cache;

  /** The objects that the informer follows. */
  private final Predicate<? super T> followed;

  private final Clock clock;
  private final KeyFunction<KubernetesObject> keys = KeyFunction.metaNamespace();
  private final ReentrantLock lock = new ReentrantLock();

  /** By key, in the order in which they were recorded or looked for. */
  @GuardedBy("lock")
  private final Map<String, Write<T>> writes = new LinkedHashMap<>();

  /** Newer writes than those: only the server can tell the state. Until then, the others count. */
  @GuardedBy("lock")
  private final Map<String, Write<T>> unknown = new LinkedHashMap<>();

  /** Receives the objects that were deleted before the cache had them. */
  private final Consumer<? super T> lost;

  /** Those that {@link #progressed} reports. */
  @GuardedBy("lock")
  private final List<T> toReport = new ArrayList<>();

  /** The last version of the cache that was seen; only looked at while there are writes. */
  @GuardedBy("lock")
  private String seen = "";

  /** Lets most reads pass without the lock. */
  private volatile boolean empty = true;

  private volatile boolean ended;

  /**
   * Creates an instance without writes.
   *
   * @param followed whether the informer of the cache follows an object; others are not shown
   * @param clock measures how long writes do not arrive
   * @param lost receives the objects that were deleted before the cache had them, in the thread
   *     that fills the cache
   */
  public OwnWrites(
      IndexReader<T> cache, Predicate<? super T> followed, Clock clock, Consumer<? super T> lost) {
    this.lost = requireNonNull(lost, "lost");
    this.cache = requireNonNull(cache, "cache");
    this.followed = requireNonNull(followed, "followed");
    this.clock = requireNonNull(clock, "clock");
  }

  // ---- writes

  /** Records an object as the server returned it from a write. */
  public void written(T object) {
    Optional<WriteMark> mark = WriteMark.of(object, /* isDeletion= */ false);
    put(mark, followed.test(object) ? object : null, /* isUnknown= */ false);
  }

  /** Records a write after which only the server can tell the state in this type. */
  void writtenElsewhere(KubernetesObject object) {
    put(WriteMark.of(object, /* isDeletion= */ false), null, /* isUnknown= */ true);
  }

  /**
   * Records that an object is gone.
   *
   * @param last the object as it was last seen, in any type
   */
  public void deleted(KubernetesObject last) {
    put(WriteMark.of(last, /* isDeletion= */ true), null, /* isUnknown= */ false);
  }

  private void put(Optional<WriteMark> mark, @Nullable T object, boolean isUnknown) {
    if (mark.isEmpty()) {
      return;
    }
    lock.lock();
    try {
      seen = empty ? "" : seen; // It is not kept up to date without writes.
      T cached = refreshLocked().getByKey(mark.get().key()).orElse(null);
      T created = cached != null && mark.get().hasUid(cached) ? null : object;
      putLocked(
          isUnknown ? unknown : writes, new Write<>(mark.get(), clock.nanoTime(), object, created));
      empty = false;
    } finally {
      lock.unlock();
    }
  }

  /** Puts a write at the end of a map unless a newer one of the key is known. */
  @GuardedBy("lock")
  private void putLocked(Map<String, Write<T>> to, Write<T> write) {
    String key = write.mark.key();
    if (write.isNewerThan(writes.get(key))) {
      if (write.isNewerThan(unknown.get(key))) {
        unknown.remove(key);
      }
      if (write.isNewerThan(to.get(key))) {
        to.remove(key);
        to.put(key, write);
      }
    }
  }

  /** Drops what the cache shows. The informer calls this after each change. */
  void progressed() {
    if (empty) {
      return;
    }
    List<T> gone;
    lock.lock();
    try {
      refreshLocked();
      gone = List.copyOf(toReport);
      toReport.clear();
      empty = writes.isEmpty() && unknown.isEmpty();
    } finally {
      lock.unlock();
    }
    gone.forEach(lost);
  }

  /**
   * Returns the cache at this moment, and drops the oldest writes that it shows. If its version is
   * lower than before, the server has lost its newest changes, and with them what is known of the
   * writes.
   */
  @GuardedBy("lock")
  private IndexSnapshot<T> refreshLocked() {
    IndexSnapshot<T> cached = cache.snapshot();
    String version = cached.resourceVersion();
    if (ResourceVersion.isComparable(version)) {
      if (!seen.isEmpty() && ResourceVersion.compare(version, seen) < 0) {
        writes.clear();
        unknown.clear();
      }
      seen = version;
    }
    dropShownLocked(writes, cached);
    dropShownLocked(unknown, cached);
    empty = writes.isEmpty() && unknown.isEmpty() && toReport.isEmpty();
    return cached;
  }

  @GuardedBy("lock")
  private void dropShownLocked(Map<String, Write<T>> from, IndexSnapshot<T> cached) {
    Iterator<Write<T>> oldest = from.values().iterator();
    while (oldest.hasNext()) {
      Write<T> write = oldest.next();
      if (!write.mark.isShownBy(cached)) {
        return;
      }
      oldest.remove();
      if (write.created != null && cached.getByKey(write.mark.key()).isEmpty()) {
        toReport.add(write.created);
      }
    }
  }

  /** The informer has ended, so it is useless to wait for what the cache does not show. */
  void end() {
    ended = true;
  }

  /**
   * Returns whether the cache shows a write or a deletion, or what came after it, or will never.
   */
  boolean shows(WriteMark mark) {
    return ended || mark.isShownBy(cache.snapshot());
  }

  /** Returns whether the cache has an object of that name, so that its watch will tell its end. */
  boolean has(KubernetesObject object) {
    return cache.getByKey(keys.keyOf(object)).isPresent();
  }

  // ---- questions to the server

  /**
   * Asks the server for what this cannot tell. A reader calls this before it reads.
   *
   * @param wanted whether the reader reads a key
   * @throws KubernetesException if the server does not answer what the reader must know
   */
  void settle(Predicate<String> wanted, Server<T> server) throws InterruptedException {
    if (empty) {
      return;
    }
    Map<String, Write<T>> open = new LinkedHashMap<>();
    Map<String, Write<T>> late = new LinkedHashMap<>();
    lock.lock();
    try {
      IndexSnapshot<T> cached = refreshLocked();
      unknown.forEach(
          (key, write) -> {
            if (wanted.test(key) && !write.mark.isShownBy(cached)) {
              open.put(key, write);
            }
          });
      long now = clock.nanoTime();
      for (Write<T> write : writes.values()) {
        if (now - write.time < PATIENCE.toNanos()) {
          break; // So are those after it.
        }
        if (wanted.test(write.mark.key()) && !write.mark.isShownBy(cached)) {
          late.put(write.mark.key(), new Write<>(write.mark, now, write.object, write.created));
        }
      }
      writes.keySet().removeAll(late.keySet());
      writes.putAll(late); // Without an answer, they are looked for again later.
    } finally {
      lock.unlock();
    }
    ask(server, open);
    try {
      ask(server, late);
    } catch (KubernetesException e) {
      LOG.log(Level.DEBUG, "Cannot look for own writes, they count as before", e);
    }
  }

  private void ask(Server<T> server, Map<String, Write<T>> questions) throws InterruptedException {
    if (questions.size() > FEW) {
      answered(questions, server);
      return;
    }
    for (Map.Entry<String, Write<T>> one : questions.entrySet()) {
      answered(Map.of(one.getKey(), one.getValue()), server);
    }
  }

  private void answered(Map<String, Write<T>> asked, Server<T> server) throws InterruptedException {
    Answer<T> answer =
        server.lookUp(asked.keySet().stream().map(ObjectName::parse).collect(Collectors.toSet()));
    Map<String, T> found = new HashMap<>();
    answer.objects.forEach(object -> found.put(keys.keyOf(object), object));
    lock.lock();
    try {
      asked.forEach((key, write) -> answeredLocked(key, write, found.get(key), answer.version));
      refreshLocked();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Replaces a write by the state that the server has told: an older one if the server has lost the
   * write.
   *
   * @param reached the version of the collection that the server has reached
   */
  @GuardedBy("lock")
  private void answeredLocked(String key, Write<T> asked, @Nullable T now, String reached) {
    Write<T> open = unknown.get(key);
    boolean isLate = asked.equals(writes.get(key));
    if (open == null && !isLate) {
      return; // It was shown, lost or written again meanwhile.
    }
    if (isLate) {
      writes.remove(key);
    }
    if (asked.isNewerThan(open)) {
      unknown.remove(key);
    }
    String version = now == null ? reached : WriteMark.versionOf(now);
    String uid = now == null ? null : now.metadata().uid();
    if (ResourceVersion.isComparable(version)) {
      WriteMark told =
          new WriteMark(
              key, uid == null ? asked.mark.uid() : uid, version, /* isDeletion= */ false);
      putLocked(writes, new Write<>(told, asked.time, now, asked.created));
    }
  }

  // ---- reads, which look at the writes first: the cache shows all that are not among them

  @Override
  public Optional<T> getByKey(String key) {
    if (empty) {
      return cache.getByKey(key);
    }
    Write<T> write;
    IndexSnapshot<T> cached;
    lock.lock();
    try {
      cached = refreshLocked();
      write = writes.get(key);
    } finally {
      lock.unlock();
    }
    return write == null ? cached.getByKey(key) : Optional.ofNullable(newest(write, cached));
  }

  /**
   * Returns the cache at this moment, with the writes that it does not show yet. A write costs
   * about as much as a change of the cache does.
   */
  @Override
  public IndexSnapshot<T> snapshot() {
    if (empty) {
      return cache.snapshot();
    }
    List<Write<T>> pending;
    IndexSnapshot<T> cached;
    lock.lock();
    try {
      cached = refreshLocked();
      pending = List.copyOf(writes.values());
    } finally {
      lock.unlock();
    }
    IndexSnapshot<T> all = cached;
    for (Write<T> write : pending) {
      String key = write.mark.key();
      T newest = newest(write, cached);
      all = newest == null ? all.without(key) : all.with(key, newest);
    }
    return all;
  }

  /** Returns the newest known state of the object of a write. */
  private static <T extends KubernetesObject> @Nullable T newest(
      Write<T> write, IndexSnapshot<T> cached) {
    T inCache = cached.getByKey(write.mark.key()).orElse(null);
    boolean isInCache = inCache != null && write.mark.isIn(inCache);
    return isInCache || write.mark.isShownBy(cached) ? inCache : write.object;
  }

  @Override
  public Map<String, IndexFunction<? super T>> indexers() {
    return cache.indexers();
  }

  /** Returns how many writes are kept. */
  int size() {
    lock.lock();
    try {
      return writes.size() + unknown.size();
    } finally {
      lock.unlock();
    }
  }
}
