package dev.clientgo.rest.internal.net;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;

/**
 * The timeouts of the parts of a call.
 *
 * @param connect for the TCP connection
 * @param handshake for each step of the TLS handshake
 * @param idle between two pieces of a response that is not a watch
 * @param ping between two HTTP/2 pings; a connection without a reply before the next ping is
 *     closed, so a dead peer is noticed after twice this time at most; zero for no pings
 */
public record Timeouts(Duration connect, Duration handshake, Duration idle, Duration ping) {

  private static final Duration READ_IDLE = Duration.ofSeconds(30);
  private static final Duration PING_TIMEOUT = Duration.ofSeconds(15);

  /**
   * Connect, handshake and ping as in client-go. Unlike client-go: a response that stops arriving
   * fails; an API server itself ends a request that is not a watch after one minute.
   */
  public static final Timeouts STANDARD =
      new Timeouts(
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofSeconds(90),
          ping(READ_IDLE, PING_TIMEOUT));

  private static final Logger LOG = System.getLogger(Timeouts.class.getName());

  /**
   * Returns the standard timeouts with the ping of the environment variables {@code
   * HTTP2_READ_IDLE_TIMEOUT_SECONDS} and {@code HTTP2_PING_TIMEOUT_SECONDS}. As in client-go, zero
   * for the first means no pings, zero for the second the standard.
   */
  public static Timeouts of(Map<String, String> environment) {
    Duration idle = seconds(environment, "HTTP2_READ_IDLE_TIMEOUT_SECONDS", READ_IDLE);
    Duration answer = seconds(environment, "HTTP2_PING_TIMEOUT_SECONDS", PING_TIMEOUT);
    return new Timeouts(
        STANDARD.connect,
        STANDARD.handshake,
        STANDARD.idle,
        ping(idle, answer.isZero() ? PING_TIMEOUT : answer));
  }

  /**
   * Unlike client-go, which pings after a silence and then waits for the reply, OkHttp pings
   * regularly and expects the reply before the next ping. With this period a dead peer is noticed
   * no later than in client-go, and a slow one does not fail earlier. If the reply may take longer
   * than the silence, only the second holds.
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
          "A variable is not a number of seconds: name={0} used={1} value={2}",
          name,
          standard.toSeconds(),
          seconds);
    }
    return standard;
  }
}
