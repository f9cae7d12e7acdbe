package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reads the messages of all logs: each begins with a capital letter or a placeholder, and has no
 * full stop at its end. A message that is not written where it is logged is not checked.
 */
final class LogMessagesTest {

  private static final String LITERAL = "\"(?:[^\"\\\\\\n]|\\\\.)*\"";

  /** A call that logs, up to what follows the first literals of its message. */
  private static final Pattern CALL =
      Pattern.compile(
          "\\b(?:CrashLog\\.log\\(\\s*[\\w.]+,|LOG\\.log\\()\\s*(?:\\w+\\.)*[A-Z]+,"
              + "\\s*(?:\\(\\)\\s*->\\s*)?(?<message>"
              + LITERAL
              + "(?:\\s*\\+\\s*"
              + LITERAL
              + ")*)\\s*(?<next>.)");

  @Test
  void messages_lookAlike() throws IOException {
    List<String> wrong = new ArrayList<>();
    int read = 0;
    for (Path file : ProjectFiles.find(ProjectFiles.ROOT, ".java")) {
      String name = ProjectFiles.ROOT.relativize(file).toString().replace('\\', '/');
      if (name.contains("/src/main/java/")) {
        Matcher call = CALL.matcher(Files.readString(file));
        while (call.find()) {
          read++;
          if (!isRight(call)) {
            wrong.add(name + ": " + call.group("message"));
          }
        }
      }
    }

    assertThat(read).as("messages").isGreaterThan(100);
    assertThat(wrong)
        .as("messages that begin with a small letter or end with a full stop")
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "LOG.log(Level.INFO, \"Started\"); true",
        "LOG.log(Level.INFO, () -> \"Started: name=\" + name); true",
        "LOG.log(INFO, \"{0}: started\", name); true",
        "LOG.log(INFO, \"Failed. Lease \" + \"is lost\"); true",
        "LOG.log(INFO, \"Found v1.\" + minor); true",
        "CrashLog.log(LOG, Level.ERROR, \"An observer failed\", e); true",
        "LOG.log(Level.INFO, \"started\"); false",
        "LOG.log(System.Logger.Level.INFO, \"Started.\"); false",
        "LOG.log(Level.INFO, () -> \"Started \" + \"late.\"); false",
        "CrashLog.log(LOG, Level.ERROR, \"an observer failed\", e); false"
      })
  void message_isRight_orNot(String source, boolean right) {
    Matcher call = CALL.matcher(source);

    assertThat(call.find()).isTrue();
    assertThat(isRight(call)).isEqualTo(right);
  }

  private static boolean isRight(Matcher call) {
    String message = call.group("message");
    boolean ends = !call.group("next").equals("+");
    char first = message.charAt(1);
    return (Character.isUpperCase(first) || first == '{') && !(ends && message.endsWith(".\""));
  }
}
