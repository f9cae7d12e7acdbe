package dev.clientgo.benchmarks.apimachinery;

import dev.clientgo.apimachinery.resource.Quantity;
import java.math.BigDecimal;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Parses, adds up and writes quantities as pods have them. The yardstick does the same with plain
 * decimals of as many digits.
 *
 * <p>{@code ./benchmarks/run jmh Quantity -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class QuantityBenchmark {

  private static final String[] TEXTS = {
    "250m", "512Mi", "1Gi", "2", "100m", "1.5Gi", "4e3", "64Ki", "0.5", "10G", "1500m", "128974848"
  };

  private final String[] decimals = new String[TEXTS.length];
  private final Quantity[] parsed = new Quantity[TEXTS.length];
  private final Quantity[] sums = new Quantity[TEXTS.length];
  private int next;

  /** Makes what is written. */
  @Setup
  public void prepare() {
    for (int i = 0; i < TEXTS.length; i++) {
      parsed[i] = Quantity.parse(TEXTS[i]);
      sums[i] = parsed[i].plus(parsed[i]); // what is computed has no text that could be given back
      decimals[i] = parsed[i].toBigDecimal().toPlainString();
    }
  }

  private int next() {
    next = next + 1 == TEXTS.length ? 0 : next + 1;
    return next;
  }

  /** The yardstick of parsing. */
  @Benchmark
  public BigDecimal parseDecimal() {
    return new BigDecimal(decimals[next()]);
  }

  /** Parses. */
  @Benchmark
  public Quantity parse() {
    return Quantity.parse(TEXTS[next()]);
  }

  /** The yardstick of writing. */
  @Benchmark
  public String formatDecimal() {
    return sums[next()].toBigDecimal().toPlainString();
  }

  /** Writes in the canonical form. */
  @Benchmark
  public String format() {
    return sums[next()].toString();
  }

  /** Adds. */
  @Benchmark
  public Quantity plus() {
    int i = next();
    return parsed[i].plus(sums[i]);
  }
}
