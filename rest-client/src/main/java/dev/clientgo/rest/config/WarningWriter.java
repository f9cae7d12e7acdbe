package dev.clientgo.rest.config;

import static java.util.Objects.requireNonNull;

import java.io.PrintStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Prints warnings to a stream, for command lines. Safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code rest.NewWarningWriter}.
 */
public final class WarningWriter implements WarningHandler {

  private static final String YELLOW = "\u001b[33;1m";
  private static final String RESET = "\u001b[0m";

  private final PrintStream out;
  private final boolean deduplicate;
  private final boolean color;
  private final Set<String> written = ConcurrentHashMap.newKeySet();

  private WarningWriter(PrintStream out, boolean deduplicate, boolean color) {
    this.out = requireNonNull(out, "out");
    this.deduplicate = deduplicate;
    this.color = color;
  }

  /** Returns a handler that prints every warning. */
  public static WarningWriter to(PrintStream out) {
    return new WarningWriter(out, false, false);
  }

  /** Returns a handler that prints each text once; it keeps the texts in memory. */
  public WarningWriter deduplicated() {
    return new WarningWriter(out, true, color);
  }

  /** Returns a handler that colors the word "Warning:", for terminals. */
  public WarningWriter colored() {
    return new WarningWriter(out, deduplicate, true);
  }

  /** Returns how many texts a {@linkplain #deduplicated} handler has printed. */
  public int count() {
    return written.size();
  }

  @Override
  public void handle(int code, String agent, String text) {
    if (code != 299 || text.isEmpty() || (deduplicate && !written.add(text))) {
      return;
    }
    out.println((color ? YELLOW + "Warning:" + RESET : "Warning:") + " " + text);
  }
}
