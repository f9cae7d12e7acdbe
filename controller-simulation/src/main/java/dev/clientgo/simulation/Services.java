package dev.clientgo.simulation;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.simulation.internal.run.FaultPlan;
import dev.clientgo.simulation.internal.run.History;
import dev.clientgo.simulation.internal.traffic.Client;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import dev.clientgo.simulation.workload.ExternalService;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
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
  private final History history;
  private final Processes processes;
  private final Map<String, TreeMap<String, Entry>> services = new TreeMap<>();
  private int calls;

  Services(World world, Processes processes) {
    this.world = world;
    this.history = world.history();
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

  /** Returns a service, as one process calls it. */
  ExternalService of(Client client, String name) {
    return new Service(client, name);
  }

  private final class Service implements ExternalService {

    private final Client client;
    private final String name;

    Service(Client client, String name) {
      this.client = client;
      this.name = requireNonNull(name, "name");
    }

    @Override
    public String create(String prefix, String value) throws IOException, InterruptedException {
      Entry entry = new Entry(requireNonNull(prefix, "prefix"), requireNonNull(value, "value"));
      return call("create " + prefix + "*", all -> add(all, entry, 1));
    }

    private static String add(Map<String, Entry> all, Entry entry, int number) {
      String key = entry.key() + number;
      return all.putIfAbsent(key, entry) == null ? key : add(all, entry, number + 1);
    }

    @Override
    public void put(String key, String value) throws IOException, InterruptedException {
      Entry entry = new Entry(requireNonNull(key, "key"), requireNonNull(value, "value"));
      call("put " + key, all -> all.put(key, entry) == null ? "created" : "changed");
    }

    @Override
    public Optional<String> get(String key) throws IOException, InterruptedException {
      return call("get " + key, all -> Optional.ofNullable(all.get(key)).map(Entry::value));
    }

    @Override
    public SortedMap<String, String> list() throws IOException, InterruptedException {
      SortedMap<String, String> values = new TreeMap<>();
      call("list", all -> copy(all, values));
      return values;
    }

    private static Set<String> copy(Map<String, Entry> all, Map<String, String> values) {
      all.forEach((key, entry) -> values.put(key, entry.value()));
      return values.keySet();
    }

    @Override
    public boolean delete(String key) throws IOException, InterruptedException {
      return call("delete " + key, all -> all.remove(key) != null);
    }

    /** Carries out a call, which takes simulated time and which a fault can hit. */
    private <T> T call(String what, Function<Map<String, Entry>, T> action)
        throws IOException, InterruptedException {
      ControllerProcess process = processes.find(client);
      if (process == null || client.owner().isDead()) {
        throw new InterruptedException("the process has died");
      }
      processes.works(process);
      int number = process.underTest ? ++calls : 0;
      FaultPlan faults = world.faults();
      String text = what + " in " + name;
      boolean slow = faults.strikes(Kind.SLOW_CALL, number);
      if (slow) {
        fault(text + " takes " + SLOW);
      }
      world.scheduler().sleep(slow ? SLOW : LATENCY);
      if (faults.strikes(Kind.CALL_FAILS, number)) {
        fault(text + " fails");
        throw new ConnectException("refused by the simulation: " + text);
      }
      Map<String, Entry> entries = services.computeIfAbsent(name, key -> new TreeMap<>());
      Map<String, Entry> before = Map.copyOf(entries);
      T result = action.apply(entries);
      if (!before.equals(entries)) {
        history.activity();
      }
      history.add(client.toString(), text + " -> " + result);
      if (faults.strikes(Kind.CRASH_AFTER_CALL, number)) {
        processes.die(client, "after " + text);
        world.scheduler().sleep(PATIENCE); // It never comes back.
      }
      if (faults.strikes(Kind.CALL_LOST_ANSWER, number)) {
        fault(text + ": its answer was lost");
        world.scheduler().sleep(PATIENCE);
        throw new SocketTimeoutException("the simulation has lost the answer: " + text);
      }
      return result;
    }

    private void fault(String text) {
      history.add("FAULT", text);
      history.activity();
    }
  }
}
