package dev.clientgo.workqueue;

import static java.lang.System.Logger.Level.WARNING;
import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs independent pieces of work on several threads:
 *
 * <pre>{@code
 * Parallelizer.of(16).withChunkSize(100).parallelizeUntil(found::get, nodes.size(), this::check);
 * }</pre>
 *
 * <p>Immutable.
 *
 * <p>Corresponds to client-go's {@code util/workqueue.ParallelizeUntil}.
 */
public final class Parallelizer {

  private static final System.Logger LOGGER = System.getLogger(Parallelizer.class.getName());

  private final int workers;
  private final int chunkSize;
  private final ThreadFactory threadFactory;
  private final Clock clock;

  private Parallelizer(int workers, int chunkSize, ThreadFactory threadFactory, Clock clock) {
    this.workers = workers;
    this.chunkSize = chunkSize;
    this.threadFactory = threadFactory;
    this.clock = clock;
  }

  /**
   * Returns a parallelizer that runs {@code workers} pieces at a time, on threads that are virtual
   * on Java 21 and later and daemons before.
   *
   * @throws IllegalArgumentException if {@code workers} is less than 1
   */
  public static Parallelizer of(int workers) {
    if (workers < 1) {
      throw new IllegalArgumentException("there must be at least one worker: " + workers);
    }
    return new Parallelizer(workers, 1, DaemonThreads.named("parallelizer-"), Clock.system());
  }

  /**
   * Sets how many pieces a worker gets at a time. A larger number is faster if there are many more
   * pieces than workers and each piece is short. Less than 1 means 1.
   */
  public Parallelizer withChunkSize(int chunkSize) {
    return new Parallelizer(workers, Math.max(1, chunkSize), threadFactory, clock);
  }

  /** Sets the factory of the threads. */
  public Parallelizer withThreadFactory(ThreadFactory threadFactory) {
    return new Parallelizer(
        workers, chunkSize, requireNonNull(threadFactory, "threadFactory"), clock);
  }

  /**
   * Sets the clock that waits for the ends of threads, for simulations; the system's by default.
   */
  public Parallelizer withClock(Clock clock) {
    return new Parallelizer(workers, chunkSize, threadFactory, requireNonNull(clock, "clock"));
  }

  /**
   * Runs the pieces 0 to {@code pieces - 1}. Returns when all have run, or when {@code stop} has
   * returned true and all workers have ended.
   *
   * <p>Unlike client-go, a piece that throws does not end its worker: all other pieces still run.
   * After them, this method throws the first exception; the others are logged.
   *
   * @param stop called before each piece, by all workers; it does not interrupt running pieces
   * @param doWorkPiece runs one piece
   * @throws InterruptedException if the thread is interrupted; the workers are interrupted too and
   *     have ended
   */
  public void parallelizeUntil(BooleanSupplier stop, int pieces, IntConsumer doWorkPiece)
      throws InterruptedException {
    requireNonNull(stop, "stop");
    requireNonNull(doWorkPiece, "doWorkPiece");
    if (pieces < 0) {
      throw new IllegalArgumentException("there cannot be fewer than no pieces: " + pieces);
    }
    new Run(stop, pieces, doWorkPiece).run();
  }

  /** One call of {@link #parallelizeUntil}. */
  private final class Run {
    private final BooleanSupplier stop;
    private final int pieces;
    private final IntConsumer doWorkPiece;
    private final AtomicLong nextPiece = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean interrupted;

    Run(BooleanSupplier stop, int pieces, IntConsumer doWorkPiece) {
      this.stop = stop;
      this.pieces = pieces;
      this.doWorkPiece = doWorkPiece;
    }

    void run() throws InterruptedException {
      int chunks = Math.toIntExact(((long) pieces + chunkSize - 1) / chunkSize);
      Thread[] threads = new Thread[Math.min(workers, chunks)];
      for (int i = 0; i < threads.length; i++) {
        threads[i] = threadFactory.newThread(this::work);
      }
      for (Thread thread : threads) {
        thread.start();
      }
      for (Thread thread : threads) {
        join(thread, threads);
      }
      if (interrupted) {
        throw new InterruptedException("interrupted while pieces of work were being done");
      }
      rethrow(failure.get());
    }

    /** Joins a thread come what may: the caller shall not go on while pieces are worked on. */
    private void join(Thread thread, Thread[] threads) {
      while (true) {
        try {
          clock.join(List.of(thread), Duration.ofNanos(Long.MAX_VALUE));
          return;
        } catch (InterruptedException e) {
          interrupted = true;
          for (Thread other : threads) {
            other.interrupt();
          }
        }
      }
    }

    private void work() {
      long first;
      while ((first = nextPiece.getAndAdd(chunkSize)) < pieces) {
        long end = Math.min(first + chunkSize, pieces);
        for (int piece = (int) first; piece < end; piece++) {
          if (interrupted || !workOn(piece)) {
            return;
          }
        }
      }
    }

    /** Does a piece; returns false instead if it is time to stop. */
    private boolean workOn(int piece) {
      try {
        if (stop.getAsBoolean()) {
          return false;
        }
        doWorkPiece.accept(piece);
      } catch (Throwable e) {
        if (!failure.compareAndSet(null, e)) {
          LOGGER.log(WARNING, "Another piece of work failed. piece=" + piece, e);
        }
      }
      return true;
    }

    private void rethrow(@Nullable Throwable thrown) {
      if (thrown instanceof RuntimeException e) {
        throw e;
      }
      if (thrown instanceof Error e) {
        throw e;
      }
    }
  }
}
