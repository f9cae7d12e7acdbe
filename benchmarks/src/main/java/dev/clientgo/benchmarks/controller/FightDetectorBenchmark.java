package dev.clientgo.benchmarks.controller;

import dev.clientgo.apimachinery.managedfields.FieldSet;
import dev.clientgo.apimachinery.managedfields.PathElement;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.fights.FightDetector;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.util.List;
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
 * The cost of the fight detector for one update that an informer delivers.
 *
 * <p>{@code ./benchmarks/run jmh FightDetectorBenchmark}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FightDetectorBenchmark {

  /**
   * Whether the two states have the same instances of their managed fields, as an informer delivers
   * them; equal ones; or an object that the process has written, which is watched more closely.
   */
  @Param({"same", "equal", "written"})
  public String fields;

  private final FightDetector detector = new FightDetector(Clock.system(), (fight, object) -> {});
  private final Pod[] versions = new Pod[1000];
  private int next;

  /** Creates the states of a pod, of which each has its own version. */
  @Setup
  public void create() {
    List<ManagedFieldsEntry> same = managedFields();
    for (int i = 0; i < versions.length; i++) {
      versions[i] = pod(Integer.toString(i + 1), fields.equals("equal") ? managedFields() : same);
    }
    if (fields.equals("written")) {
      detector.wrote(versions[0]);
    }
  }

  private static List<ManagedFieldsEntry> managedFields() {
    return List.of(
        entry("kube-controller-manager", "spec", "nodeName"), entry("kubelet", "status", "phase"));
  }

  private static ManagedFieldsEntry entry(String manager, String parent, String field) {
    FieldSet fields = FieldSet.of(new PathElement.Field(parent), new PathElement.Field(field));
    return ManagedFieldsEntry.of(
        entry -> entry.manager(manager).operation("Update").fieldsV1(fields.toFieldsV1()));
  }

  private static Pod pod(String version, List<ManagedFieldsEntry> managed) {
    return Pod.of(
        pod ->
            pod.metadata(
                ObjectMeta.builder()
                    .namespace("shop")
                    .name("web")
                    .uid("uid-web")
                    .resourceVersion(version)
                    .managedFields(managed)
                    .build()));
  }

  /** One update, which starts a reconcile. */
  @Benchmark
  public void update() {
    int at = next;
    next = (next + 1) % (versions.length - 1);
    detector.updated(Pod.TYPE, versions[at], versions[at + 1], true);
  }
}
