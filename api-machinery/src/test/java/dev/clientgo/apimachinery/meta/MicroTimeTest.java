package dev.clientgo.apimachinery.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.clientgo.clock.FakeClock;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MicroTimeTest {

  /** Upstream: TestMicroTimeMarshalJSON, TestMicroTimeMarshalCBOR. */
  @ParameterizedTest
  @CsvSource({
    "1998-05-05T05:05:05.000000050Z, 1998-05-05T05:05:05.000000Z",
    "1998-05-05T05:05:05Z, 1998-05-05T05:05:05.000000Z",
    "1998-05-05T05:05:05.000005050Z, 1998-05-05T05:05:05.000005Z",
    "1960-01-01T00:00:00.999999999Z, 1960-01-01T00:00:00.999999Z"
  })
  void of_anInstant_isCutToMicroseconds(Instant instant, String text) {
    assertThat(MicroTime.of(instant)).hasToString(text).isEqualTo(MicroTime.parse(text));
    assertThat(MicroTime.now(FakeClock.at(instant))).hasToString(text);
  }

  /** Upstream: TestMicroTimeUnmarshalJSON, TestMicroTimeUnmarshalCBOR. */
  @ParameterizedTest
  @CsvSource({
    "1998-05-05T05:05:05.000000Z, 1998-05-05T05:05:05Z",
    "1998-05-05T05:05:05.123456Z, 1998-05-05T05:05:05.123456Z",
    "1998-05-05T05:05:05.123456+01:00, 1998-05-05T04:05:05.123456Z"
  })
  void parse_sixDigits_keepsInstantAndText(String text, Instant instant) {
    assertThat(MicroTime.parse(text)).hasToString(text);
    assertThat(MicroTime.parse(text).instant()).isEqualTo(instant);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello",
        "1998-05-05T05:05:05Z",
        "1998-05-05T05:05:05.00000Z",
        "1998-05-05T05:05:05.0000000Z",
        "1998-05-05T05:05:05.00000aZ",
        "1998-02-30T05:05:05.000000Z"
      })
  void parse_anythingElse_saysWhatIsExpected(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MicroTime.parse(text))
        .withMessage("expected a time such as 2026-01-31T12:00:00.000000Z, found \"" + text + "\"");
  }

  /** Upstream: TestMicroTimeEqual, TestMicroTimeBefore. */
  @Test
  void equals_andOrder_followTheInstant() {
    MicroTime time = MicroTime.parse("1998-05-05T05:05:05.000001Z");
    MicroTime same = MicroTime.parse("1998-05-05T06:05:05.000001+01:00");
    MicroTime later = MicroTime.parse("1998-05-05T05:05:05.000002Z");

    assertThat(time).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(later);
    assertThat(time.isBefore(same)).isFalse();
    assertThat(time.isAfter(same)).isFalse();
    assertThat(time.isBefore(later)).isTrue();
    assertThat(later.isAfter(time)).isTrue();
  }

  @Test
  void parse_ofToString_givesTheSameTime() {
    long seed = System.identityHashCode(this);
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      MicroTime time =
          MicroTime.of(
              Instant.ofEpochSecond(
                  random.nextLong(-62_167_219_200L, 253_402_300_800L),
                  random.nextInt(1_000_000_000)));

      assertThat(MicroTime.parse(time.toString())).as("seed %d", seed).isEqualTo(time);
    }
  }
}
