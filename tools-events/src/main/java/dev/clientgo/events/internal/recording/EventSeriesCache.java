package dev.clientgo.events.internal.recording;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.clock.Clock;
import dev.clientgo.events.internal.writing.Counters;
import dev.clientgo.events.internal.writing.EventLog;
import dev.clientgo.events.internal.writing.EventLog.Topic;
import dev.clientgo.events.internal.writing.EventSink;
import dev.clientgo.events.internal.writing.EventWriter;
import dev.clientgo.events.internal.writing.EventWriter.Outcome;
import dev.clientgo.events.internal.writing.WriteQueue;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import dev.clientgo.kubernetes.events.v1.Event;
import dev.clientgo.kubernetes.events.v1.EventSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Records events of {@code events.k8s.io/v1}, and counts repetitions.
 *
 * <p>The first occurrence creates an event. The second begins a series: a patch of the event.
 * Further ones are counted here; the count is written every 30 minutes, and once more when nothing
 * came for 6 minutes. The event is then forgotten, and the next occurrence creates a new one.
 *
 * <p>One thread at a time writes an event, so a patch never overtakes the create. Unlike client-go:
 * the cache is bounded (4096 events, the ones seen least recently go first), an event that found
 * the queue full is forgotten so that the next occurrence tries again, and a count that the server
 * has is not written again.
 */
public final class EventSeriesCache implements EventPipeline {

  /*
   * The lock guards the map and the fields of its series. It is never held while a request runs or
   * a note is formatted. The lock of the write queue may be taken under it, never the reverse.
   */

  /** After what time of silence an event is forgotten. */
  public static final Duration FINISH_TIME = Duration.ofMinutes(6);

  /** How often the count of a series is written. */
  public static final Duration REFRESH_TIME = Duration.ofMinutes(30);

  /** How many events are remembered. */
  static final int MAX_SERIES = 4096;

  private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

  /** What makes two occurrences the same event: all but the note. */
  private record Key(
      String type,
      String action,
      String reason,
      String controller,
      String instance,
      ObjectReference regarding,
      @Nullable ObjectReference related) {

    static Key of(Occurrence occurrence) {
      return new Key(
          occurrence.type(),
          occurrence.action(),
          occurrence.reason(),
          occurrence.reporter().controller(),
          occurrence.reporter().instance(),
          occurrence.regarding(),
          occurrence.related());
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closed;
  private final ThreadFactory threadFactory;
  private final EventFactory factory;
  private final EventSink<Event> sink;
  private final EventWriter writer;
  private final WriteQueue queue;
  private final Clock clock;
  private final Counters counters;
  private final EventLog log;

  /** The events, the one seen least recently first. */
  @GuardedBy("lock")
  private final LinkedHashMap<Key, Series> cache =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  /** Forgets events; null while there is none. */
  @GuardedBy("lock")
  private @Nullable Thread sweeper;

  @GuardedBy("lock")
  private boolean isClosed;

  /** Creates an empty cache. */
  public EventSeriesCache(
      EventFactory factory,
      EventSink<Event> sink,
      EventWriter writer,
      WriteQueue queue,
      ThreadFactory threadFactory,
      Clock clock,
      Counters counters,
      EventLog log) {
    this.factory = factory;
    this.sink = sink;
    this.writer = writer;
    this.queue = queue;
    this.threadFactory = threadFactory;
    this.clock = clock;
    closed = clock.newCondition(lock);
    this.counters = counters;
    this.log = log;
  }

  /* --------------- Occurrences --------------- */

  @Override
  public void accept(Occurrence occurrence) {
    Key key = Key.of(occurrence);
    lock.lock();
    try {
      if (repeatLocked(key)) {
        return;
      }
    } finally {
      lock.unlock();
    }
    if (queue.isFull()) {
      drop(occurrence);
      return;
    }
    // Not under the lock: the arguments of the note are the caller's, and may do anything.
    Series series = new Series(occurrence.toString(), factory.event(occurrence, text(occurrence)));
    lock.lock();
    try {
      if (repeatLocked(key) || beginLocked(key, series)) {
        return;
      }
    } finally {
      lock.unlock();
    }
    drop(occurrence);
  }

  private void drop(Occurrence occurrence) {
    counters.dropped.increment();
    log.warn(
        Topic.DROPPED, () -> "the queue of events is full or closed, dropped " + occurrence, null);
  }

  private String text(Occurrence occurrence) {
    String text = occurrence.note().text();
    if (text.length() > NoteLimit.MAX_BYTES) {
      log.warn(Topic.TRUNCATED, () -> "cut the note of " + occurrence + " to 1024 bytes", null);
    }
    return text;
  }

  /** Counts a repetition; returns false if there is no such event yet. */
  @GuardedBy("lock")
  private boolean repeatLocked(Key key) {
    Series series = cache.get(key);
    if (series == null) {
      return false;
    }
    long now = clock.nanoTime();
    if (now - series.lastSeen >= FINISH_TIME.toNanos() && series.finishLocked()) {
      cache.remove(key); // The sweeper is late.
      return false;
    }
    series.repeatLocked(now);
    return true;
  }

  /** Begins with a new event; returns false if the queue is full. */
  @GuardedBy("lock")
  private boolean beginLocked(Key key, Series series) {
    if (!series.scheduleLocked()) {
      return false;
    }
    cache.put(key, series);
    if (cache.size() > MAX_SERIES) {
      Iterator<Series> eldest = cache.values().iterator();
      eldest.next().finishLocked();
      eldest.remove();
    }
    if (sweeper == null && !isClosed) {
      startSweeperLocked();
    }
    return true;
  }

  /* --------------- Time --------------- */

  @GuardedBy("lock")
  private void startSweeperLocked() {
    try {
      Thread thread = threadFactory.newThread(this::sweep);
      thread.start();
      sweeper = thread;
    } catch (Throwable e) { // The next new event tries again.
      log.warn(Topic.FAILED, () -> "cannot start a thread that counts events", e);
    }
  }

  /** Refreshes and forgets events until there is none. */
  private void sweep() {
    lock.lock();
    try {
      while (!isClosed && !cache.isEmpty()) {
        sweepLocked(clock.nanoTime());
        clock.await(lock, closed, SWEEP_INTERVAL);
      }
      sweeper = null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Nothing interrupts this thread.
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void sweepLocked(long now) {
    for (Iterator<Series> all = cache.values().iterator(); all.hasNext(); ) {
      Series series = all.next();
      if (now - series.lastSeen >= FINISH_TIME.toNanos()) {
        if (series.finishLocked()) {
          all.remove();
        }
      } else if (series.hasNewsLocked()
          && now - series.lastWrite >= REFRESH_TIME.toNanos()
          && !series.isScheduled) {
        series.scheduleLocked();
      }
    }
  }

  @Override
  public void writeCounts() {
    lock.lock();
    try {
      List<Series> all = new ArrayList<>(cache.values());
      for (Series series : all) {
        if (series.hasNewsLocked()) {
          series.forceLocked();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    Thread thread;
    lock.lock();
    try {
      isClosed = true;
      cache.clear();
      closed.signalAll();
      thread = sweeper;
    } finally {
      lock.unlock();
    }
    try {
      if (thread != null) {
        clock.join(List.of(thread), Duration.ofNanos(Long.MAX_VALUE));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /* --------------- One event --------------- */

  /** An event and its repetitions. The lock guards all fields that change. */
  private final class Series {

    /** Names the event in the log. The occurrence itself would keep the caller's objects alive. */
    private final String title;

    private final Event first;
    private int count = 1;
    private Instant lastObserved;

    /** When the event occurred last, as a reading of the clock. */
    private long lastSeen;

    /** When the event was written last; the time of the first occurrence before that. */
    private long lastWrite;

    /** The last count that the server has; 0 if it has no event. */
    private int written;

    /** Whether the event was sent once. */
    private boolean isCreated;

    /** The count that is on its way to the server; 0 if none is. */
    private int sending;

    /** Whether a series was sent, and not given up: repetitions are only counted now. */
    private boolean isSeries;

    /** Whether this is in the queue, or a thread writes it. */
    private boolean isScheduled;

    /** Whether there is something to write. */
    private boolean isWanted;

    Series(String title, Event first) {
      this.title = title;
      this.first = first;
      this.lastObserved = clock.now();
      this.lastSeen = clock.nanoTime();
      this.lastWrite = lastSeen;
    }

    void repeatLocked(long now) {
      count = count == Integer.MAX_VALUE ? count : count + 1;
      lastObserved = clock.now();
      lastSeen = now;
      if (!isSeries) {
        scheduleLocked(); // If the queue is full, the next repetition tries again.
      }
    }

    /** Returns whether the server's count is, and stays, too small. A single event has none. */
    boolean hasNewsLocked() {
      return count > 1 && count > Math.max(written, sending);
    }

    /** Asks a thread to write this; returns false if the queue is full. */
    boolean scheduleLocked() {
      if (!isScheduled && !queue.offer(this::write)) {
        return false;
      }
      isScheduled = true;
      isWanted = true;
      return true;
    }

    /** Asks a thread to write this, even if the queue is full. */
    void forceLocked() {
      if (isScheduled || queue.force(this::write)) {
        isScheduled = true;
        isWanted = true;
      }
    }

    /** Writes the last count, if that is needed; returns false if that has to be later. */
    boolean finishLocked() {
      return !isScheduled && (!hasNewsLocked() || scheduleLocked());
    }

    /** Writes until there is nothing to write. */
    private void write() throws InterruptedException {
      Revision revision = next();
      while (revision != null) {
        Revision toWrite = revision;
        Patch patch = toWrite.patch;
        Outcome outcome = Outcome.UNREACHABLE; // If this throws, the next repetition tries again.
        try {
          outcome = writer.write(title, () -> send(toWrite.event, patch), patch != null);
        } finally {
          revision = afterWrite(toWrite, outcome);
        }
      }
    }

    private void send(Event event, @Nullable Patch patch) throws InterruptedException {
      if (patch == null) {
        sink.create(event);
      } else {
        sink.patchOrCreate(event, patch);
      }
    }

    private @Nullable Revision next() {
      lock.lock();
      try {
        return nextLocked();
      } finally {
        lock.unlock();
      }
    }

    private @Nullable Revision afterWrite(Revision revision, Outcome outcome) {
      lock.lock();
      try {
        lastWrite = clock.nanoTime();
        sending = 0;
        if (outcome == Outcome.WRITTEN) {
          written = revision.count;
        } else if (outcome == Outcome.UNREACHABLE) {
          isWanted = false;
          isSeries = false; // So the next repetition tries again.
        }
        return nextLocked();
      } finally {
        lock.unlock();
      }
    }

    /** Returns the event as it should be on the server; null if there is nothing to write. */
    private @Nullable Revision nextLocked() {
      if (!isWanted) {
        isScheduled = false;
        return null;
      } else if (!isCreated) {
        isCreated = true;
        isWanted = count > 1;
        return new Revision(first, 1, null);
      }
      isWanted = false;
      isSeries = true;
      sending = count;
      return series(count, MicroTime.of(lastObserved));
    }

    private Revision series(int count, MicroTime lastObserved) {
      EventSeries series =
          EventSeries.builder().count(count).lastObservedTime(lastObserved).build();
      Map<String, Object> changes = new LinkedHashMap<>();
      changes.put("count", count);
      changes.put("lastObservedTime", lastObserved.toString());
      return new Revision(
          first.with(event -> event.series(series)),
          count,
          Patch.strategicMerge(Map.of("series", changes)));
    }
  }

  /**
   * What is sent for an event.
   *
   * @param event the event as it should be on the server
   * @param count its occurrences
   * @param patch what to change of the event that is there; null for the first occurrence
   */
  private record Revision(Event event, int count, @Nullable Patch patch) {}
}
