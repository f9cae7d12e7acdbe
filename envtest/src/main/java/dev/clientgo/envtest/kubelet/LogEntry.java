package dev.clientgo.envtest.kubelet;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A line of a log.
 *
 * @param time when the container wrote it
 * @param error whether it was written to the error output
 * @param text the line, without its end
 */
public record LogEntry(Instant time, boolean error, String text) {

  public LogEntry {
    requireNonNull(time, "time");
    requireNonNull(text, "text");
  }
}
