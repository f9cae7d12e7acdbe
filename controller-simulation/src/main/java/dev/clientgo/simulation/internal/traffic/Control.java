package dev.clientgo.simulation.internal.traffic;

import java.time.Duration;

/** Decides about traffic and observes it. */
public interface Control {

  /** Returns how long a request or its answer takes. */
  Duration latency(Client process);

  /**
   * Returns how long to hold a request back; zero to let it pass. It is asked again after that
   * time.
   */
  Duration held(Call call);

  /** Decides about a request that has reached the server. */
  Fate arrived(Call call);

  /** Receives a request that the server has carried out, at the moment at which it did. */
  void carriedOut(Call call, int code, byte[] body);

  /** Receives a request that has failed on the way. */
  void failed(Call call, String problem);

  /** Kills the process of the current thread, which never returns from its next wait. */
  void die(Client process, String when);

  /** Receives an event that has left the server, and decides about it. */
  Fate left(Delivery delivery);

  /** Receives an event that a process can read now. */
  void delivered(Delivery delivery);

  /** Returns the URL to send instead of this one, to show a process an older state. */
  java.net.URI rewrite(Call call, java.net.URI url);
}
