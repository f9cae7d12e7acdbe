package dev.clientgo.simulation.internal.traffic;

import java.time.Duration;

/**
 * The decision about a request or an event.
 *
 * @param kind what happens
 * @param delay how long it takes
 * @param code the HTTP status of {@link Kind#ANSWER}
 */
public record Fate(Kind kind, Duration delay, int code) {

  /** How long an answer is held back at most. */
  public static final Duration LONGEST_HOLD = Duration.ofMinutes(10);

  /** The things that can happen. */
  public enum Kind {
    /** It arrives. */
    PASS,
    /** The connection is refused. */
    REFUSE,
    /** The server answers with an error and does nothing. */
    ANSWER,
    /** The request takes place, but its answer is lost. */
    LOSE_ANSWER,
    /** The request takes place, and its answer waits for {@link Client#releaseAnswer}. */
    HOLD_ANSWER,
    /** The process dies before it sends the request. */
    DIE_BEFORE,
    /** The request takes place, and the process dies before it gets the answer. */
    DIE_AFTER,
    /** The watch breaks before the event. */
    CUT,
    /** The watch ends before the event because its version has expired. */
    EXPIRE
  }

  public static Fate pass(Duration delay) {
    return new Fate(Kind.PASS, delay, 0);
  }
}
