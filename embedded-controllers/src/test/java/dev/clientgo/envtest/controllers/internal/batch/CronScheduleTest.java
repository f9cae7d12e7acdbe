package dev.clientgo.envtest.controllers.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schedules, and the indexes of Jobs. */
final class CronScheduleTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/5 * * * *          | 2026-01-01T00:00:00Z | 2026-01-01T00:05:00Z",
        "*/5 * * * *          | 2026-01-01T23:57:31Z | 2026-01-02T00:00:00Z",
        "30 4 * * mon-fri     | 2026-01-02T05:00:00Z | 2026-01-05T04:30:00Z",
        "0 0 13 * fri         | 2026-01-01T00:00:00Z | 2026-01-02T00:00:00Z",
        "0 0 13 * *           | 2026-01-01T00:00:00Z | 2026-01-13T00:00:00Z",
        "0 12 29 2 ?          | 2026-01-01T00:00:00Z | 2028-02-29T12:00:00Z",
        "1,10-20/5,59 * * * * | 2026-01-01T00:15:00Z | 2026-01-01T00:20:00Z",
        "5/20 0 1 JAN SUN     | 2026-01-01T00:05:00Z | 2026-01-01T00:25:00Z",
        "@hourly              | 2026-01-01T00:00:00Z | 2026-01-01T01:00:00Z",
        "@daily               | 2026-01-01T00:00:00Z | 2026-01-02T00:00:00Z",
        "@weekly              | 2026-01-01T00:00:00Z | 2026-01-04T00:00:00Z",
        "@yearly              | 2026-01-01T00:00:00Z | 2027-01-01T00:00:00Z",
        "@every 1h30m         | 2026-01-01T00:00:00Z | 2026-01-01T01:30:00Z",
      })
  void next_isTheFirstTimeAfter(String schedule, Instant after, Instant expected) {
    assertThat(CronSchedule.parse(schedule, ZoneOffset.UTC).next(after)).contains(expected);
  }

  /** In Berlin, 02:30 does not exist on 29 March 2026, and comes twice on 25 October. */
  @ParameterizedTest
  @CsvSource({
    "2026-03-28T12:00:00Z, 2026-03-30T00:30:00Z",
    "2026-10-24T12:00:00Z, 2026-10-25T00:30:00Z",
    "2026-10-25T00:30:00Z, 2026-10-25T01:30:00Z",
    "2026-10-25T01:30:00Z, 2026-10-26T01:30:00Z",
  })
  void changeOfClocks_skipsOrRepeatsTheTime(Instant after, Instant expected) {
    CronSchedule schedule = CronSchedule.parse("30 2 * * *", ZoneId.of("Europe/Berlin"));

    assertThat(schedule.next(after)).contains(expected);
  }

  @Test
  void thirtiethOfFebruary_neverComes() {
    assertThat(CronSchedule.parse("0 0 30 2 *", ZoneOffset.UTC).next(Instant.EPOCH)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "* * * *",
        "* * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 7",
        "*/0 * * * *",
        "5-1 * * * *",
        "x * * * *",
        "1,,2 * * * *",
        "@every 0s",
        "@never",
      })
  void otherTexts_areRefused(String schedule) {
    assertThatThrownBy(() -> CronSchedule.parse(schedule, ZoneOffset.UTC))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "0,2", "0-2", "0,1,3-9,20"})
  void indexes_areReadAndWritten(String text) {
    BitSet indexes = CompletionIndexes.parse(text);

    assertThat(CompletionIndexes.format(indexes)).isEqualTo(text);
  }
}
