package dev.clientgo.events;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.events.internal.recording.EventFactory;
import dev.clientgo.events.internal.recording.Occurrence;
import dev.clientgo.events.internal.recording.Occurrence.Note;
import dev.clientgo.events.internal.recording.Occurrence.Reporter;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import dev.clientgo.kubernetes.events.v1.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A recorder for tests, which keeps all events in memory.
 *
 * <pre>{@code
 * FakeRecorder events = FakeRecorder.create();
 * new FooReconciler(client, events).reconcile("default/web");
 * assertThat(events.lines()).containsExactly("Normal Created created the deployment web");
 * }</pre>
 *
 * <p>Each call is one event; repetitions are not counted. Unlike other recorders, it throws {@link
 * IllegalArgumentException} if a call is wrong: an empty reason, an object without a name, a note
 * that cannot be formatted. Safe for use by many threads. Corresponds to client-go's {@code
 * events.FakeRecorder}.
 */
public final class FakeRecorder implements EventRecorder {

  private final Log log;
  private final Reporter reporter;

  private FakeRecorder(Log log, Reporter reporter) {
    this.log = log;
    this.reporter = reporter;
  }

  /** Returns a recorder without events. */
  public static FakeRecorder create() {
    return create(Clock.system());
  }

  /** Returns a recorder without events, whose events have the time of a clock. */
  public static FakeRecorder create(Clock clock) {
    return new FakeRecorder(
        new Log(new EventFactory(clock), clock),
        new Reporter("fake-recorder", "fake-recorder", Map.of()));
  }

  @Override
  public void eventf(
      ObjectReference regarding,
      @Nullable ObjectReference related,
      String type,
      String reason,
      String action,
      String note,
      @Nullable Object... args) {
    Occurrence occurrence =
        new Occurrence(reporter, regarding, related, type, reason, action, Note.of(note, args));
    Optional<String> problem = occurrence.problem();
    if (problem.isPresent()) {
      throw new IllegalArgumentException(occurrence + ": " + problem.get());
    }
    log.add(log.factory.event(occurrence, occurrence.note().text()));
  }

  /** Returns a recorder whose events have these annotations and are kept with those of this one. */
  @Override
  public FakeRecorder annotated(Map<String, String> annotations) {
    return new FakeRecorder(log, reporter.with(annotations));
  }

  /** Returns the events recorded so far, the oldest first. */
  public List<Event> events() {
    return log.snapshot();
  }

  /** Returns the type, the reason and the note of each event, the oldest first. */
  public List<String> lines() {
    return events().stream().map(FakeRecorder::line).toList();
  }

  /**
   * Waits, in real time, for an event of a reason: one that was recorded before, or the next one.
   *
   * @throws TimeoutException if there is none in time; the message lists those that there are
   */
  public Event await(String reason, Duration timeout)
      throws InterruptedException, TimeoutException {
    return await(event -> reason.equals(event.reason()), timeout);
  }

  /**
   * Waits, in real time, for an event: one that was recorded before, or the next one.
   *
   * @throws TimeoutException if there is none in time; the message lists those that there are
   */
  public Event await(Predicate<? super Event> condition, Duration timeout)
      throws InterruptedException, TimeoutException {
    return log.await(condition, timeout)
        .orElseThrow(
            () -> new TimeoutException("no such event within " + timeout + ", only " + lines()));
  }

  /** Forgets all events. */
  public void clear() {
    log.clear();
  }

  @Override
  public String toString() {
    return String.join("\n", lines());
  }

  private static String line(Event event) {
    return event.type() + " " + event.reason() + " " + event.note();
  }

  /** The events of a recorder and of those derived from it. */
  private static final class Log {

    final EventFactory factory;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added;

    @GuardedBy("lock")
    private final List<Event> events = new ArrayList<>();

    Log(EventFactory factory, Clock clock) {
      this.factory = factory;
      this.added = clock.newCondition(lock);
    }

    void add(Event event) {
      lock.lock();
      try {
        events.add(event);
        added.signalAll();
      } finally {
        lock.unlock();
      }
    }

    List<Event> snapshot() {
      lock.lock();
      try {
        return List.copyOf(events);
      } finally {
        lock.unlock();
      }
    }

    void clear() {
      lock.lock();
      try {
        events.clear();
      } finally {
        lock.unlock();
      }
    }

    Optional<Event> await(Predicate<? super Event> condition, Duration timeout)
        throws InterruptedException {
      lock.lockInterruptibly();
      try {
        Deadline deadline = Clock.system().deadline(timeout);
        Optional<Event> found = find(condition);
        while (found.isEmpty() && deadline.await(lock, added)) {
          found = find(condition);
        }
        return found;
      } finally {
        lock.unlock();
      }
    }

    @GuardedBy("lock")
    private Optional<Event> find(Predicate<? super Event> condition) {
      for (Event event : events) {
        if (condition.test(event)) {
          return Optional.of(event);
        }
      }
      return Optional.empty();
    }
  }
}
