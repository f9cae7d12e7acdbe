package dev.clientgo.apimachinery.resource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class QuantityCodecTest {

  private static Quantity read(String json) {
    return JsonReader.fromBytes(Quantity.CODEC, json.getBytes(UTF_8));
  }

  private static String write(Quantity quantity) {
    return new String(JsonWriter.toBytes(Quantity.CODEC, quantity), UTF_8);
  }

  /** Upstream: TestJSONWhitespace. */
  @ParameterizedTest
  @CsvSource({"' 1',1", "'1 ',1", "'-1',-1", "' 10',10"})
  void read_spaceWithinTheString_isIgnored(String text, String expected) {
    assertThat(read("\"" + text + "\"")).hasToString(expected);
  }

  /** Upstream: TestJSONWhitespace. */
  @ParameterizedTest
  @CsvSource({"1,1", "-1,-1", "10,10", "1.5,1500m", "1e3,1e3", "0.1,100m"})
  void read_number_isReadByItsDigits(String json, String expected) {
    assertThat(read(json)).hasToString(expected);
    assertThat(write(read(json))).isEqualTo(json);
    assertThat(write(read("\"" + json + "\""))).isEqualTo("\"" + json + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1024Mi", "1000m", "0.5", "1Gi", "100m", "1e3", "0", ".5Gi"})
  void write_whatWasRead_isUnchanged(String text) {
    String json = "\"" + text + "\"";

    assertThat(write(read(json))).isEqualTo(json);
  }

  @Test
  void write_whatWasMadeHere_isCanonical() {
    assertThat(write(Quantity.of(1024, Quantity.Format.BINARY_SI))).isEqualTo("\"1Ki\"");
    assertThat(write(read("\"1024Mi\"").plus(Quantity.ZERO))).isEqualTo("\"1Gi\"");
  }

  @Test
  void read_sameTextTwice_isOneObject() {
    JsonReader in = JsonReader.of("[\"1Gi\",\"1024Mi\",\"1Gi\",\"1073741824\"]".getBytes(UTF_8));
    List<Quantity> quantities = in.nextList(Quantity.CODEC);

    assertThat(quantities.get(0)).isSameAs(quantities.get(2));
    assertThat(quantities).allMatch(quantities.get(0)::equals);
    assertThat(quantities.stream().map(QuantityCodecTest::write))
        .containsExactly("\"1Gi\"", "\"1024Mi\"", "\"1Gi\"", "\"1073741824\"");
  }

  @Test
  void read_badText_isAMismatchAtItsPlace() {
    JsonReader in = JsonReader.of("{\"limits\":{\"cpu\":\"1 core\",\"x\":\"2\"}}".getBytes(UTF_8));
    in.beginObject();
    assertThat(in.nextName()).isEqualTo("limits");

    assertThatThrownBy(() -> in.nextMap(Quantity.CODEC))
        .isInstanceOfSatisfying(
            CodecException.class,
            error -> {
              assertThat(error.isRecoverable()).isTrue();
              assertThat(error.path()).isEqualTo("/limits/cpu");
              assertThat(error)
                  .hasMessageStartingWith(
                      "expected a quantity such as 500m, 2 or 1.5Gi, but \"1 core\" has the"
                          + " unknown suffix \" core\" at /limits/cpu");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "{}", "[]", "\"\"", "\"x\"", "1e9999"})
  void read_anythingElse_isAMismatch(String json) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOfSatisfying(
            CodecException.class, error -> assertThat(error.isRecoverable()).isTrue());
  }
}
