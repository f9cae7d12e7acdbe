package dev.clientgo.clock;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Lock. The hook interrupts the thread only while it is not in await(), so that an interruption
 * never comes late and cuts off the close() of a resource.
 */

/**
 * Ends the main thread of a program in order on SIGTERM, Ctrl-C and {@code System.exit}. A JVM then
 * runs only its shutdown hooks, and no {@code finally} or try-with-resources block.
 *
 * <pre>{@code
 * try (ShutdownSignal signal = ShutdownSignal.install(Duration.ofSeconds(20));
 *     RESTClient client = RESTClient.create(config);
 *     InformerFactory informers = InformerFactory.create(client)) {
 *   informers.start();
 *   signal.await(); // Returns on SIGTERM; then informers and client are closed.
 * }
 * }</pre>
 *
 * <p>The first resource of the block is closed last, and its {@link #close} lets the JVM end. If
 * the thread blocks elsewhere when the signal comes, it is interrupted there. The JVM waits for
 * {@code close}, but not longer than the given time; then 2 s at most for the thread to end, so
 * that its last lines run. It does not wait for a thread that called {@code System.exit}.
 *
 * <p>Corresponds to controller-runtime's {@code signals.SetupSignalHandler}.
 */
public final class ShutdownSignal implements AutoCloseable {

  private static final Logger LOG = System.getLogger(ShutdownSignal.class.getName());

  /** How long the thread may take to end after {@link #close}. */
  private static final long LAST_LINES_SECONDS = 2;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition change = lock.newCondition();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Runnable onSignal;
  private final Thread thread;
  private final Duration bound;
  private final Thread hook;

  @GuardedBy("lock")
  private boolean signalled;

  @GuardedBy("lock")
  private boolean waiting;

  private ShutdownSignal(Thread thread, Duration bound, @Nullable Runnable onSignal) {
    this.thread = thread;
    this.onSignal = onSignal == null ? this::wake : onSignal;
    this.bound = requireNonNull(bound, "bound");
    this.hook = new Thread(this::shutDown, "client-go-shutdown");
  }

  /**
   * Registers the calling thread, which ends in order when the JVM shuts down.
   *
   * @param bound how long the JVM waits for the thread to close this object; less than the grace
   *     period of the pod, which is 30 s by default
   * @throws IllegalStateException if the JVM is shutting down already
   */
  public static ShutdownSignal install(Duration bound) {
    return install(new ShutdownSignal(Thread.currentThread(), bound, null));
  }

  /**
   * Registers the calling thread, which an action ends in order when the JVM shuts down: the signal
   * does not interrupt it.
   *
   * @param bound how long the JVM waits for the thread to close this object, after the action
   * @param action runs on a separate thread
   * @throws IllegalStateException if the JVM is shutting down already
   */
  public static ShutdownSignal install(Duration bound, Runnable action) {
    return install(
        new ShutdownSignal(Thread.currentThread(), bound, requireNonNull(action, "action")));
  }

  private static ShutdownSignal install(ShutdownSignal signal) {
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /**
   * Waits until the JVM shuts down.
   *
   * @throws InterruptedException if something else interrupts the thread
   */
  public void await() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      waiting = true;
      awaitLocked();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void awaitLocked() throws InterruptedException {
    try {
      while (!signalled) {
        change.await();
      }
    } finally {
      waiting = false;
    }
  }

  private void wake() {
    lock.lock();
    try {
      signalled = true;
      change.signalAll();
      if (!waiting) {
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Runs as shutdown hook. */
  void shutDown() {
    try {
      onSignal.run();
      awaitThread();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      CrashLog.log(LOG, Level.ERROR, "The action at the signal has failed", e);
    }
  }

  private void awaitThread() throws InterruptedException {
    boolean exits =
        Stream.of(thread.getStackTrace())
            .anyMatch(
                frame ->
                    frame.getClassName().equals(Runtime.class.getName())
                        && frame.getMethodName().equals("exit"));
    if (exits || thread == Thread.currentThread()) {
      return; // It waits for this hook.
    }
    if (closed.await(bound.toNanos(), TimeUnit.NANOSECONDS)) {
      TimeUnit.SECONDS.timedJoin(thread, LAST_LINES_SECONDS);
    } else {
      LOG.log(
          Level.WARNING,
          "A thread has not ended in time after the signal, and is cut off: thread={0} ms={1}",
          thread.getName(),
          Long.toString(bound.toMillis()));
    }
  }

  /** Lets the JVM end, or unregisters the thread. Does nothing the second time. */
  @Override
  public void close() {
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      LOG.log(Level.DEBUG, "The JVM is shutting down", e);
    }
  }
}
