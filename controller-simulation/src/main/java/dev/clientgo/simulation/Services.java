package dev.clientgo.simulation;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.simulation.internal.run.FaultPlan;
import dev.clientgo.simulation.internal.traffic.Client;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The services outside the cluster: what they hold is a part of the state that runs compare. */
final class Services {

  private static final Duration LATENCY = Duration.ofMillis(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration SLOW = Duration.ofSeconds(30);

  /** A value, and the key in reports: without the part that the service has made. */
  record Entry(String key, String value) {}

  private final World world;
  private final Processes processes;
  private final Map<String, TreeMap<String, Entry>> services = new TreeMap<>();
  private int calls;

  Services(World world, Processes processes) {
    this.world = world;
    this.processes = processes;
  }

  /** Returns how many calls of the controller there were. */
  int calls() {
    return calls;
  }

  /** Returns the entries as objects, so that they are compared as those of the cluster are. */
  Map<GroupVersionResource, List<Unstructured>> objects() {
    Map<GroupVersionResource, List<Unstructured>> objects = new LinkedHashMap<>();
    services.forEach(
        (name, entries) ->
            objects.put(
                new GroupVersionResource("external", "v1", name),
                entries.entrySet().stream()
                    .map(entry -> object(name, entry.getKey(), entry.getValue()))
                    .toList()));
    return objects;
  }

  private static Unstructured object(String service, String id, Entry entry) {
    Map<String, String> metadata = new TreeMap<>(Map.of("name", id, "uid", service + "/" + id));
    if (!entry.key().equals(id)) {
      metadata.put("generateName", entry.key());
    }
    return Unstructured.of(
        Map.of(
            "apiVersion",
            "external/v1",
            "kind",
            service,
            "metadata",
            metadata,
            "value",
            entry.value()));
  }

  /** Carries out a call of a process, which takes simulated time and which a fault can hit. */
  <T> T call(Client client, String service, String what, Function<Map<String, Entry>, T> action)
      throws IOException, InterruptedException {
    ControllerProcess process = processes.find(client);
    if (process == null || client.owner().isDead()) {
      throw new InterruptedException("the process has died");
    }
    int number = process.underTest ? ++calls : 0;
    FaultPlan faults = world.faults();
    String text = what + " in " + service;
    if (faults.strikes(Kind.SLOW_CALL, number)) {
      world.history().add("FAULT", text + " takes " + SLOW);
      world.history().activity();
      world.scheduler().sleep(SLOW);
    }
    world.scheduler().sleep(LATENCY);
    if (faults.strikes(Kind.CALL_FAILS, number)) {
      world.history().add("FAULT", text + " fails");
      world.history().activity();
      throw new ConnectException("refused by the simulation: " + text);
    }
    Map<String, Entry> entries = services.computeIfAbsent(service, name -> new TreeMap<>());
    Map<String, Entry> before = Map.copyOf(entries);
    T result = action.apply(entries);
    if (!before.equals(entries)) {
      world.history().activity();
    }
    world.history().add(client.toString(), text + " -> " + result);
    if (faults.strikes(Kind.CRASH_AFTER_CALL, number)) {
      processes.die(client, "after " + text);
      world.scheduler().sleep(PATIENCE); // It never comes back.
    }
    if (faults.strikes(Kind.CALL_LOST_ANSWER, number)) {
      world.history().add("FAULT", text + ": its answer was lost");
      world.scheduler().sleep(PATIENCE);
      world.history().activity();
      throw new SocketTimeoutException("the simulation has lost the answer: " + text);
    }
    return result;
  }
}
