package dev.clientgo.events.internal.writing;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.events.internal.writing.EventLog.Topic;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Sends one event, again and again if the server cannot be reached.
 *
 * <p>An answer of the server is final: it would answer the same next time. An error that is not an
 * answer is tried again: no connection, a connection that broke, an answer that cannot be decoded.
 *
 * <p>Unlike client-go: an error of 500 or more that carries no {@code Status} comes from a proxy
 * whose server is away, so it is tried again, too.
 */
public final class EventWriter {

  /** How often an event is sent at most, as in client-go. */
  public static final int MAX_TRIES = 12;

  /** The cause of the error for an object in a namespace that is being deleted. */
  private static final String NAMESPACE_TERMINATING = "NamespaceTerminating";

  /** What became of an event. */
  public enum Outcome {
    /** The server has it. */
    WRITTEN,
    /** The server does not want it. */
    REFUSED,
    /** The server could not be reached. */
    UNREACHABLE
  }

  /** One attempt. */
  @FunctionalInterface
  public interface Attempt {
    /** Sends the event. */
    void send() throws InterruptedException;
  }

  private final WriteQueue queue;
  private final IntFunction<Duration> pauses;
  private final Counters counters;
  private final EventLog log;

  /**
   * Creates a writer.
   *
   * @param queue the queue of the threads that send
   * @param pauses the wait after the given number of attempts
   */
  public EventWriter(
      WriteQueue queue, IntFunction<Duration> pauses, Counters counters, EventLog log) {
    this.queue = queue;
    this.pauses = pauses;
    this.counters = counters;
    this.log = log;
  }

  /**
   * Sends an event until it is written, refused, or was tried twelve times. If the queue is
   * closing, one more attempt is made.
   *
   * @param event names the event in the log
   * @param attempt sends it
   * @param isSeries whether a create follows a patch, so that an existing object means that
   *     somebody else has created it in between, and the patch will succeed now
   */
  public Outcome write(String event, Attempt attempt, boolean isSeries)
      throws InterruptedException {
    for (int tries = 1; ; tries++) {
      boolean isLast = tries == MAX_TRIES || queue.isClosing();
      Optional<RuntimeException> failure = send(attempt);
      if (failure.isEmpty()) {
        counters.sent.increment();
        return Outcome.WRITTEN;
      }
      RuntimeException error = failure.get();
      if (isWrittenAlready(error, isSeries, tries)) {
        return Outcome.WRITTEN;
      } else if (!isWorthAnotherTry(error, isSeries)) {
        return refused(event, error);
      } else if (isLast) {
        counters.failed.increment();
        int count = tries;
        log.warn(
            Topic.FAILED,
            () -> "gave up writing " + event + " after " + count + " attempts: " + error,
            null);
        return Outcome.UNREACHABLE;
      }
      log.warn(
          Topic.RETRIED, () -> "cannot write " + event + ", will try again later: " + error, null);
      queue.pause(pauses.apply(tries));
    }
  }

  private static Optional<RuntimeException> send(Attempt attempt) throws InterruptedException {
    try {
      attempt.send();
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(e);
    }
  }

  /** Returns whether an earlier attempt has reached the server and only its answer was lost. */
  private static boolean isWrittenAlready(RuntimeException error, boolean isSeries, int tries) {
    return tries > 1 && !isSeries && error instanceof ApiStatusException e && e.isAlreadyExists();
  }

  private static boolean isWorthAnotherTry(RuntimeException error, boolean isSeries) {
    if (error instanceof ApiStatusException e) {
      return (isSeries && e.isAlreadyExists()) || (e.isUnexpectedServerError() && e.code() >= 500);
    }
    if (error instanceof TransportException e) {
      return e.kind() != TransportException.Kind.CLIENT_CLOSED;
    }
    return error instanceof CodecException;
  }

  private Outcome refused(String event, RuntimeException error) {
    counters.failed.increment();
    boolean isExpected =
        error instanceof ApiStatusException e
            && (e.isAlreadyExists() || e.hasStatusCause(NAMESPACE_TERMINATING));
    if (isExpected) {
      log.debug(() -> "the server refused " + event + ": " + error);
    } else if (error instanceof KubernetesException) {
      log.warn(Topic.FAILED, () -> "the server refused " + event + ": " + error, null);
    } else {
      log.warn(Topic.FAILED, () -> "cannot send " + event, error);
    }
    return Outcome.REFUSED;
  }
}
