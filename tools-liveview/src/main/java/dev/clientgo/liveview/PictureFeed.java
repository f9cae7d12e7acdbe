package dev.clientgo.liveview;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.clock.Deadline;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes pictures while a page is open: one for all pages, in one thread. If that thread hangs, the
 * pages show how old their picture is. Safe for use by many threads.
 */
final class PictureFeed implements AutoCloseable {

  /** Between two pictures; longer if much happens. */
  private static final Duration INTERVAL = Duration.ofMillis(100);

  /** A browser without a graphics card takes 60 ms to lay out and paint a picture. */
  private static final Duration BUSY_INTERVAL = Duration.ofMillis(800);

  private static final int BUSY_STEPS_A_SECOND = 500;

  /** A page that has heard nothing for a few of these knows that the program does not answer. */
  private static final Duration ALIVE_INTERVAL = Duration.ofSeconds(2);

  /** If a picture takes longer, the pages say so. */
  private static final Duration LATE = Duration.ofSeconds(3);

  private final LiveView view;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;

  @GuardedBy("lock")
  private int pages;

  @GuardedBy("lock")
  private String picture = "";

  /** How many pictures there were. */
  @GuardedBy("lock")
  private long number;

  /** When the last picture was ready, also if it was the same as the one before. */
  @GuardedBy("lock")
  private long ready;

  @GuardedBy("lock")
  private @Nullable Thread thread;

  @GuardedBy("lock")
  private boolean closed;

  PictureFeed(LiveView view, Clock clock) {
    this.view = view;
    this.clock = clock;
    changed = clock.newCondition(lock);
  }

  /** One event in the stream of a page. */
  record Message(long number, String text) {}

  /** Counts a page in; {@link #leave} counts it out. */
  void join() {
    lock.lock();
    try {
      if (thread == null) {
        picture = "";
        ready = clock.nanoTime();
        Thread started = DaemonThreads.named("live-view-pictures-").newThread(this::run);
        started.start();
        thread = started;
      }
      pages++;
    } finally {
      lock.unlock();
    }
  }

  void leave() {
    lock.lock();
    try {
      pages--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a picture other than the last one that the page has, for a while; each message says
   * how late the next picture is, if it is. Returns null if the view is closed.
   */
  @Nullable Message next(long last) throws InterruptedException {
    Deadline alive = clock.deadline(ALIVE_INTERVAL);
    lock.lockInterruptibly();
    try {
      while (!closed) {
        if (number != last && !picture.isEmpty()) {
          // The picture may be old: another page has it, and the thread has hung since.
          return new Message(number, "data: " + picture + "\n\n" + aliveLocked());
        }
        if (!alive.await(lock, changed)) {
          return new Message(last, aliveLocked());
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private String aliveLocked() {
    Duration age = Duration.ofNanos(clock.nanoTime() - ready);
    String late =
        age.compareTo(LATE) < 0
            ? "{}"
            : "{\"seconds\":" + age.toSeconds() + ",\"server\":" + view.asksServer() + "}";
    return "event: alive\ndata: " + late + "\n\n";
  }

  private void run() {
    Duration interval = INTERVAL;
    long steps = view.steps();
    do {
      try {
        show(draw());
      } catch (Throwable e) {
        // No memory even for the report. The pages see that no picture comes.
      }
      long now = view.steps();
      boolean isBusy = (now - steps) * 1000 > BUSY_STEPS_A_SECOND * interval.toMillis();
      interval = isBusy ? BUSY_INTERVAL : INTERVAL;
      steps = now;
    } while (!ended(interval));
  }

  private String draw() {
    Map<String, Object> tree;
    try {
      return text(view.tree());
    } catch (Throwable e) { // Such as one of an item of a queue, or no memory.
      tree = new LinkedHashMap<>();
      tree.put("failure", CrashLog.text(e));
    }
    return text(tree);
  }

  private static String text(Map<String, Object> tree) {
    return RawJson.of(JsonCodecs.TREE, tree).toString();
  }

  private void show(String drawn) {
    lock.lock();
    try {
      ready = clock.nanoTime();
      if (!drawn.equals(picture)) {
        picture = drawn;
        number++;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the next picture is due; returns whether no page is open. */
  private boolean ended(Duration interval) {
    Deadline due = clock.deadline(interval);
    lock.lock();
    try {
      while (!closed && pages > 0) {
        try {
          if (!due.await(lock, changed)) {
            return false;
          }
        } catch (InterruptedException e) {
          // By a function of the program, which must not end the pictures.
        }
      }
      thread = null;
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
