package dev.clientgo.benchmarks.apimachinery;

import dev.clientgo.apimachinery.labels.Selector;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Matches sets of five labels, of which some match, and parses the selector. The yardstick compares
 * two labels by hand.
 *
 * <p>{@code ./benchmarks/run jmh LabelSelector -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class LabelSelectorBenchmark {

  private static final int SETS = 256;

  /** The selector. */
  @Param({"app=app-1,tier=tier-1", "app in (app-1,app-2,app-3),tier!=tier-1,!canary,size>3"})
  public String selector = "";

  private final Map<?, ?>[] labels = new Map<?, ?>[SETS];
  private Selector parsed = Selector.everything();
  private int next;

  /** Makes the labels. */
  @Setup
  public void prepare() {
    parsed = Selector.parse(selector);
    for (int i = 0; i < SETS; i++) {
      labels[i] =
          Map.of(
              "app",
              "app-" + i % 4,
              "tier",
              "tier-" + i % 3,
              "size",
              Integer.toString(i % 7),
              "app.kubernetes.io/part-of",
              "shop",
              "pod-template-hash",
              "7d9c5b8f6d");
    }
  }

  @SuppressWarnings("unchecked") // an array cannot have a type argument
  private Map<String, String> nextLabels() {
    next = (next + 1) & (SETS - 1);
    return (Map<String, String>) labels[next];
  }

  /** The yardstick. */
  @Benchmark
  public boolean twoLabelsByHand() {
    Map<String, String> set = nextLabels();
    return "app-1".equals(set.get("app")) && "tier-1".equals(set.get("tier"));
  }

  /** The selector, matched. */
  @Benchmark
  public boolean matches() {
    return parsed.matches(nextLabels());
  }

  /** The selector, parsed. */
  @Benchmark
  public Selector parse() {
    return Selector.parse(selector);
  }
}
