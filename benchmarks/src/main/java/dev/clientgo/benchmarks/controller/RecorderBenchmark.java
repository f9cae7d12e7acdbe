package dev.clientgo.benchmarks.controller;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.debug.Cause.EventType;
import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.debug.ReconcileHistory;
import dev.clientgo.controller.internal.debug.RecordedReconcile;
import dev.clientgo.controller.internal.debug.RecorderLimits;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
 * The cost of a debug recorder for one event and the reconcile that follows it, with the default
 * limits and more objects than these keep.
 *
 * <p>{@code ./benchmarks/run jmh RecorderBenchmark -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RecorderBenchmark {

  private static final int OBJECTS = 5000;

  private static final Duration TIME = Duration.ofNanos(1000);

  /** Whether there is a recorder. */
  @Param({"true", "false"})
  public boolean on;

  private final ObjectName[] names = new ObjectName[OBJECTS];
  private final Pod before = pod("1");
  private final Pod after = pod("2");
  private ControllerRecording<ObjectName> recording;
  private int next;

  private static Pod pod(String version) {
    ObjectMeta metadata =
        ObjectMeta.builder().namespace("shop").name("web").resourceVersion(version).build();
    return Pod.of(edit -> edit.metadata(metadata));
  }

  /** Creates the recorder. */
  @Setup
  public void start() {
    for (int i = 0; i < OBJECTS; i++) {
      names[i] = new ObjectName("team-" + i % 10, "pod-" + i);
    }
    ReconcileHistory history =
        new ReconcileHistory(new RecorderLimits(1000, 10, 16, 1000), Clock.system());
    recording = new ControllerRecording<>(on ? history : null, "pod", Function.identity());
  }

  /** An update, and its reconcile. */
  @Benchmark
  public void eventAndReconcile() {
    ObjectName name = names[(next++ & 0xffff) % OBJECTS];
    recording.event(Set.of(name), EventType.UPDATED, Pod.TYPE, name, before, after);
    RecordedReconcile reconcile = recording.begin(name, next, 0);
    recording.end(reconcile, TIME, Outcome.DONE, null, null);
  }
}
