package dev.clientgo.simulation.workload;

import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;

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
 * <p>Call it from threads of the process only. Each call throws an {@link IOException} if it fails,
 * or if its answer is lost: then it has taken place. It throws an {@link InterruptedException} if
 * the thread is interrupted or the process dies. Safe for use by many threads.
 */
public interface ExternalService {

  /**
   * Creates an entry under a key that the service makes, a new one with each call.
   *
   * @param prefix what the key begins with; reports name the entry by that
   * @return the key
   */
  String create(String prefix, String value) throws IOException, InterruptedException;

  /** Sets the value of a key, whether it exists or not. */
  void put(String key, String value) throws IOException, InterruptedException;

  /** Returns the value of a key, empty if there is none. */
  Optional<String> get(String key) throws IOException, InterruptedException;

  /** Returns all values by their keys, in a map that no later call changes. */
  SortedMap<String, String> list() throws IOException, InterruptedException;

  /**
   * Deletes a key.
   *
   * @return whether it was there
   */
  boolean delete(String key) throws IOException, InterruptedException;
}
