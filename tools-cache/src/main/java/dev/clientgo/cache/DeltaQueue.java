package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.cache.Delta.Added;
import dev.clientgo.cache.Delta.Deleted;
import dev.clientgo.cache.Delta.ObjectDelta;
import dev.clientgo.cache.Delta.Sync;
import dev.clientgo.cache.Delta.Updated;
import dev.clientgo.cache.internal.errors.GuardedMetrics;
import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.cache.synctrack.DoneChecker;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The common part of {@link RealFIFO} and {@link DeltaFIFO}: the lock, the wait of the consumer,
 * and whether the first list has been processed.
 *
 * @param <T> the type of the objects
 */
abstract class DeltaQueue<T> implements Queue<T> {

  /*
   * One lock guards everything. The key function is user code, and runs before the lock is taken. The
   * processor is user code too; whether it runs under the lock depends on the queue:
   *
   *   With known objects, it must. Otherwise an object that was taken out of the queue, but is not
   *   in the store yet, would be in neither, and a list that arrives in between could not tell that
   *   the object exists.
   *
   *   With atomic events, only the consumer compares lists with the store, so producers need not
   *   wait. They wait only if the queue is long: see RealFIFO.
   *
   * hasSynced(), isClosed() and stall() never wait for the lock.
   */

  private static final Logger LOG = System.getLogger(DeltaQueue.class.getName());

  /** A slow processor is logged if more entries than this wait. */
  private static final int TRACED_DEPTH = 10;

  private static final Duration SLOW = Duration.ofMillis(100);
  private static final Duration SLOW_BATCH = Duration.ofSeconds(1);

  final ReentrantLock lock = new ReentrantLock();
  private final Condition notEmpty;

  private final KeyFunction<? super T> keyFunction;
  final @Nullable KnownObjects<T> knownObjects;
  private final InformerMetrics metrics;
  private final @Nullable InformerObserver<T> observer;
  private final Clock clock;
  private final DoneChecker.Signal synced;

  private volatile boolean closed;

  /** Wakes a consumer that calls {@link #pollBatch}; null while it waits in {@link #pop}. */
  private volatile @Nullable Runnable consumer;

  /** Since when the consumer could have taken the next entry, or processes it; null if none. */
  private volatile @Nullable Long nextSince;

  /** Whether anything has ever been put in, an empty first list included. */
  @GuardedBy("lock")
  private boolean populated;

  /** How many entries at the head of the queue belong to the first list. */
  @GuardedBy("lock")
  private int initialPopulation;

  DeltaQueue(Builder<T, ?> options) {
    this.keyFunction = options.keyFunction;
    this.knownObjects = options.knownObjects;
    this.metrics = options.metrics;
    this.observer = options.observer;
    this.clock = options.clock;
    notEmpty = clock.newCondition(lock);
    this.synced = DoneChecker.Signal.create(options.name, options.clock);
  }

  /** Returns the number of entries in the queue. */
  @GuardedBy("lock")
  abstract int lengthLocked();

  /** Appends a delta. */
  @GuardedBy("lock")
  abstract void appendLocked(ObjectDelta<T> delta);

  /** Takes out the entries to process next, at most {@code limit}. The queue is not empty. */
  @GuardedBy("lock")
  abstract List<Delta<T>> takeLocked(int limit);

  /** Returns whether producers need not wait while the consumer processes the taken entries. */
  @GuardedBy("lock")
  abstract boolean unlocksWhileProcessingLocked();

  /** Returns how many entries may be processed at once. */
  abstract int batchSize();

  // ---- producers

  @Override
  public final void add(T object) {
    put(new Added<>(keyOf(object), object));
  }

  @Override
  public final void update(T object) {
    put(new Updated<>(keyOf(object), object));
  }

  @Override
  public final void delete(T object) {
    put(new Deleted<>(DeletedObject.of(keyOf(object), object)));
  }

  @Override
  public final void deleteByKey(String key) {
    put(new Deleted<>(DeletedObject.ofUnknownFinalState(key, null)));
  }

  private void put(ObjectDelta<T> delta) {
    lock.lock();
    try {
      if (!populated) {
        populatedLocked(0);
      }
      if (acceptsLocked(delta)) {
        appendLocked(delta);
      }
      appendedLocked();
    } finally {
      lock.unlock();
    }
    wakeConsumer();
  }

  /** Returns whether the queue takes a change that the watch reported. */
  @GuardedBy("lock")
  boolean acceptsLocked(ObjectDelta<T> delta) {
    return true;
  }

  @Override
  public final void replace(List<T> objects, String resourceVersion) {
    replace(objects, Set.of(), resourceVersion);
  }

  @Override
  public void bookmark(String resourceVersion) {}

  final String keyOf(T object) {
    return keyFunction.requireKeyOf(requireNonNull(object, "object"));
  }

  /** Notifies the observer that a delta is at the end of the queue. */
  @GuardedBy("lock")
  final void queuedLocked(Delta<T> delta) {
    if (observer != null) {
      observer.queued(delta);
    }
  }

  /** Wakes a consumer that waits in {@link #pop}, and reports the length. */
  @GuardedBy("lock")
  final void appendedLocked() {
    if (consumer == null) {
      notEmpty.signalAll();
    }
    if (nextSince == null && lengthLocked() > 0) {
      nextSince = clock.nanoTime();
    }
    metrics.queueLength(lengthLocked());
  }

  /** Does the same after a whole list. If it is the first, all entries belong to it. */
  @GuardedBy("lock")
  final void replacedLocked() {
    if (!populated) {
      populatedLocked(lengthLocked());
    }
    appendedLocked();
  }

  /** Wakes a consumer that does not wait in {@link #pop}, without the lock that it needs. */
  final void wakeConsumer() {
    Runnable wake = consumer;
    if (wake != null) {
      wake.run();
    }
  }

  @GuardedBy("lock")
  private void populatedLocked(int population) {
    populated = true;
    initialPopulation = population;
    if (population == 0) {
      synced.done();
    }
  }

  // ---- producers, with known objects: an object that exists is in the queue or in the store

  /** Appends a deletion for each object that is in the store only and not in the list. */
  @GuardedBy("lock")
  final void appendDeletionsLocked(
      KnownObjects<T> known, Set<String> listed, Set<String> queuedKeys) {
    for (String key : known.listKeys()) {
      if (!listed.contains(key) && !queuedKeys.contains(key)) {
        appendLocked(new Deleted<>(tombstone(key, known)));
      }
    }
  }

  /** Returns the tombstone of an object; without a state, if the store has just removed it. */
  private DeletedObject<T> tombstone(String key, KnownObjects<T> known) {
    Optional<T> lastKnown = known.getByKey(key);
    if (lastKnown.isEmpty()) {
      LOG.log(
          Level.DEBUG,
          "A listed key is not in the store, its deletion is reported without an object: queue={0}"
              + " key={1}",
          synced.name(),
          key);
    }
    return DeletedObject.ofUnknownFinalState(key, lastKnown.orElse(null));
  }

  /**
   * Appends a Sync for each object that is in the store only. Behind a newer delta, a Sync would
   * take the object back to the state before.
   */
  @GuardedBy("lock")
  final void appendSyncsLocked(KnownObjects<T> known, Set<String> queuedKeys) {
    for (String key : known.listKeys()) {
      if (!queuedKeys.contains(key)) {
        Optional<T> object = known.getByKey(key);
        if (object.isPresent()) {
          appendLocked(new Sync<>(key, object.get()));
        }
      }
    }
  }

  // ---- consumer

  /**
   * Makes the queue run an action, without a lock, after each call that puts something in: it wakes
   * the task of the {@link Controller}, which then calls {@link #pollBatch}.
   */
  final void consumer(Runnable wake) {
    consumer = wake;
  }

  /**
   * Does the same as {@link #popBatch}, but does not wait if the queue is empty.
   *
   * @return whether the queue has more deltas
   */
  final boolean pollBatch(DeltaProcessor<T> batch, DeltaProcessor<T> single)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (lengthLocked() > 0) {
        processHeadLocked(batchSize(), batch, single);
      }
      return lengthLocked() > 0;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final boolean pop(DeltaProcessor<T> processor) throws InterruptedException {
    return process(1, processor, processor);
  }

  @Override
  public final boolean popBatch(DeltaProcessor<T> batch, DeltaProcessor<T> single)
      throws InterruptedException {
    return process(batchSize(), batch, single);
  }

  private boolean process(int limit, DeltaProcessor<T> batch, DeltaProcessor<T> single)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (lengthLocked() == 0) {
        if (closed) {
          return false;
        }
        notEmpty.await();
      }
      processHeadLocked(limit, batch, single);
      return true;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void processHeadLocked(int limit, DeltaProcessor<T> batch, DeltaProcessor<T> single)
      throws InterruptedException {
    if (observer != null) {
      observeTurnLocked(observer);
    }
    int length = lengthLocked();
    // A batch does not reach beyond the first list.
    List<Delta<T>> deltas =
        takeLocked(initialPopulation > 0 ? Math.min(limit, initialPopulation) : limit);
    int taken = length - lengthLocked();
    metrics.queueLength(lengthLocked());
    if (observer != null) {
      observer.popped(deltas);
    }
    try {
      processLocked(taken == 1 ? single : batch, deltas, taken);
    } finally {
      // Not before: the first list is processed only once the processor has returned.
      processedLocked(taken);
    }
  }

  /** Calls the observer without the lock. The queue stays nonempty: there is one consumer. */
  @GuardedBy("lock")
  private void observeTurnLocked(InformerObserver<T> turns) throws InterruptedException {
    lock.unlock();
    try {
      turns.popping();
    } finally {
      lock.lock();
    }
  }

  @GuardedBy("lock")
  private void processLocked(DeltaProcessor<T> processor, List<Delta<T>> deltas, int taken)
      throws InterruptedException {
    boolean unlocks = unlocksWhileProcessingLocked();
    int depth = lengthLocked();
    boolean isInInitialList = !synced.isDone();
    long start = clock.nanoTime();
    if (unlocks) {
      lock.unlock();
    }
    try {
      processor.process(deltas, isInInitialList);
    } finally {
      Duration duration = Duration.ofNanos(clock.nanoTime() - start);
      metrics.processed(duration);
      traceIfSlow(deltas, taken, depth, duration);
      if (unlocks) {
        lock.lock();
      }
    }
  }

  @GuardedBy("lock")
  private void processedLocked(int taken) {
    nextSince = lengthLocked() > 0 ? clock.nanoTime() : null;
    if (initialPopulation > 0) {
      initialPopulation -= taken;
      if (initialPopulation == 0) {
        synced.done();
      }
    }
  }

  private void traceIfSlow(List<Delta<T>> deltas, int taken, int depth, Duration duration) {
    Duration limit = SLOW.multipliedBy(taken);
    limit = limit.compareTo(SLOW_BATCH) < 0 ? limit : SLOW_BATCH;
    if (depth > TRACED_DEPTH && duration.compareTo(limit) > 0) {
      Delta<T> first = deltas.get(0);
      Object what = first instanceof ObjectDelta<T> object ? object.key() : first.type();
      LOG.log(
          Level.INFO,
          "Slow event processing keeps the queue waiting: queue={0} first={1} batchSize={2}"
              + " depth={3} duration={4}",
          synced.name(),
          what,
          taken,
          depth,
          duration);
    }
  }

  /** Returns for how long the consumer has not finished the next entry; zero if there is none. */
  final Duration stall() {
    Long since = nextSince;
    return since == null ? Duration.ZERO : Duration.ofNanos(clock.nanoTime() - since);
  }

  @Override
  public final boolean hasSynced() {
    return synced.isDone();
  }

  @Override
  public final DoneChecker hasSyncedChecker() {
    return synced;
  }

  @Override
  public final void close() {
    closed = true;
    lock.lock();
    try {
      notEmpty.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final boolean isClosed() {
    return closed;
  }

  /** Ends all waits for the first list, because the consumer has ended. */
  final void abandon() {
    synced.abandon();
  }

  /**
   * The options that both queues have.
   *
   * @param <T> the type of the objects
   * @param <B> the type of the builder
   */
  abstract static class Builder<T, B extends Builder<T, B>> {

    private final KeyFunction<? super T> keyFunction;
    private String name;
    @Nullable KnownObjects<T> knownObjects;
    private InformerMetrics metrics = InformerMetrics.NONE;
    private @Nullable InformerObserver<T> observer;
    private Clock clock = Clock.system();

    Builder(KeyFunction<? super T> keyFunction, String name) {
      this.keyFunction = requireNonNull(keyFunction, "keyFunction");
      this.name = name;
    }

    abstract B self();

    /** Sets the name of the queue in logs. Default: the name of its class. */
    public B name(String name) {
      this.name = requireNonNull(name, "name");
      return self();
    }

    /**
     * Sets the receiver of the queue's length and of processing times. It is called often and with
     * the queue's lock held, so it must be quick. Default: none.
     */
    public B metrics(InformerMetrics metrics) {
      this.metrics = GuardedMetrics.of(requireNonNull(metrics, "metrics"));
      return self();
    }

    B observer(@Nullable InformerObserver<T> observer) {
      this.observer = observer;
      return self();
    }

    /** Sets the clock that measures the consumer. Default: the system's. */
    public B clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return self();
    }
  }
}
