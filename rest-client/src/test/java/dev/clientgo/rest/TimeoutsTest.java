package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the environment says of HTTP/2 pings, as {@code readIdleTimeoutSeconds} in apimachinery's
 * {@code util/net/http.go} reads it.
 */
final class TimeoutsTest {

  private static Timeouts of(String seconds) {
    return Timeouts.of(Map.of("HTTP2_READ_IDLE_TIMEOUT_SECONDS", seconds));
  }

  @ParameterizedTest
  @CsvSource({"7, 7", "30, 30", "0, 0"})
  void ping_isThatOfTheEnvironment(String seconds, long ping) {
    assertThat(of(seconds))
        .isEqualTo(
            new Timeouts(
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Duration.ofSeconds(90),
                Duration.ofSeconds(ping)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "often", "-1", "1.5", "30s", "99999999999999999999"})
  void ping_thatIsNoNumber_isTheStandard(String seconds) {
    assertThat(of(seconds)).isEqualTo(Timeouts.STANDARD);
  }

  @Test
  void pingTimeout_isNotLookedAt() {
    assertThat(Timeouts.of(Map.of("HTTP2_PING_TIMEOUT_SECONDS", "1"))).isEqualTo(Timeouts.STANDARD);
  }
}
