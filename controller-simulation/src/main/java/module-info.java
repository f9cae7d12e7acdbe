/**
 * Deterministic simulation tests of controllers: crashes, lost answers and stale caches, chosen by
 * a seed that replays them.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.simulation {
  requires static com.google.errorprone.annotations;
  requires static transitive org.junit.jupiter.api;
  requires transitive dev.clientgo.controller;
  requires transitive dev.clientgo.envtest;

  exports dev.clientgo.simulation;
  exports dev.clientgo.simulation.junit;
  exports dev.clientgo.simulation.plan;
  exports dev.clientgo.simulation.workload;
}
