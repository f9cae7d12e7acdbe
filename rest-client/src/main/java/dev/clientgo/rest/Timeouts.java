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
 *     due is closed, and that is how a peer that vanished without a word is noticed, after twice
 *     this time at most; zero for none
 */
record Timeouts(Duration connect, Duration handshake, Duration idle, Duration ping) {

  private static final Duration READ_IDLE = Duration.ofSeconds(30);
  private static final Duration PING_TIMEOUT = Duration.ofSeconds(15);

  /**
   * Connect, handshake and ping as client-go has them. Unlike client-go, an answer that stops to
   * flow is given up: an API server itself ends a request that is no watch after one minute.
   */
  static final Timeouts STANDARD =
      new Timeouts(
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofSeconds(90),
          ping(READ_IDLE, PING_TIMEOUT));

  private static final Logger LOG = System.getLogger(Timeouts.class.getName());

  /**
   * Returns the standard ones with the ping that the environment asks for by {@code
   * HTTP2_READ_IDLE_TIMEOUT_SECONDS} and {@code HTTP2_PING_TIMEOUT_SECONDS}. Zero of the first is
   * no ping, zero of the second the standard, as upstream.
   */
  static Timeouts of(Map<String, String> environment) {
    Duration idle = seconds(environment, "HTTP2_READ_IDLE_TIMEOUT_SECONDS", READ_IDLE);
    Duration answer = seconds(environment, "HTTP2_PING_TIMEOUT_SECONDS", PING_TIMEOUT);
    return new Timeouts(
        STANDARD.connect,
        STANDARD.handshake,
        STANDARD.idle,
        ping(idle, answer.isZero() ? PING_TIMEOUT : answer));
  }

  /**
   * Unlike client-go, which pings after some silence and then waits for the answer, OkHttp pings at
   * all times and has until the next ping for the answer. So a peer that has vanished is noticed in
   * the same time at most, and none is given up earlier: both cannot be had if the answer may take
   * longer than the silence, and then the second counts.
   */
  private static Duration ping(Duration idle, Duration answer) {
    if (idle.isZero()) {
      return idle;
    }
    Duration half = idle.plus(answer).dividedBy(2);
    return half.compareTo(answer) > 0 ? half : answer;
  }

  private static Duration seconds(Map<String, String> environment, String name, Duration standard) {
    String seconds = environment.getOrDefault(name, "");
    if (seconds.matches("[0-9]{1,6}")) {
      return Duration.ofSeconds(Integer.parseInt(seconds));
    }
    if (!seconds.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "{0} is no number of seconds, using {1}: {2}",
          name,
          standard.toSeconds(),
          seconds);
    }
    return standard;
  }
}
