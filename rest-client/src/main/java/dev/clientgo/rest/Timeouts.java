package dev.clientgo.rest;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;

/**
 * How long the parts of a call may take.
 *
 * @param connect until a TCP connection is there
 * @param handshake for each step of the TLS handshake
 * @param idle between two pieces of an answer that is not a watch
 * @param ping between two HTTP/2 pings; a connection that does not answer one before the next is
 *     due is closed, and that is how a peer that vanished without a word is noticed; zero for none
 */
record Timeouts(Duration connect, Duration handshake, Duration idle, Duration ping) {

  /**
   * Connect, handshake and ping as client-go has them. Unlike client-go, an answer that stops to
   * flow is given up: an API server itself ends a request that is no watch after one minute.
   */
  static final Timeouts STANDARD =
      new Timeouts(
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofSeconds(90),
          Duration.ofSeconds(30));

  private static final Logger LOG = System.getLogger(Timeouts.class.getName());

  private static final String READ_IDLE = "HTTP2_READ_IDLE_TIMEOUT_SECONDS";

  /**
   * Returns the standard ones with the ping that the environment asks for by {@code
   * HTTP2_READ_IDLE_TIMEOUT_SECONDS}, where 0 is none.
   *
   * <p>Unlike client-go: a connection is pinged at all times, not only when it has been silent, and
   * the answer may take until the next ping, so {@code HTTP2_PING_TIMEOUT_SECONDS} is not looked
   * at.
   */
  static Timeouts of(Map<String, String> environment) {
    String seconds = environment.getOrDefault(READ_IDLE, "");
    if (seconds.isEmpty()) {
      return STANDARD;
    }
    if (!seconds.matches("[0-9]{1,6}")) {
      LOG.log(
          Level.WARNING,
          "{0} is no number of seconds, using {1}: {2}",
          READ_IDLE,
          STANDARD.ping.toSeconds(),
          seconds);
      return STANDARD;
    }
    Duration ping = Duration.ofSeconds(Integer.parseInt(seconds));
    return new Timeouts(STANDARD.connect, STANDARD.handshake, STANDARD.idle, ping);
  }
}
