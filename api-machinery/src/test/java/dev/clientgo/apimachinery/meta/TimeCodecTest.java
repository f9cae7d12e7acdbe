package dev.clientgo.apimachinery.meta;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TimeCodecTest {

  private static <T> T read(JsonCodec<T> codec, String json) {
    return JsonReader.fromBytes(codec, json.getBytes(UTF_8));
  }

  private static <T> String write(JsonCodec<T> codec, T value) {
    return new String(JsonWriter.toBytes(codec, value), UTF_8);
  }

  /** Upstream: TestTimeUnmarshalJSON, TestTimeMarshalJSON. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1998-05-05T05:05:05Z",
        "1998-05-05T05:05:05.123456789Z",
        "1998-05-05T05:05:05+00:00",
        "1998-05-05T01:05:05-04:00"
      })
  void time_readAndWritten_isUnchanged(String text) {
    String json = "\"" + text + "\"";

    assertThat(write(Time.CODEC, read(Time.CODEC, json))).isEqualTo(json);
  }

  /** Upstream: TestMicroTimeUnmarshalJSON, TestMicroTimeMarshalJSON. */
  @ParameterizedTest
  @ValueSource(strings = {"1998-05-05T05:05:05.000000Z", "1998-05-05T05:05:05.123456+02:00"})
  void microTime_readAndWritten_isUnchanged(String text) {
    String json = "\"" + text + "\"";

    assertThat(write(MicroTime.CODEC, read(MicroTime.CODEC, json))).isEqualTo(json);
  }

  @Test
  void time_madeHere_isWrittenInSeconds() {
    Instant instant = Instant.parse("1998-05-05T05:05:05.5Z");

    assertThat(write(Time.CODEC, Time.of(instant))).isEqualTo("\"1998-05-05T05:05:05Z\"");
    assertThat(write(MicroTime.CODEC, MicroTime.of(instant)))
        .isEqualTo("\"1998-05-05T05:05:05.500000Z\"");
  }

  @Test
  void time_sameTwice_isOneObjectUnlessWrittenOtherwise() {
    JsonReader in =
        JsonReader.of(
            ("[\"1998-05-05T05:05:05Z\",\"1998-05-05T05:05:05+00:00\","
                    + "\"1998-05-05T05:05:05Z\",\"1998-05-05T05:05:05+00:00\"]")
                .getBytes(UTF_8));
    List<Time> times = in.nextList(Time.CODEC);

    assertThat(times.get(0)).isSameAs(times.get(2)).isEqualTo(times.get(1));
    assertThat(times.stream().map(Time::toString))
        .containsExactly(
            "1998-05-05T05:05:05Z",
            "1998-05-05T05:05:05+00:00",
            "1998-05-05T05:05:05Z",
            "1998-05-05T05:05:05+00:00");
  }

  /** Upstream: TestTimeUnmarshalCBOR, "malformed timestamp". */
  @ParameterizedTest
  @ValueSource(strings = {"\"hello\"", "\"\"", "7", "{}", "true", "\"1998-05-05\""})
  void time_anythingElse_isAMismatch(String json) {
    for (JsonCodec<?> codec : List.of(Time.CODEC, MicroTime.CODEC)) {
      assertThatThrownBy(() -> read(codec, json))
          .isInstanceOfSatisfying(
              CodecException.class, error -> assertThat(error.isRecoverable()).isTrue());
    }
  }

  @Test
  void objectMeta_badTime_saysWhere() {
    String json = "{\"name\":\"web\",\"creationTimestamp\":\"yesterday\"}";

    assertThatThrownBy(() -> read(ObjectMeta.CODEC, json))
        .isInstanceOf(CodecException.class)
        .hasMessageStartingWith(
            "expected a time such as 2026-01-31T12:00:00Z, found \"yesterday\""
                + " at /creationTimestamp");
  }

  /** Upstream: TestTimeUnmarshalJSON, null. */
  @Test
  void objectMeta_nullTime_isAbsent() {
    assertThat(read(ObjectMeta.CODEC, "{\"creationTimestamp\":null}")).isEqualTo(ObjectMeta.EMPTY);
  }
}
