package dev.clientgo.simulation.internal.traffic;

import java.time.Duration;

/** Decides about traffic and hears of it. */
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

  /** Hears of a request that the server has carried out, at the moment at which it did. */
  void carriedOut(Call call, int code, byte[] body);

  /** Hears of a request that has failed on the way. */
  void failed(Call call, String problem);

  /** Kills the process of the current thread, which never returns from its next wait. */
  void die(Client process, String when);

  /** Hears of an event that has left the server, and decides about it. */
  Fate left(Delivery delivery);

  /** Hears of an event that a process can read now. */
  void delivered(Delivery delivery);

  /** Returns the URL to send in place of one, to show a process an older state. */
  java.net.URI rewrite(Call call, java.net.URI url);
}
