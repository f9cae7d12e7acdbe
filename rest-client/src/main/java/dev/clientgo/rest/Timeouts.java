package dev.clientgo.rest;

import java.time.Duration;

/**
 * How long the parts of a call may take.
 *
 * @param connect until a TCP connection is there
 * @param handshake for each step of the TLS handshake
 * @param idle between two pieces of an answer that is not a watch
 * @param ping between two HTTP/2 pings; a connection that does not answer one before the next is
 *     due is closed, and that is how a peer that vanished without a word is noticed
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
}
