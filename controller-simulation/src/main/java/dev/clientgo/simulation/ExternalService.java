package dev.clientgo.simulation;

import static java.util.Objects.requireNonNull;

import dev.clientgo.simulation.Services.Entry;
import dev.clientgo.simulation.internal.traffic.Client;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A service outside the cluster, as a cloud or a DNS server, which a controller of a simulation
 * calls instead of the real one. It holds values by keys, in memory.
 *
 * <p>What it holds is a part of the state that the simulation compares. So an entry that remains
 * when the user has deleted everything is a failure, and so is one that is created twice. Reports
 * name it {@code dns.external www} for the key {@code www} of the service {@code dns}.
 *
 * <p>Each call takes 1 ms of simulated time. Plans let it {@linkplain
 * dev.clientgo.simulation.plan.Plan.Fault.Kind#CALL_FAILS fail}, {@linkplain
 * dev.clientgo.simulation.plan.Plan.Fault.Kind#SLOW_CALL take 30 s}, or {@linkplain
 * dev.clientgo.simulation.plan.Plan.Fault.Kind#CALL_LOST_ANSWER take place without an answer}, or
 * let the process {@linkplain dev.clientgo.simulation.plan.Plan.Fault.Kind#CRASH_AFTER_CALL die}
 * after it. No fault hits the calls of the environment.
 *
 * <p>Call it from threads of the process only. Each call throws an {@link InterruptedException} if
 * the thread is interrupted or the process dies. Safe for use by many threads.
 */
public final class ExternalService {

  private final Services services;
  private final Client client;
  private final String name;

  ExternalService(Services services, Client client, String name) {
    this.services = services;
    this.client = client;
    this.name = requireNonNull(name, "name");
  }

  /**
   * Creates an entry under a key that the service makes, a new one with each call.
   *
   * @param prefix what the key begins with; reports name the entry by that
   * @return the key
   * @throws IOException if the call fails, or if its answer is lost: then the entry may exist
   */
  public String create(String prefix, String value) throws IOException, InterruptedException {
    Entry entry = new Entry(requireNonNull(prefix, "prefix"), requireNonNull(value, "value"));
    return call(
        "create " + prefix + "*",
        entries -> {
          int number = 1;
          while (entries.containsKey(prefix + number)) {
            number++;
          }
          entries.put(prefix + number, entry);
          return prefix + number;
        });
  }

  /**
   * Sets the value of a key, whether it exists or not.
   *
   * @throws IOException if the call fails, or if its answer is lost: then it may have taken place
   */
  public void put(String key, String value) throws IOException, InterruptedException {
    Entry entry = new Entry(requireNonNull(key, "key"), requireNonNull(value, "value"));
    call("put " + key, entries -> entries.put(key, entry) == null ? "created" : "changed");
  }

  /**
   * Returns the value of a key, empty if there is none.
   *
   * @throws IOException if the call fails
   */
  public Optional<String> get(String key) throws IOException, InterruptedException {
    return call("get " + key, entries -> Optional.ofNullable(entries.get(key)).map(Entry::value));
  }

  /**
   * Returns all values by their keys, in a map that no later call changes.
   *
   * @throws IOException if the call fails
   */
  public SortedMap<String, String> list() throws IOException, InterruptedException {
    return call(
        "list",
        entries -> {
          SortedMap<String, String> values = new TreeMap<>();
          entries.forEach((key, entry) -> values.put(key, entry.value()));
          return values;
        });
  }

  /**
   * Deletes a key.
   *
   * @return whether it was there
   * @throws IOException if the call fails, or if its answer is lost: then it may have taken place
   */
  public boolean delete(String key) throws IOException, InterruptedException {
    return call("delete " + key, entries -> entries.remove(key) != null);
  }

  private <T> T call(String what, Function<Map<String, Entry>, T> action)
      throws IOException, InterruptedException {
    return services.call(client, name, what, action);
  }
}
