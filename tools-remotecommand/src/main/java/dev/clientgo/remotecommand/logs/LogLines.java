package dev.clientgo.remotecommand.logs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a log, which are read from the server as the caller asks for them. One thread reads;
 * any thread may close.
 */
public final class LogLines implements AutoCloseable {

  /** The longest line in bytes; a longer one arrives in pieces of this size. */
  public static final int MAX_LINE = 1 << 20;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final PodLogs log;
  private final Duration longestOutage;
  private final Clock clock;
  private final LinePosition position;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private volatile InputStream in;
  private volatile boolean closed;
  private boolean ended;

  /**
   * Whether the log has ended, and a second request has not shown more yet. A connection whose node
   * dies ends as one whose container has ended.
   */
  private boolean confirms;

  LogLines(PodLogs log, Duration longestOutage, Clock clock) throws InterruptedException {
    this(log, longestOutage, clock, new LinePosition());
  }

  /** Opens a log that was read up to a position, and continues there. */
  LogLines(PodLogs log, Duration longestOutage, Clock clock, LinePosition position)
      throws InterruptedException {
    this.log = log;
    this.longestOutage = longestOutage;
    this.clock = clock;
    this.position = position;
    this.in = open(rest());
  }

  private PodLogs rest() {
    return position.restart().map(log::from).orElse(log);
  }

  private static InputStream open(PodLogs log) throws InterruptedException {
    return new BufferedInputStream(log.withTimestamps().open(), 16 * 1024);
  }

  /**
   * Waits for the next line.
   *
   * @return empty at the end: the log is read, or if it is followed, its container has ended
   * @throws TransportException if the connection broke, or these lines or the client were closed
   * @throws ApiStatusException if the lines must resume, but the server no longer has the log
   * @throws InterruptedException if the thread is interrupted; the connection is then closed
   */
  public Optional<LogLine> next() throws InterruptedException {
    while (!ended) {
      try {
        LogLine read = read();
        if (read == null && (confirms || longestOutage.isZero())) {
          ended = true;
          close();
        } else if (read == null) {
          confirms = true;
          resume(new EOFException("the log has ended"));
        } else if (position.isNew(read.time().orElse(null), read.text())) {
          confirms &= !log.isFollowed(); // A log that grows would never end.
          return Optional.of(read);
        }
      } catch (InterruptedIOException e) {
        if (Thread.interrupted()) {
          InterruptedException interrupted = new InterruptedException("interrupted while reading");
          interrupted.initCause(e);
          close();
          throw interrupted;
        }
        resume(e);
      } catch (IOException e) {
        resume(e);
      }
    }
    return Optional.empty();
  }

  /**
   * Passes all lines to a receiver, until the end.
   *
   * @throws TransportException as {@link #next}
   * @throws ApiStatusException as {@link #next}
   * @throws InterruptedException if the thread is interrupted
   */
  public void forEach(Consumer<? super LogLine> receiver) throws InterruptedException {
    for (Optional<LogLine> next = next(); next.isPresent(); next = next()) {
      receiver.accept(next.get());
    }
  }

  /** Reads the next line; null at the end. A line that a cut has left incomplete is dropped. */
  private @Nullable LogLine read() throws IOException {
    InputStream from = in;
    while (line.size() < MAX_LINE) {
      int next = from.read();
      if (next < 0 && (line.size() == 0 || !(confirms || longestOutage.isZero()))) {
        return null; // The rest of the line may be missing.
      }
      if (next < 0 || next == '\n') {
        break;
      }
      line.write(next);
    }
    String whole = line.toString(UTF_8);
    line.reset();
    return log.line(time(whole), whole);
  }

  private static @Nullable Instant time(String line) {
    int space = line.indexOf(' ');
    if (space < 0) {
      return null;
    }
    try {
      return Instant.parse(line.substring(0, space));
    } catch (DateTimeParseException e) {
      return null; // A message of the kubelet.
    }
  }

  private void resume(IOException cut) throws InterruptedException {
    TransportException lost = lost(cut);
    if (longestOutage.isZero() || closed) {
      throw lost;
    }
    long start = clock.nanoTime();
    Duration pause = FIRST_PAUSE;
    line.reset();
    while (true) {
      clock.sleep(pause);
      if (closed) {
        throw lost;
      }
      try {
        in.close();
        in = open(rest());
        if (closed) {
          close();
        }
        return;
      } catch (TransportException e) {
        if (e.kind() == Kind.CLIENT_CLOSED || isOver(start)) {
          throw e;
        }
      } catch (ApiStatusException e) {
        if (e.status().code() == null || e.status().code() < 500 || isOver(start)) {
          throw e;
        }
      } catch (IOException e) {
        throw new AssertionError("closing a response does not fail", e);
      }
      pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
    }
  }

  private boolean isOver(long start) {
    return clock.nanoTime() - start > longestOutage.toNanos();
  }

  private TransportException lost(IOException cut) {
    return closed
        ? new TransportException(Kind.CLIENT_CLOSED, log + ": the lines were closed", cut)
        : new TransportException(
            Kind.CONNECTION_LOST, log + ": the connection broke before the end", cut);
  }

  /** Ends the connection; a thread that waits for a line gets an exception. */
  @Override
  public void close() {
    closed = true;
    try {
      in.close();
    } catch (IOException e) {
      throw new AssertionError("closing a response does not fail", e);
    }
  }
}
