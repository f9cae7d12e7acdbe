package dev.clientgo.rest.internal.auth;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The message for a user who has not installed a credential plugin. It is shown at most ten times
 * an hour, because a program may retry without end.
 *
 * <p>It comes from a kubeconfig and goes to a terminal, so control characters are escaped. Safe for
 * use by many threads.
 */
final class InstallHint {

  private static final int TIMES = 10;
  private static final Duration WINDOW = Duration.ofHours(1);

  private final ReentrantLock lock = new ReentrantLock();
  private final String text;
  private final Clock clock;

  @GuardedBy("lock")
  private int count;

  @GuardedBy("lock")
  private long windowStart;

  InstallHint(@Nullable String hint, Clock clock) {
    this.text =
        ": it is installed apart from this program, see"
            + " https://kubernetes.io/docs/reference/access-authn-authz/authentication/"
            + "#client-go-credential-plugins"
            + (hint == null ? "" : "\n\n" + printable(hint));
    this.clock = clock;
  }

  /** Returns the hint, empty if it was shown often enough. */
  String next() {
    lock.lock();
    try {
      long now = clock.nanoTime();
      if (count == 0 || now - windowStart >= WINDOW.toNanos()) {
        windowStart = now;
        count = 0;
      }
      if (count == TIMES) {
        return "";
      }
      count++;
      return text;
    } finally {
      lock.unlock();
    }
  }

  /** Escapes control characters. */
  static String printable(String text) {
    StringBuilder printable = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if ((c >= '\t' && c <= '\r') || isText(c)) {
                printable.appendCodePoint(c);
              } else {
                printable.append(String.format(Locale.ROOT, "U+%04X", c));
              }
            });
    return printable.toString();
  }

  private static boolean isText(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
