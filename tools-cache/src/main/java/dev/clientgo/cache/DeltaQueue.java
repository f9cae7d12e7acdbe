package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.cache.Delta.Added;
import dev.clientgo.cache.Delta.Deleted;
import dev.clientgo.cache.Delta.ObjectDelta;
import dev.clientgo.cache.Delta.Updated;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What {@link RealFIFO} and {@link DeltaFIFO} have in common: producers that put in, one consumer
 * that waits, and the question whether the first list has been processed.
 *
 * @param <T> the type of the objects
 */
abstract sealed class DeltaQueue<T> implements Queue<T> permits RealFIFO, DeltaFIFO {

  /*
   * One lock guards everything. Key function and transformer are user code and run before it is
   * taken. The processor is user code too, and whether it runs under the lock is the question on
   * which the two ways to use a queue differ:
   *
   *   With known objects, it must. What has been taken out of the queue but is not yet in the store
   *   would otherwise be in neither, and a list that arrives in between could not tell that it
   *   exists.
   *
   *   With atomic events, the consumer alone compares lists with the store, so producers need not
   *   wait. They are made to, all the same, when the queue is long: see RealFIFO.
   *
   * hasSynced() and isClosed() never wait for the lock.
   */

  private static final Logger LOG = System.getLogger(DeltaQueue.class.getName());

  /** From how many waiting entries on a slow processor is worth a log line. */
  private static final int TRACED_DEPTH = 10;

  private static final Duration SLOW = Duration.ofMillis(100);
  private static final Duration SLOW_BATCH = Duration.ofSeconds(1);

  final ReentrantLock lock = new ReentrantLock();
  private final Condition notEmpty = lock.newCondition();

  private final KeyFunction<? super T> keyFunction;
  private final @Nullable TransformFunction<T> transformer;
  private final FIFOMetrics metrics;
  private final Clock clock;
  private final DoneSignal synced;

  private volatile boolean closed;

  /** Whether anything has ever been put in, an empty first list included. */
  @GuardedBy("lock")
  private boolean populated;

  /** How many entries at the head of the queue belong to the first list. */
  @GuardedBy("lock")
  private int initialPopulation;

  DeltaQueue(Builder<T, ?> options) {
    this.keyFunction = options.keyFunction;
    this.transformer = options.transformer;
    this.metrics = options.metrics;
    this.clock = options.clock;
    this.synced = new DoneSignal(options.name, options.clock);
  }

  /** Returns how many entries are in the queue. */
  @GuardedBy("lock")
  abstract int lengthLocked();

  /** Puts a delta at the end. */
  @GuardedBy("lock")
  abstract void enqueueLocked(ObjectDelta<T> delta);

  /** Takes out what is to be processed next: one entry, or several if that many are allowed. */
  @GuardedBy("lock")
  abstract List<Delta<T>> takeLocked(int limit);

  /** Returns whether producers may come in while the consumer processes what it took. */
  @GuardedBy("lock")
  abstract boolean unlocksWhileProcessingLocked();

  /** Returns how many entries may be processed at once. */
  abstract int batchSize();

  // ---- producers

  @Override
  public final void add(T object) {
    T transformed = transform(object);
    put(new Added<>(keyOf(transformed), transformed));
  }

  @Override
  public final void update(T object) {
    T transformed = transform(object);
    put(new Updated<>(keyOf(transformed), transformed));
  }

  @Override
  public final void delete(T object) {
    T transformed = transform(object);
    put(new Deleted<>(DeletedObject.of(keyOf(transformed), transformed)));
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
      enqueueLocked(delta);
      enqueuedLocked();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void bookmark(String resourceVersion) {}

  final String keyOf(T object) {
    return KeyException.keyOf(keyFunction, object);
  }

  private T transform(T object) {
    requireNonNull(object, "object");
    return transformer == null
        ? object
        : requireNonNull(transformer.transform(object), "transformed");
  }

  /** Returns the objects transformed; the same list if there is nothing to transform. */
  final List<T> transform(List<T> objects) {
    if (transformer == null) {
      return objects;
    }
    List<T> transformed = new ArrayList<>(objects.size());
    for (T object : objects) {
      transformed.add(transform(object));
    }
    return transformed;
  }

  /** Tells the consumer and the metrics that something has been put in. */
  @GuardedBy("lock")
  final void enqueuedLocked() {
    notEmpty.signalAll();
    reportLength(lengthLocked());
  }

  private void reportLength(int length) {
    try {
      metrics.queueLength(length);
    } catch (RuntimeException e) {
      metricsFailed(e);
    }
  }

  private void reportProcessed(Duration duration) {
    try {
      metrics.processed(duration);
    } catch (RuntimeException e) {
      metricsFailed(e);
    }
  }

  /** They are not worth losing an event for. */
  private void metricsFailed(RuntimeException e) {
    LOG.log(Level.WARNING, "Metrics failed: queue=" + synced.name(), e);
  }

  /**
   * Takes note of a list that has been put in. If it is the first, all that is queued belongs to
   * it.
   */
  @GuardedBy("lock")
  final void replacedLocked() {
    if (!populated) {
      populatedLocked(lengthLocked());
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

  // ---- consumer

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
      int length = lengthLocked();
      // A batch does not reach beyond the first list.
      List<Delta<T>> deltas =
          takeLocked(initialPopulation > 0 ? Math.min(limit, initialPopulation) : limit);
      int left = lengthLocked();
      int taken = length - left;
      reportLength(left);
      try {
        processLocked(taken == 1 ? single : batch, deltas, taken);
      } finally {
        // Only now: until the processor is through, the first list has not been processed.
        processedLocked(taken);
      }
      return true;
    } finally {
      lock.unlock();
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
      reportProcessed(duration);
      traceIfSlow(deltas, taken, depth, duration);
      if (unlocks) {
        lock.lock();
      }
    }
  }

  @GuardedBy("lock")
  private void processedLocked(int taken) {
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

  /** Lets nobody wait any more for the first list: the consumer has ended. */
  final void abandon() {
    synced.abandon();
  }

  // ---- for both: what is known is in the queue, or else in the store

  /** Returns the tombstone of an object that the store lists; without the object if it has gone. */
  final DeletedObject<T> tombstone(String key, KnownObjects<T> knownObjects) {
    Optional<T> lastKnown = knownObjects.getByKey(key);
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
   * The options that both queues have.
   *
   * @param <T> the type of the objects
   * @param <B> the type of the builder
   */
  abstract static class Builder<T, B extends Builder<T, B>> {

    private final KeyFunction<? super T> keyFunction;
    private String name;
    private @Nullable TransformFunction<T> transformer;
    private FIFOMetrics metrics = FIFOMetrics.NONE;
    private Clock clock = Clock.system();

    Builder(KeyFunction<? super T> keyFunction, String name) {
      this.keyFunction = requireNonNull(keyFunction, "keyFunction");
      this.name = name;
    }

    abstract B self();

    /** Sets what the queue is called in logs. Default: the name of its class. */
    public B name(String name) {
      this.name = requireNonNull(name, "name");
      return self();
    }

    /** Sets what to do to each object that is put in. Default: nothing. */
    public B transformer(TransformFunction<T> transformer) {
      this.transformer = requireNonNull(transformer, "transformer");
      return self();
    }

    /** Sets where to report length and speed. Default: nowhere. */
    public B metrics(FIFOMetrics metrics) {
      this.metrics = requireNonNull(metrics, "metrics");
      return self();
    }

    /** Sets the clock that measures the consumer. Default: that of the machine. */
    public B clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return self();
    }
  }
}
