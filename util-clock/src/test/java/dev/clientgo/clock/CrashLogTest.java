package dev.clientgo.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shows that a failure is told and counted, whatever was thrown. */
final class CrashLogTest {

  private final RecordingLogger logger = new RecordingLogger();
  private final CrashLog crashes = new CrashLog(logger);

  @Test
  void failed_manyTimes_isLoggedAtPowersOfTwo() {
    for (int i = 0; i < 9; i++) {
      crashes.failed("It failed.", new AssertionError("nine"));
    }

    assertThat(logger.messages)
        .containsExactly(
            "It failed.", "It failed. inARow=2", "It failed. inARow=4", "It failed. inARow=8");
    assertThat(crashes.failures()).isEqualTo(9);
  }

  @Test
  void problem_afterThreeInARow_endsWithASuccess() {
    crashes.failed("It failed.", new IllegalStateException("one"));
    crashes.failed("It failed.", new IllegalStateException("two"));
    assertThat(crashes.problem()).isEmpty();

    crashes.failed("It failed.", new IllegalStateException("three\n  four"));
    assertThat(crashes.problem())
        .contains(
            "3 failures in a row: It failed. error=java.lang.IllegalStateException: three four");

    crashes.succeeded();
    assertThat(crashes.problem()).isEmpty();
    assertThat(crashes.failures()).isEqualTo(3);
  }

  /** A name with line breaks, or codes that a terminal obeys, stays one line that shows them. */
  @Test
  void line_ofAForgedText_isOneLine() {
    assertThat(CrashLog.line("a\r\n2026-01-01 ERROR forged\u0085b\u2028c\u000bd\t e "))
        .isEqualTo("a 2026-01-01 ERROR forged b c d e");
    assertThat(CrashLog.line("\u001b[2Jx\u0000\u202ey\b")).isEqualTo("?[2Jx??y?");
    assertThat(CrashLog.line("prod/web-1 ü")).isEqualTo("prod/web-1 ü");
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.SECONDS)
  void line_ofManyBlanks_takesLinearTime() {
    assertThat(CrashLog.line("x" + " ".repeat(10_000_000) + "y")).isEqualTo("x y");
  }

  @Test
  void failed_ofAnErrorWithoutText_tellsItsClassAndStack() {
    Throwable hostile = new Hostile();

    crashes.failed("It failed.", new IllegalStateException("outer", hostile));
    crashes.failed("It failed.", hostile);

    assertThat(logger.errors.get(0)).hasMessageContaining("IllegalStateException: outer");
    assertThat(logger.errors.get(1))
        .hasMessage(Hostile.class.getName() + " (its text cannot be read)");
    assertThat(logger.errors.get(1).getStackTrace()).isEqualTo(hostile.getStackTrace());
  }

  @Test
  void failed_withALoggerThatThrows_isCounted() {
    logger.hostile = true;
    crashes.failed("It failed.", new StackOverflowError());
    assertThat(crashes.failures()).isEqualTo(1);
  }

  /** An error that cannot be printed. */
  private static final class Hostile extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new AssertionError("no text");
    }
  }

  private static final class RecordingLogger implements System.Logger {

    final List<String> messages = new ArrayList<>();
    final List<Throwable> errors = new ArrayList<>();
    boolean hostile;

    @Override
    public String getName() {
      return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, String message, Throwable error) {
      if (hostile) {
        throw new IllegalStateException("a broken logger");
      }
      messages.add(message);
      errors.add(error);
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String format, Object... parameters) {
      throw new AssertionError("without an error: " + format);
    }
  }
}
