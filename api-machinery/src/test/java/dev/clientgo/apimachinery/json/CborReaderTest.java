package dev.clientgo.apimachinery.json;

import static dev.clientgo.apimachinery.json.CborBytes.hex;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of numbers are those of RFC 8949, appendix A. */
final class CborReaderTest {

  private static final FieldNames FIELDS = FieldNames.of("a", "b");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "00                     | 0",
        "17                     | 23",
        "1818                   | 24",
        "1903e8                 | 1000",
        "1b7fffffffffffffff     | 9223372036854775807",
        "20                     | -1",
        "3903e7                 | -1000",
        "3b7fffffffffffffff     | -9223372036854775808",
        "f90000                 | 0",
        "f93c00                 | 1",
        "f93e00                 | 1.5",
        "f90002                 | 1.1920928955078125E-7",
        "f97bff                 | 65504",
        "f9c400                 | -4",
        "fa47c35000             | 100000",
        "fb3ff199999999999a     | 1.1",
        "fb7e37e43c8800759c     | 1.0E300",
        "f4                     | false",
        "f5                     | true",
        "f6                     | null",
        "60                     | \"\"",
        "40                     | \"\"",
        "6449455446             | \"IETF\"",
        "4449455446             | \"IETF\"",
        "62c3bc                 | \"ü\"",
        "42c3bc                 | \"ü\"",
        "62225c                 | \"\\\"\\\\\"",
        "5f426162 4163ff        | \"abc\"",
        "7f657374726561646d696e67ff | \"streaming\"",
        "80                     | []",
        "83010203               | [1,2,3]",
        "9f0102ff               | [1,2]",
        "a0                     | {}",
        "a26161016162820203     | {\"a\":1,\"b\":[2,3]}",
        "a24162f541610a         | {\"a\":10,\"b\":true}",
        "bf416101416202ff       | {\"a\":1,\"b\":2}",
        "d9d9f7a1416101         | {\"a\":1}",
        "d6450102030405         | \"AQIDBAU=\"",
        "d543fbff00             | \"-_8A\"",
        "d74301abff             | \"01abff\"",
        "d6826161 42ffff        | [\"a\",\"//8=\"]",
        "c074323031332d30332d32315432303a30343a30305a | \"2013-03-21T20:04:00Z\"",
        "c11a514b67b0           | \"2013-03-21T20:04:00Z\"",
        "c1fb41d452d9ec200000   | \"2013-03-21T20:04:00.500Z\"",
        "d8206161               | \"a\"",
      })
  void nextRaw_anyValue_isItsJson(String digits, String json) {
    assertThat(reader(digits).nextRaw()).hasToString(json);
    assertThat(reader(digits).nextTree()).isEqualTo(RawJson.of(json).reader().nextTree());
    JsonReader skipping = reader(digits);
    skipping.skip();
    assertThat(skipping.peek()).isEqualTo(JsonReader.Token.END_OF_STREAM);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1b8000000000000000 | expected a number of 64 bits, found 9223372036854775808 (byte 0)",
        "3b8000000000000000 | expected a number of 64 bits, found -1-9223372036854775808 (byte 0)",
        "c249010000000000000000 | expected a number of 64 bits, found a longer one (byte 0)",
        "f97e00             | expected a number, found NaN (byte 0)",
        "f97c00             | expected a number, found Infinity (byte 0)",
        "f7                 | expected a value, found one that JSON does not have: 247 (byte 0)",
        "f8ff               | expected a value, found one that JSON does not have: 248 (byte 0)",
        "ff                 | expected a value, found byte 0xff (byte 0)",
        "fc                 | expected a value, found byte 0xfc (byte 0)",
        "1c                 | expected a value, found byte 0x1c (byte 0)",
        "5c                 | expected a value, found byte 0x5c (byte 0)",
        "1f                 | expected a value, found byte 0x1f (byte 0)",
        "62c328             | invalid UTF-8 (byte 0)",
        "5f6161ff           | string with a part of another type (byte 1)",
        "a10101             | expected the name of a field, found another value (byte 1)",
        "81                 | unexpected end of the stream at /0 (byte 1)",
        "a1                 | unexpected end of the stream (byte 1)",
        "a16161             | unexpected end of the stream at /a (byte 3)",
        "43                 | unexpected end of the stream (byte 1)",
        "5b7fffffffffffffff | string of more than 67108864 bytes (byte 0)",
        "9bffffffffffffffff | array or map of 18446744073709551615 elements (byte 0)",
        "bb7fffffffffffffff | array or map of 9223372036854775807 elements (byte 0)",
        "bf6161ff           | expected a value, found byte 0xff at /a (byte 3)",
        "c1fb7e37e43c8800759c | expected a time, found 1.0E300 seconds (byte 1)",
      })
  void nextTree_badValue_namesTheProblemAndThePlace(String digits, String message) {
    assertThatThrownBy(() -> reader(digits).nextTree())
        .isInstanceOf(CodecException.class)
        .hasMessage(message);
  }

  @Test
  void nextTree_endOfStream_isTheCause() {
    assertThatThrownBy(() -> reader("8201").nextTree()).hasCauseInstanceOf(EOFException.class);
  }

  @Test
  void nextTree_bytesThatAreNotUtf8_areReplacedAsServersDo() {
    assertThat(reader("4361ff62").nextTree()).isEqualTo("a\uFFFDb");
  }

  @Test
  void nextField_namesOfAnyForm_areFound() {
    // An unknown name, "a" as bytes, "b" as text in parts, null, an unknown map.
    JsonReader in = reader("a5 4178 80 4161 01 7f6162ff 02 4161 f6 4179 bf4161 05ff");
    List<String> seen = new ArrayList<>();

    in.beginObject();
    for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
      seen.add(FIELDS.names().get(field) + "=" + in.nextInt());
    }

    assertThat(seen).containsExactly("a=1", "b=2");
    assertThat(in.depth()).isZero();
    assertThat(in.peek()).isEqualTo(JsonReader.Token.END_OF_STREAM);
  }

  @Test
  void nextField_valuesNotRead_areSkipped() {
    JsonReader in = reader("a3 4161 82a14161018102 4162 4161 4161 07");

    in.beginObject();

    assertThat(in.nextField(FIELDS)).isEqualTo(0);
    assertThat(in.nextField(FIELDS)).isEqualTo(1);
    assertThat(in.nextField(FIELDS)).isEqualTo(0);
    assertThat(in.nextInt()).isEqualTo(7);
    assertThat(in.nextField(FIELDS)).isEqualTo(JsonReader.END);
  }

  @Test
  void nextTree_sameNameTwice_lastCounts() {
    assertThat(reader("a2 4161 01 4161 02").nextTree()).isEqualTo(Map.of("a", 2L));
    assertThat(reader("a2 4161 01 4161 02").nextRaw().reader().nextTree())
        .isEqualTo(Map.of("a", 2L));
  }

  @Test
  void nextInt_wrongType_isNamedAndCanBeSkipped() {
    JsonReader in = reader("83 4161 fb3ff199999999999a 05");
    in.beginArray();

    in.nextElement();
    assertThatThrownBy(in::nextInt)
        .hasMessage("expected a whole number of 32 bits, found a string at /0 (byte 1)");
    in.nextElement();
    assertThatThrownBy(in::nextLong)
        .hasMessage("expected a whole number of 64 bits, found 1.1 at /1 (byte 3)");
    in.nextElement();
    assertThat(in.nextInt()).isEqualTo(5);
  }

  @Test
  void nextNumber_wholeOfFloatingPoint_isWhole() {
    assertThat(reader("fb4000000000000000").nextNumber()).isEqualTo(2L);
    assertThat(reader("fb4000000000000000").nextInt()).isEqualTo(2);
    assertThat(reader("02").nextDouble()).isEqualTo(2.0);
    assertThat(reader("f98000").nextNumber()).isEqualTo(-0.0);
    assertThat(reader("fb4340000000000000").nextNumber()).isEqualTo(0x1p53);
  }

  @Test
  void nextRaw_fieldsInAnyOrder_areSortedByName() {
    assertThat(reader("a3 4162 01 416c a2 426162 02 4161 03 4161 04").nextRaw())
        .hasToString("{\"a\":4,\"b\":1,\"l\":{\"a\":3,\"ab\":2}}");
  }

  @Test
  void nextRaw_controlCharacters_areEscaped() {
    byte[] cbor = JsonWriter.toCbor(JsonCodecs.STRING, "a\nb\u0001é\"");

    assertThat(JsonReader.ofCbor(cbor, DecodeContext.create()).nextRaw())
        .hasToString("\"a\\u000ab\\u0001é\\\"\"");
  }

  @Test
  void nextReader_value_isReadBehindTheNext() {
    JsonReader in = reader("82 a1416101 4162");
    in.beginArray();
    in.nextElement();

    JsonReader first = in.nextReader();

    in.nextElement();
    assertThat(in.nextString()).isEqualTo("b");
    assertThat(first.nextTree()).isEqualTo(Map.of("a", 1L));
  }

  @Test
  void peek_sequence_readsOneItemAfterTheOther() {
    JsonReader in =
        JsonReader.ofCbor(
            new PieceStream(hex("d9d9f7a1416101"), hex("4162")).thenBlock(),
            DecodeContext.create());

    assertThat(in.nextTree()).isEqualTo(Map.of("a", 1L));
    assertThat(in.nextTree()).isEqualTo("b");
    assertThat(in.offset()).isEqualTo(9);
  }

  /** A server writes the fields in any order, so the bad one can come before the names. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "namespace name generation",
        "namespace generation name",
        "name generation namespace",
        "generation name namespace"
      })
  void nextObject_undecodable_namesItAndGoesOn(String order) {
    Map<String, String> fields = Map.of("namespace", "n", "name", "x", "generation", "one");
    Map<String, Object> metadata = new LinkedHashMap<>();
    for (String field : order.split(" ", -1)) {
      metadata.put(field, fields.get(field));
    }
    byte[] bad =
        JsonWriter.toCbor(
            JsonCodecs.TREE,
            List.of(Map.of("metadata", metadata), Map.of("metadata", Map.of("name", "y"))));
    JsonReader in = JsonReader.ofCbor(bad, DecodeContext.create());
    in.beginArray();
    in.nextElement();

    CodecException error =
        catchThrowableOfType(
            CodecException.class, () -> in.nextObject(PartialObjectMetadata.CODEC));

    assertThat(error.objectName()).isEqualTo("n/x");
    assertThat(error.path()).isEqualTo("/0/metadata/generation");
    assertThat(error.isRecoverable()).isTrue();
    in.nextElement();
    assertThat(in.nextObject(PartialObjectMetadata.CODEC).metadata().name()).isEqualTo("y");
    assertThat(in.nextElement()).isFalse();
  }

  @Test
  void nextObject_nameThatIsNoString_isSkipped() {
    JsonReader in = reader("82 a2 416101 8101 02 05");
    in.beginArray();
    in.nextElement();

    assertThatThrownBy(() -> in.nextObject(JsonCodecs.TREE))
        .hasMessageStartingWith("expected the name of a field, found another value");

    in.nextElement();
    assertThat(in.nextInt()).isEqualTo(5);
  }

  @Test
  void nextObject_deeperThanTheBound_isSkipped() {
    byte[] deep = new byte[2_000];
    Arrays.fill(deep, (byte) 0x81);
    deep[0] = (byte) 0x82;
    deep[deep.length - 2] = 0;
    deep[deep.length - 1] = 7;
    JsonReader in = JsonReader.ofCbor(deep, DecodeContext.create());
    in.beginArray();
    in.nextElement();

    assertThatThrownBy(() -> in.nextObject(JsonCodecs.TREE))
        .hasMessageContaining("nesting of more than 500 levels");

    in.nextElement();
    assertThat(in.nextInt()).isEqualTo(7);
  }

  @Test
  void nextRaw_deeperThanTheBound_isRefused() {
    byte[] deep = new byte[502];
    Arrays.fill(deep, (byte) 0x81);
    deep[deep.length - 1] = 0;

    assertThatThrownBy(() -> JsonReader.ofCbor(deep, DecodeContext.create()).nextRaw())
        .hasMessage("nesting of more than 500 levels (byte 500)");
  }

  @Test
  void skip_deeperThanAnyObject_isRefused() {
    byte[] deep = new byte[1 << 20];
    Arrays.fill(deep, (byte) 0x82);

    assertThatThrownBy(() -> JsonReader.ofCbor(deep, DecodeContext.create()).skip())
        .hasMessageContaining("nesting of more than 10000 levels");
  }

  @Test
  void nextObject_tooLarge_isNamedAndSkipped() {
    // [{"metadata": {"name": "big"}, "a": an unknown string of 20 MiB in 20 parts}, 7]
    List<InputStream> parts = new ArrayList<>();
    parts.add(new ByteArrayInputStream(hex("82 a2 486d65746164617461 a1 446e616d65 43626967")));
    parts.add(new ByteArrayInputStream(hex("4161 94")));
    for (int i = 0; i < 20; i++) {
      parts.add(new ByteArrayInputStream(hex("5a00100000")));
      parts.add(new ByteArrayInputStream("x".repeat(1 << 20).getBytes(UTF_8)));
    }
    parts.add(new ByteArrayInputStream(hex("07")));
    JsonReader in =
        JsonReader.ofCbor(
            new SequenceInputStream(Collections.enumeration(parts)), DecodeContext.create());
    in.beginArray();
    in.nextElement();

    assertThatThrownBy(() -> in.nextObject(PartialObjectMetadata.CODEC))
        .hasMessageContaining("object of more than 16777216 bytes")
        .hasMessageEndingWith("in object big");

    in.nextElement();
    assertThat(in.nextInt()).isEqualTo(7);
  }

  @Test
  void nextRaw_readBeforeInAnotherOrder_isTheSameValue() {
    JsonReader in = reader("82 a2 4161 01 4162 02 a2 4162 02 4161 01");

    List<RawJson> values = in.nextList(RawJson.CODEC);

    assertThat(values.get(1)).isSameAs(values.get(0));
  }

  @Test
  void project_fields_areSkipped() {
    JsonCodec<Object> keep = Projection.keep("spec.a").codec(JsonCodecs.TREE);
    JsonReader in = reader("a2 4473706563 a3 4162 81a0 4161 01 4163 02 46737461747573 a1 4161 05");

    assertThat(keep.read(in)).isEqualTo(Map.of("spec", Map.of("a", 1L)));
    assertThat(in.peek()).isEqualTo(JsonReader.Token.END_OF_STREAM);
  }

  @Test
  void toCbor_anyValue_isWhatServersWrite() {
    assertThat(JsonWriter.toCbor(JsonCodecs.TREE, List.of("a", 1L, -1L, 1.5, true)))
        .isEqualTo(hex("d9d9f7 85 4161 01 20 fa3fc00000 f5"));
    assertThat(JsonWriter.toCbor(RawJson.CODEC, RawJson.of("{\"a\":null,\"ü\":[0.1,300]}")))
        .isEqualTo(hex("d9d9f7 a2 4161 f6 42c3bc 82 fb3fb999999999999a 19012c"));
  }

  @Test
  void toCbor_manyElements_haveALongerCount() {
    List<Object> many = Collections.nCopies(300, (Object) 7L);

    byte[] cbor = JsonWriter.toCbor(JsonCodecs.TREE, List.of(many, 8L));

    assertThat(Arrays.copyOf(cbor, 8)).isEqualTo(hex("d9d9f7 82 99012c 07"));
    assertThat(JsonReader.ofCbor(cbor, DecodeContext.create()).nextTree())
        .isEqualTo(List.of(many, 8L));
  }

  @Test
  void toCbor_notANumber_namesThePlace() {
    assertThatThrownBy(
            () -> JsonWriter.toCbor(JsonCodecs.TREE, Map.of("a", List.of(1L, Double.NaN))))
        .isInstanceOf(CodecException.class)
        .hasMessage("CBOR of the API has no number NaN at /a/1");
  }

  private static JsonReader reader(String digits) {
    return JsonReader.ofCbor(hex(digits), DecodeContext.create());
  }
}
