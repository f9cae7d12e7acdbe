package dev.clientgo.simulation.internal.traffic;

import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.rest.config.ServerConnection;
import dev.clientgo.simulation.internal.threads.Scheduler;
import dev.clientgo.simulation.internal.threads.ThreadOwner;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The connection of one process to the server. */
public final class Client implements ServerConnection {

  final Scheduler scheduler;
  final ThreadOwner owner;
  final ThreadOwner serverOwner;
  final ServerConnection server;
  final Control control;
  final Set<WatchFeed> feeds = new LinkedHashSet<>();

  /** The request whose answer is held back; null if there is none. */
  volatile @Nullable SimulatedExchange held;

  /**
   * Creates a connection.
   *
   * @param owner the process
   * @param serverOwner the process of the server
   */
  public Client(
      Scheduler scheduler,
      ThreadOwner owner,
      ThreadOwner serverOwner,
      ServerConnection server,
      Control control) {
    this.scheduler = scheduler;
    this.owner = owner;
    this.serverOwner = serverOwner;
    this.server = server;
    this.control = control;
  }

  @Override
  public Exchange begin(String method, URI url, Map<String, List<String>> headers, byte[] body) {
    scheduler.checkCaller("sends a request");
    String query = url.getRawQuery();
    String target = query == null ? url.getRawPath() : url.getRawPath() + '?' + query;
    Call call = new Call(this, ApiRequest.of(method, target, headers, body));
    return new SimulatedExchange(this, call, method, url, headers, body);
  }

  /** Ends the watches of a process that has died. Called by the driver. */
  public void closeAll() {
    List.copyOf(feeds).forEach(WatchFeed::close);
  }

  /** Lets the versions of all watches expire. Called by the driver. */
  public void expireAll() {
    List.copyOf(feeds).forEach(WatchFeed::expire);
  }

  /** Lets the answer arrive that is held back; does nothing if there is none. */
  public void releaseAnswer() {
    SimulatedExchange waiting = held;
    if (waiting != null) {
      waiting.wake();
    }
  }

  /** Returns the process. */
  public ThreadOwner owner() {
    return owner;
  }

  @Override
  public String toString() {
    return owner.toString();
  }
}
