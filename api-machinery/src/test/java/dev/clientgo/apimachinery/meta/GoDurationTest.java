package dev.clientgo.apimachinery.meta;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GoDurationTest {

  /** Go: TestDurationString in time/time_test.go. */
  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "1, 1ns",
    "1100, 1.1µs",
    "2200000, 2.2ms",
    "3300000000, 3.3s",
    "245000000000, 4m5s",
    "245001000000, 4m5.001s",
    "18367001000000, 5h6m7.001s",
    "480000000001, 8m0.000000001s",
    "9223372036854775807, 2562047h47m16.854775807s",
    "-9223372036854775808, -2562047h47m16.854775808s",
    "-1, -1ns",
    "3600000000000, 1h0m0s",
    "60000000000, 1m0s",
    "800000000, 800ms",
    "1500, 1.5µs",
    "999999999, 999.999999ms"
  })
  void text_isThatOfGo(long nanos, String text) {
    assertThat(new GoDuration(nanos)).hasToString(text);
    assertThat(GoDuration.parse(text)).isEqualTo(new GoDuration(nanos));
  }

  /** Go: TestParseDuration in time/time_test.go. */
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "+0, 0",
    "5s, 5000000000",
    "30s, 30000000000",
    "1478s, 1478000000000",
    "-5s, -5000000000",
    "+5s, 5000000000",
    "5.0s, 5000000000",
    "5.6s, 5600000000",
    "5.s, 5000000000",
    ".5s, 500000000",
    "1.0s, 1000000000",
    "1.00s, 1000000000",
    "1.004s, 1004000000",
    "1.0040s, 1004000000",
    "100.00100s, 100001000000",
    "10ns, 10",
    "11us, 11000",
    "12µs, 12000",
    "12μs, 12000",
    "13ms, 13000000",
    "14s, 14000000000",
    "15m, 900000000000",
    "16h, 57600000000000",
    "3h30m, 12600000000000",
    "10.5s4m, 250500000000",
    "-2m3.4s, -123400000000",
    "1h2m3s4ms5us6ns, 3723004005006",
    "39h9m14.425s, 140954425000000",
    "52763797000ns, 52763797000",
    "0.3333333333333333333h, 1200000000000",
    "9007199254740993ns, 9007199254740993",
    "9223372036854775807ns, 9223372036854775807",
    "9223372036854775.807us, 9223372036854775807",
    "9223372036s854ms775us807ns, 9223372036854775807",
    "-9223372036854775808ns, -9223372036854775808",
    "-9223372036854775.808us, -9223372036854775808",
    "-9223372036s854ms775us808ns, -9223372036854775808",
    "-2562047h47m16.854775808s, -9223372036854775808",
    "0.100000000000000000000h, 360000000000",
    "0.830103483285477580700h, 2988372539827"
  })
  void parse_ofText_isExact(String text, long nanos) {
    assertThat(GoDuration.parse(text).nanos()).isEqualTo(nanos);
  }

  /** Go: TestParseDurationErrors in time/time_test.go. */
  @ParameterizedTest
  @CsvSource({
    "'', invalid duration",
    "3, missing unit in duration",
    "-, invalid duration",
    "s, invalid duration",
    "., invalid duration",
    "-., invalid duration",
    ".s, invalid duration",
    "+.s, invalid duration",
    "1d, unknown unit \"d\" in duration",
    "1s 2s, unknown unit \"s \" in duration",
    "9223372036854775810ns, invalid duration",
    "9223372036854775808ns, invalid duration",
    "-9223372036854775809ns, invalid duration",
    "9223372036854776us, invalid duration",
    "3000000h, invalid duration",
    "9223372036854775.808us, invalid duration",
    "9223372036854ms775us808ns, invalid duration",
    "99999999999999999999999h, invalid duration"
  })
  void parse_ofNoDuration_failsWithTheTextOfGo(String text, String problem) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GoDuration.parse(text))
        .withMessage("time: " + problem + " \"" + text + "\"");
  }

  /** Go: TestParseDurationRoundTrip in time/time_test.go. */
  @Test
  void parse_ofAnyText_isTheInverse() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      GoDuration duration = new GoDuration(random.nextLong() >> random.nextInt(63));

      assertThat(GoDuration.parse(duration.toString())).as("seed %d", seed).isEqualTo(duration);
      assertThat(GoDuration.of(duration.toDuration())).isEqualTo(duration);
    }
  }

  @Test
  void of_aDurationBeyondGo_fails() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GoDuration.of(Duration.ofDays(365 * 300)))
        .withMessageContaining("292 years");
  }

  @Test
  void compareTo_isByLength() {
    assertThat(GoDuration.parse("1m")).isEqualByComparingTo(GoDuration.parse("60s"));
    assertThat(GoDuration.parse("1m")).isGreaterThan(GoDuration.ZERO);
  }

  /** Upstream: TestDurationMarshalJSON and TestDurationUnmarshalJSON of meta/v1. */
  @Test
  void codec_readsAndWritesStrings() {
    GoDuration duration = GoDuration.parse("5s");

    assertThat(new String(JsonWriter.toBytes(GoDuration.CODEC, duration), UTF_8))
        .isEqualTo("\"5s\"");
    assertThat(read("\"1m1s\"")).isEqualTo(new GoDuration(61_000_000_000L));
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> read("\"tomorrow\""))
        .withMessageContaining("time: invalid duration \"tomorrow\"");
    assertThatExceptionOfType(CodecException.class).isThrownBy(() -> read("5"));
  }

  private static GoDuration read(String json) {
    return JsonReader.fromBytes(GoDuration.CODEC, json.getBytes(UTF_8));
  }
}
