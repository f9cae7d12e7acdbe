package dev.clientgo.rest.internal.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Detects whether this program runs in a terminal. */
final class Terminal {

  private static final Path STANDARD_INPUT = Path.of("/proc/self/fd/0");

  private Terminal() {}

  /** Returns whether standard input is a terminal. */
  @SuppressWarnings("SystemConsoleNull") // This is the only way to ask in Java 17.
  static boolean isStandardInput() {
    // The JDK has a console only if the output is a terminal too; in Java 22 to 24 it always has
    // one.
    if (Files.exists(STANDARD_INPUT)) {
      try {
        return Files.readSymbolicLink(STANDARD_INPUT)
            .toString()
            .matches("/dev/(pts/|tty|console).*");
      } catch (IOException e) {
        return false;
      }
    }
    return System.console() != null;
  }
}
