package dev.clientgo.rest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether somebody sits in front of this program. */
final class Terminal {

  private static final Path STANDARD_INPUT = Path.of("/proc/self/fd/0");

  private Terminal() {}

  /** Returns whether standard input is a terminal. */
  @SuppressWarnings("SystemConsoleNull") // Java 17 has no other way to ask.
  static boolean isStandardInput() {
    // The console of the JDK is there only if the output, too, is a terminal; or always, in Java 22
    // to 24.
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
