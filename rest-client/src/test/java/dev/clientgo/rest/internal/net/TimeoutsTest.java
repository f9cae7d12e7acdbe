package dev.clientgo.rest.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How the environment sets HTTP/2 pings, as {@code readIdleTimeoutSeconds} and {@code
 * pingTimeoutSeconds} in apimachinery's {@code util/net/http.go} read it.
 */
final class TimeoutsTest {

  private static final String IDLE = "HTTP2_READ_IDLE_TIMEOUT_SECONDS";
  private static final String ANSWER = "HTTP2_PING_TIMEOUT_SECONDS";

  /** Two pings notice a server that vanished, not later than upstream. */
  @ParameterizedTest
  @CsvSource({
    "'', '', PT22.5S",
    "30, 15, PT22.5S",
    "7, '', PT15S",
    "45, '', PT30S",
    "20, 10, PT15S",
    "'', 1, PT15.5S",
    "'', 30, PT30S",
    "5, 60, PT60S",
    "0, '', PT0S",
    "0, 9, PT0S",
    "'', 0, PT22.5S",
  })
  void ping_isThatOfTheEnvironment(String idle, String answer, Duration ping) {
    assertThat(Timeouts.of(Map.of(IDLE, idle, ANSWER, answer)))
        .isEqualTo(
            new Timeouts(
                Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(90), ping));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "often", "-1", "1.5", "30s", "99999999999999999999"})
  void ping_thatIsNoNumber_isTheStandard(String seconds) {
    assertThat(Timeouts.of(Map.of(IDLE, seconds))).isEqualTo(Timeouts.STANDARD);
    assertThat(Timeouts.of(Map.of(ANSWER, seconds))).isEqualTo(Timeouts.STANDARD);
    assertThat(Timeouts.of(Map.of())).isEqualTo(Timeouts.STANDARD);
  }
}
