package dev.clientgo.apimachinery.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.clientgo.clock.FakeClock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TimeTest {

  private static final Instant MAY_1998 = Instant.parse("1998-05-05T05:05:05Z");

  /** Upstream: TestTimeMarshalJSON, TestTimeMarshalCBOR. */
  @ParameterizedTest
  @CsvSource({
    "1998-05-05T05:05:05Z, 1998-05-05T05:05:05Z",
    "1998-05-05T05:05:05.000000050Z, 1998-05-05T05:05:05Z",
    "1998-05-05T05:05:05.123456789Z, 1998-05-05T05:05:05Z",
    "1970-01-01T00:00:00Z, 1970-01-01T00:00:00Z",
    "1960-01-01T00:00:00Z, 1960-01-01T00:00:00Z",
    "1959-12-31T23:59:59.999Z, 1959-12-31T23:59:59Z",
    "0000-01-01T00:00:00Z, 0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z, 9999-12-31T23:59:59Z"
  })
  void of_anInstant_isCutToSeconds(Instant instant, String text) {
    assertThat(Time.of(instant)).hasToString(text).isEqualTo(Time.parse(text));
  }

  @Test
  void of_aYearThatHasNotFourDigits_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Time.of(Instant.parse("+10000-01-01T00:00:00Z")))
        .withMessageContaining("years 0000 to 9999");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Time.of(Instant.parse("-0001-12-31T23:59:59Z")));
  }

  @Test
  void now_readsTheClock() {
    assertThat(Time.now(FakeClock.at(MAY_1998)).instant()).isEqualTo(MAY_1998);
  }

  /** Upstream: TestTimeUnmarshalJSON, TestTimeUnmarshalCBOR. */
  @ParameterizedTest
  @CsvSource({
    "1998-05-05T05:05:05Z, 1998-05-05T05:05:05Z",
    "1998-05-05T05:05:05.123456789Z, 1998-05-05T05:05:05.123456789Z",
    "1998-05-05T05:05:05.5Z, 1998-05-05T05:05:05.5Z",
    "'1998-05-05T05:05:05,5Z', 1998-05-05T05:05:05.5Z",
    "1998-05-05T05:05:05.1234567899999Z, 1998-05-05T05:05:05.123456789Z",
    "1998-05-05T01:05:05-04:00, 1998-05-05T05:05:05Z",
    "1998-05-05T05:05:05+00:00, 1998-05-05T05:05:05Z",
    "1998-05-05T5:05:05Z, 1998-05-05T05:05:05Z",
    "1998-05-05t05:05:05z, 1998-05-05T05:05:05Z",
    "2024-02-29T23:59:59+14:00, 2024-02-29T09:59:59Z",
    "0000-02-29T00:00:00Z, 0000-02-29T00:00:00Z"
  })
  void parse_whatRfc3339Allows_keepsInstantAndText(String text, Instant instant) {
    Time time = Time.parse(text);

    assertThat(time.instant()).isEqualTo(instant);
    assertThat(time).hasToString(text);
  }

  @Test
  void parse_everyDayOf400YearsAndTheLast_isTheDayOfTheCalendar() {
    for (YearMonth month = YearMonth.of(0, 1);
        month.getYear() <= 9999;
        month = month.plusMonths(1)) {
      for (int day = 1; day <= month.lengthOfMonth(); day++) {
        LocalDate date = month.atDay(day);
        assertThat(Time.parse(date + "T00:00:00Z").instant().getEpochSecond())
            .as(date.toString())
            .isEqualTo(date.toEpochDay() * 86_400);
      }
      String tooLate = month + "-" + (month.lengthOfMonth() + 1) + "T00:00:00Z";
      assertThat(catchThrowable(() -> Time.parse(tooLate))).as(tooLate).isNotNull();
      if (month.equals(YearMonth.of(400, 12))) {
        month = YearMonth.of(9998, 12);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hello",
        "null",
        "1998-05-05",
        "1998-05-05T05:05:05",
        "1998-05-05T05:05Z",
        "1998-05-05 05:05:05Z",
        "1998-5-05T05:05:05Z",
        "98-05-05T05:05:05Z",
        "+1998-05-05T05:05:05Z",
        "1998-05-05T05:05:05ZZ",
        "1998-05-05T05:05:05.Z",
        "1998-05-05T05:05:05.+1Z",
        "1998-05-05T05:05:05+0100",
        "1998-05-05T05:05:05+01",
        "1998-05-05T05:05:05+25:00",
        "1998-05-05T05:05:05+01:61",
        "1998-13-05T05:05:05Z",
        "1998-00-05T05:05:05Z",
        "1998-02-29T05:05:05Z",
        "1900-02-29T05:05:05Z",
        "1998-05-00T05:05:05Z",
        "1998-05-05T24:00:00Z",
        "1998-05-05T05:60:05Z",
        "1998-05-05T05:05:60Z",
        "1998-05-05T05:05:0aZ",
        "1998-05-05T05:05:0５Z",
        " 1998-05-05T05:05:05Z",
        "1998-05-05T05:05:05Z "
      })
  void parse_anythingElse_saysWhatIsExpected(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Time.parse(text))
        .withMessage("expected a time such as 2026-01-31T12:00:00Z, found \"" + text + "\"");
  }

  @Test
  void parse_longText_isNotRepeatedInFull() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Time.parse("x".repeat(100_000)))
        .satisfies(error -> assertThat(error.getMessage()).hasSizeLessThan(200));
  }

  /** Upstream: TestTimeEqual. */
  @Test
  void equals_sameInstant_whateverTheText() {
    Time utc = Time.parse("1998-05-05T05:05:05Z");
    Time offset = Time.parse("1998-05-05T07:05:05+02:00");
    Time later = Time.parse("1998-05-05T05:05:05.1Z");

    assertThat(utc).isEqualTo(offset).hasSameHashCodeAs(offset).isNotEqualTo(later);
    assertThat(utc).isNotEqualTo(null).isNotEqualTo(MicroTime.of(utc.instant()));
    assertThat(utc.compareTo(offset)).isZero();
  }

  /** Upstream: TestTimeBefore. */
  @Test
  void isBefore_andIsAfter_compareInstants() {
    Time time = Time.parse("1998-05-05T05:05:05Z");
    Time fraction = Time.parse("1998-05-05T05:05:05.000000001Z");
    Time next = Time.parse("1998-05-05T05:05:06Z");

    assertThat(time.isBefore(time)).isFalse();
    assertThat(time.isAfter(time)).isFalse();
    assertThat(time.isBefore(fraction)).isTrue();
    assertThat(fraction.isBefore(next)).isTrue();
    assertThat(next.isAfter(fraction)).isTrue();
    assertThat(next.isBefore(time)).isFalse();
  }

  @Test
  void parse_ofToString_givesTheSameTime() {
    long seed = System.identityHashCode(this);
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      Instant instant = Instant.ofEpochSecond(random.nextLong(-62_167_219_200L, 253_402_300_800L));
      Time time = Time.of(instant);

      assertThat(Time.parse(time.toString())).as("seed %d", seed).isEqualTo(time);
      assertThat(time.toString()).as("seed %d", seed).isEqualTo(instant.toString());
    }
  }

  @Test
  void parse_withOffsetAndFraction_agreesWithTheJdk() {
    long seed = System.identityHashCode(this);
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      OffsetDateTime expected =
          OffsetDateTime.ofInstant(
              Instant.ofEpochSecond(
                  random.nextLong(-62_000_000_000L, 253_000_000_000L),
                  // Not 0, for the JDK leaves out seconds that are zero.
                  random.nextInt(1, 1_000_000_000)),
              ZoneOffset.ofTotalSeconds(random.nextInt(-18 * 60, 18 * 60 + 1) * 60));
      String text = expected.toString();

      assertThat(Time.parse(text).instant())
          .as("seed %d, %s", seed, text)
          .isEqualTo(expected.toInstant());
      assertThat(Time.parse(text)).hasToString(text);
    }
  }

  @Test
  void parse_damagedText_givesATimeOrTheDocumentedError() {
    long seed = System.identityHashCode(this);
    Random random = new Random(seed);
    String alphabet = "0123456789-+:TtZz., é";
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder("1998-05-05T05:05:05.000000Z");
      text.setLength(random.nextInt(text.length() + 1));
      for (int damage = random.nextInt(4); damage > 0 && !text.isEmpty(); damage--) {
        char c = alphabet.charAt(random.nextInt(alphabet.length()));
        text.setCharAt(random.nextInt(text.length()), c);
      }
      for (Throwable error :
          new Throwable[] {
            catchThrowable(() -> Time.parse(text.toString())),
            catchThrowable(() -> MicroTime.parse(text.toString()))
          }) {
        if (error != null) {
          assertThat(error)
              .as("seed %d, %s", seed, text)
              .isExactlyInstanceOf(IllegalArgumentException.class);
        }
      }
    }
  }
}
