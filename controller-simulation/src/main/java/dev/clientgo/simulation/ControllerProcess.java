package dev.clientgo.simulation;

import dev.clientgo.simulation.internal.traffic.Client;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A process that runs a controller, with what the simulation knows of it. */
final class ControllerProcess {

  /** Which of the processes it is; each has a successor after a crash. */
  final int slot;

  final Client client;
  final ControllerSetup setup;

  /** False for the environment, which no fault hits. */
  final boolean underTest;

  /** The version that its first lists show; null for the latest. */
  @Nullable String staleVersion;

  /** The resources that it has listed already, so that the next list shows the latest. */
  final Set<String> listed = new HashSet<>();

  /** The events since the last reconcile of each object. */
  final Map<String, Set<String>> causes = new LinkedHashMap<>();

  /** Until when the process cannot reach the server. */
  private long partitionedUntil;

  /** Until when its events are late. */
  private long eventsDelayedUntil;

  ControllerProcess(
      int slot,
      Client client,
      ControllerSetup setup,
      boolean underTest,
      @Nullable String staleVersion) {
    this.slot = slot;
    this.client = client;
    this.setup = setup;
    this.underTest = underTest;
    this.staleVersion = staleVersion;
  }

  /** What it does when it is asked to stop. */
  final List<AutoCloseable> onStop = new CopyOnWriteArrayList<>();

  /** Whether it was asked to stop. */
  volatile boolean stopping;

  /** Whether only lists that allow any version show that version. */
  boolean anyVersionOnly;

  /** Lets its next lists that allow any version show an older one. */
  void goBack(String version) {
    anyVersionOnly = true;
    staleVersion = version;
    listed.clear();
    client.expireAll();
  }

  void noteCause(String object, String cause) {
    causes.computeIfAbsent(object, key -> new LinkedHashSet<>()).add(cause);
  }

  /** Cuts the process off the server until a time in nanoseconds. */
  void partition(long until) {
    partitionedUntil = until;
  }

  long partitionedUntil() {
    return partitionedUntil;
  }

  /** Lets no event arrive before a time in nanoseconds. */
  void delayEvents(long until) {
    eventsDelayedUntil = Math.max(eventsDelayedUntil, until);
  }

  /** Returns the time in nanoseconds before which no event arrives. */
  long eventsDelayedUntil() {
    return Math.max(partitionedUntil, eventsDelayedUntil);
  }
}
