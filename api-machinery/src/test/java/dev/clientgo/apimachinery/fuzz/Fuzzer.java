package dev.clientgo.apimachinery.fuzz;

import com.sun.management.ThreadMXBean;
import dev.clientgo.clock.Clock;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Feeds a parser with malformed input and checks its contract: it throws only documented
 * exceptions, and takes little processor time and memory for each input.
 *
 * <p>Each input comes from a separate seed, 1 and those that follow, so a failure is repeated by
 * {@code -Dfuzz.seed=} with the seed that it names. Each parser has one second; {@code
 * -Dfuzz.seconds=3600} gives it an hour.
 *
 * @param <T> the type of the inputs
 */
final class Fuzzer<T> {

  private static final Duration MAX_CPU = Duration.ofSeconds(10);
  private static final long MAX_BYTES = 256 << 20;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** On a machine that is busy, time may be up before a parser has seen anything. */
  private static final int MIN_INPUTS = 100;

  private final String name;
  private final Function<Random, T> inputs;
  private final Consumer<? super T> target;
  private final Set<Class<? extends RuntimeException>> documented;
  private final Clock clock = Clock.system();

  private final Duration time = Duration.ofSeconds(Long.getLong("fuzz.seconds", 1));
  private final long firstSeed = Long.getLong("fuzz.seed", 1);
  private volatile long seed = firstSeed;
  private volatile @Nullable T input;
  private volatile @Nullable Throwable failure;
  private int refused;

  private Fuzzer(
      String name,
      Function<Random, T> inputs,
      Consumer<? super T> target,
      Set<Class<? extends RuntimeException>> documented) {
    this.name = name;
    this.inputs = inputs;
    this.target = target;
    this.documented = documented;
  }

  /**
   * Fuzzes a parser.
   *
   * @param inputs makes an input of a source of randomness
   * @param target parses the input, and may check the result
   * @param documented the exceptions that it may throw; not their subclasses
   */
  static <T> void fuzz(
      String name,
      Function<Random, T> inputs,
      Consumer<? super T> target,
      Set<Class<? extends RuntimeException>> documented) {
    new Fuzzer<>(name, inputs, target, documented).run();
  }

  /** Runs the inputs in a thread, and watches it: it may be in a loop that nothing can end. */
  private void run() {
    Thread worker = new Thread(this::work, "fuzz " + name);
    worker.setDaemon(true);
    worker.start();
    long watched = -1;
    Duration since = Duration.ZERO;
    try {
      for (; worker.isAlive(); worker.join(200)) {
        Duration now = processorTime();
        if (seed != watched) {
          watched = seed;
          since = now;
        } else if (now.minus(since).compareTo(MAX_CPU) > 0) {
          AssertionError hang = new AssertionError(describe("still busy with it"));
          hang.setStackTrace(worker.getStackTrace());
          throw hang;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
    if (failure != null) {
      throw new AssertionError(describe(String.valueOf(failure)), failure);
    }
    long tried = seed - firstSeed + 1;
    System.getLogger("fuzz")
        .log(System.Logger.Level.DEBUG, "{0}: {1} inputs, {2} refused", name, tried, refused);
    // A parser that takes nothing, or all, has not been tested. Some take all.
    if (tried < 10 || refused == tried) {
      throw new AssertionError(name + ": " + refused + " of " + tried + " inputs refused");
    }
  }

  private void work() {
    long end = clock.nanoTime() + time.toNanos();
    try {
      for (long nextSeed = firstSeed;
          clock.nanoTime() < end || nextSeed < firstSeed + MIN_INPUTS;
          nextSeed++) {
        seed = nextSeed;
        T next = inputs.apply(new Random(nextSeed));
        input = next;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        tryOne(next);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        if (allocated > MAX_BYTES) {
          throw new AssertionError("took " + allocated + " bytes");
        }
      }
    } catch (Throwable e) { // A StackOverflowError, for example, is what is looked for.
      failure = e;
    }
  }

  /** Returns the time that this process has spent, so that a busy machine is no hang. */
  private Duration processorTime() {
    return ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .orElseGet(() -> Duration.ofNanos(clock.nanoTime()));
  }

  private void tryOne(T next) {
    try {
      target.accept(next);
    } catch (RuntimeException e) {
      if (!documented.contains(e.getClass())) {
        throw e;
      }
      if (e.getMessage() == null || e.getMessage().isBlank()) {
        throw new AssertionError("an exception without a message", e);
      }
      refused++;
    }
  }

  private String describe(String problem) {
    Object shown = input;
    String text = shown instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(shown);
    String cut = text.length() > 2000 ? text.substring(0, 2000) + " ..." : text;
    return "%s: %s; again with -Dfuzz.seed=%d; input: %s".formatted(name, problem, seed, cut);
  }
}
