package dev.clientgo.apimachinery.json;

import static dev.clientgo.apimachinery.json.TestReaders.BOX;
import static dev.clientgo.apimachinery.json.TestReaders.bytewise;
import static dev.clientgo.apimachinery.json.TestReaders.codecException;
import static dev.clientgo.apimachinery.json.TestReaders.reader;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.EOFException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Values of all types, from arrays and streams. In the JSON of these tests, {@code '} stands for
 * {@code "}.
 */
final class JsonReaderTest {

  private static final FieldNames FIELDS = FieldNames.of("a", "b", "name with spaces", "ü☸");

  // ---------------------------------------------------------------------------------- Structure

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{}     | OBJECT",
        "[]     | ARRAY",
        "'x'    | STRING",
        "''     | STRING",
        "0      | NUMBER",
        "-1.5   | NUMBER",
        "true   | BOOLEAN",
        "false  | BOOLEAN",
        "null   | NULL",
        "``     | END_OF_STREAM",
        "` \n\t`| END_OF_STREAM"
      })
  void peek_anyValue_tellsItsTypeAsOftenAsAsked(String json, JsonReader.Token expected) {
    JsonReader in = reader(json);

    assertThat(in.peek()).isEqualTo(expected);
    assertThat(in.peek()).isEqualTo(expected);
  }

  @Test
  void nextField_knownAndUnknownFields_givesIndexesOfTheKnown() {
    JsonReader in =
        reader(
            "{'x':{'a':[{'b':1}]},'b':1,'y':'long','a':2,'name with spaces':3,'ü☸':4,'z':[[]],"
                + "'\\u0061':5}");
    List<String> seen = new ArrayList<>();

    in.beginObject();
    for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
      seen.add(FIELDS.names().get(field) + "=" + in.nextInt());
    }

    assertThat(seen).containsExactly("b=1", "a=2", "name with spaces=3", "ü☸=4", "a=5");
    assertThat(in.depth()).isZero();
    assertThat(in.peek()).isEqualTo(JsonReader.Token.END_OF_STREAM);
  }

  @Test
  void nextField_nullAndUnreadValues_skipsThem() {
    JsonReader in = reader("{'a':null,'b':{'deep':[1,2,{'a':1}]},'a':'text','b':7}");

    in.beginObject();

    assertThat(in.nextField(FIELDS)).isEqualTo(1);
    assertThat(in.nextField(FIELDS)).isEqualTo(0);
    assertThat(in.nextField(FIELDS)).isEqualTo(1);
    assertThat(in.nextInt()).isEqualTo(7);
    assertThat(in.nextField(FIELDS)).isEqualTo(JsonReader.END);
  }

  @Test
  void nextField_manyLongNames_findsEach() {
    String[] names = new String[500];
    StringBuilder json = new StringBuilder("{");
    for (int i = 0; i < names.length; i++) {
      names[i] = "f".repeat(i % 40) + i;
      json.append(i == 0 ? "" : ",").append('\'').append(names[i]).append("':").append(i);
    }
    FieldNames fields = FieldNames.of(names);

    JsonReader in = reader(json + "}");
    in.beginObject();
    for (int i = 0; i < names.length; i++) {
      assertThat(in.nextField(fields)).isEqualTo(i);
      assertThat(in.nextInt()).isEqualTo(i);
    }
    assertThat(in.nextField(fields)).isEqualTo(JsonReader.END);
  }

  @Test
  void nextName_anyField_givesItEvenIfNull() {
    JsonReader in = reader("{'x':null,'':{'y':1},'x':2}");

    in.beginObject();

    assertThat(in.nextName()).isEqualTo("x");
    assertThat(in.nextNull()).isTrue();
    assertThat(in.nextName()).isEmpty();
    assertThat(in.nextNull()).isFalse();
    assertThat(in.nextName()).isEqualTo("x");
    assertThat(in.nextInt()).isEqualTo(2);
    assertThat(in.nextName()).isNull();
    assertThat(in.depth()).isZero();
  }

  @Test
  void nextElement_unreadValues_skipsThem() {
    JsonReader in = reader("[1,[2,{'a':3}],{},'x',4]");
    int elements = 0;

    in.beginArray();
    while (in.nextElement()) {
      elements++;
    }

    assertThat(elements).isEqualTo(5);
    assertThat(in.depth()).isZero();
  }

  @Test
  void leave_fromAnywhere_skipsTheRest() {
    JsonReader in = reader("[{'a':[[1,2],{'b':3}],'b':4},5]");
    in.beginArray();
    in.nextElement();
    in.beginObject();
    in.nextField(FIELDS);
    in.beginArray();
    in.nextElement();
    in.beginArray();
    in.nextElement();
    assertThat(in.depth()).isEqualTo(4);

    in.leave(1);

    assertThat(in.depth()).isEqualTo(1);
    assertThat(in.nextElement()).isTrue();
    assertThat(in.nextInt()).isEqualTo(5);
    in.leave(1);
    assertThat(in.nextElement()).isFalse();
  }

  @Test
  void skip_sequenceOfValues_leavesTheNext() {
    JsonReader in = reader("{'a':[1]} 'x' [2] 3 true null 7");

    for (int i = 0; i < 6; i++) {
      in.skip();
    }

    assertThat(in.nextInt()).isEqualTo(7);
    assertThat(in.peek()).isEqualTo(JsonReader.Token.END_OF_STREAM);
  }

  // ------------------------------------------------------------------------------------ Scalars

  static Stream<Arguments> strings() {
    return Stream.of(
        argumentSet("empty", "''", ""),
        argumentSet("ascii", "'plain text'", "plain text"),
        argumentSet("short escapes", "'\\b\\t\\n\\f\\r\\\\\\/\\\"'", "\b\t\n\f\r\\/\""),
        argumentSet("apostrophe", "'\\u0027'", "'"),
        argumentSet("hex escapes", "'\\u0000\\u00e9\\u4E16\\uFFFF'", "\u0000é世\uFFFF"),
        argumentSet("two to four bytes", "'é☸😀'", "é☸😀"),
        argumentSet("escaped pair", "'\\ud83d\\ude00'", "😀"),
        argumentSet("surrogate alone", "'a\\ud83db'", "a\ud83db"),
        argumentSet("delete", "'\u007f'", "\u007f"),
        argumentSet("pool limit", "'" + "x".repeat(64) + "'", "x".repeat(64)),
        argumentSet("beyond pool limit", "'" + "é".repeat(65) + "'", "é".repeat(65)),
        argumentSet("several buffers", "'" + "☸".repeat(20_000) + "'", "☸".repeat(20_000)));
  }

  @ParameterizedTest
  @MethodSource("strings")
  void nextString_anyText_decodesIt(String json, String expected) {
    assertThat(reader(json).nextString()).isEqualTo(expected);
    assertThat(bytewise(json).nextString()).isEqualTo(expected);
  }

  @Test
  void nextString_twentyMegabytes_readsIt() {
    String text = "0123456789".repeat(2 << 20);

    assertThat(reader("'" + text + "'").nextString()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "-0, 0", "7, 7", "-12, -12", "2147483647, 2147483647"})
  void nextInt_wholeNumber_readsIt(String json, int expected) {
    assertThat(reader(json).nextInt()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "9223372036854775807", "-9223372036854775808", "4294967296"})
  void nextLong_wholeNumber_readsIt(String json) {
    assertThat(reader(json).nextLong()).isEqualTo(Long.parseLong(json));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-0.0", "1.5", "1e3", "1E-400", "123456789012345678901", "2.5E+10"})
  void nextDouble_anyNumber_readsTheNearest(String json) {
    assertThat(reader(json).nextDouble()).isEqualTo(Double.parseDouble(json));
  }

  static Stream<Arguments> numbers() {
    return Stream.of(
        argumentSet("zero", "0", 0L),
        argumentSet("largest long", "9223372036854775807", Long.MAX_VALUE),
        argumentSet("smallest long", "-9223372036854775808", Long.MIN_VALUE),
        argumentSet("beyond long", "9223372036854775809", new BigDecimal("9223372036854775809")),
        argumentSet("beyond long, a double", "18446744073709552000", 1.8446744073709552E19),
        argumentSet("fraction", "0.1", 0.1),
        argumentSet("trailing zero", "1.0", 1.0),
        argumentSet("exponent", "1e3", 1000.0),
        argumentSet("17 digits, a double", "0.30000000000000004", 0.30000000000000004),
        argumentSet(
            "more digits", "0.1000000000000000055", new BigDecimal("0.1000000000000000055")),
        argumentSet("too large", "1e400", new BigDecimal("1e400")),
        argumentSet("too small", "1e-400", new BigDecimal("1e-400")),
        argumentSet("negative zero", "-0.0", -0.0));
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void nextNumber_anyNumber_losesNothing(String json, Number expected) {
    assertThat(reader(json).nextNumber()).isEqualTo(expected);
    assertThat(bytewise(json).nextNumber()).isEqualTo(expected);
  }

  @Test
  void nextBoolean_both_readsThem() {
    JsonReader in = reader("true false");

    assertThat(in.nextBoolean()).isTrue();
    assertThat(in.nextBoolean()).isFalse();
  }

  // --------------------------------------------------------------------------------- Structures

  @Test
  void nextStringMap_entries_keepsOrderAndLastOfEqualNames() {
    Map<String, String> map = reader("{'b':'1','a':null,'c':'','b':'2'}").nextStringMap();

    assertThat(map).containsExactly(entry("b", "2"), entry("a", ""), entry("c", ""));
    assertThatThrownBy(() -> map.put("d", "4")).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void nextStringList_elements_readsThem() {
    assertThat(reader("['a',null,'']").nextStringList()).containsExactly("a", "", "");
    assertThat(reader("[]").nextStringList()).isEmpty();
  }

  @Test
  void nextList_ofCodec_readsThem() {
    assertThat(reader("[{'n':1},{},{'n':3}]").nextList(BOX)).containsExactly(1, 0, 3);
  }

  @Test
  void nextMap_ofCodec_readsThem() {
    assertThat(reader("{'x':{'n':1},'y':{}}").nextMap(BOX))
        .containsExactly(entry("x", 1), entry("y", 0));
  }

  static Stream<Arguments> nulls() {
    return Stream.of(
        argumentSet("object", BOX, 0),
        argumentSet("string", JsonCodecs.STRING, ""),
        argumentSet("int", JsonCodecs.INT, 0),
        argumentSet("long", JsonCodecs.LONG, 0L),
        argumentSet("double", JsonCodecs.DOUBLE, 0.0),
        argumentSet("boolean", JsonCodecs.BOOLEAN, false),
        argumentSet("list", JsonCodecs.list(JsonCodecs.INT), List.of()),
        argumentSet("map", JsonCodecs.map(JsonCodecs.INT), Map.of()),
        argumentSet("raw", JsonCodecs.RAW, RawJson.of("null")));
  }

  /** As encoding/json in Go does, where null leaves the zero value of the element. */
  @ParameterizedTest
  @MethodSource("nulls")
  <T> void nextList_nullElement_isTheZeroValue(JsonCodec<T> codec, T zero) {
    assertThat(reader("[null]").nextList(codec)).containsExactly(zero);
    assertThat(reader("{'a':null}").nextMap(codec)).isEqualTo(Map.of("a", zero));
  }

  @Test
  void nextTree_allTypes_readsThem() {
    Object tree = reader("{'s':'x','n':[1,-2.5,null],'t':true,'o':{'p':{}},'z':null}").nextTree();

    assertThat(tree)
        .isEqualTo(
            mapOf(
                "s",
                "x",
                "n",
                Arrays.asList(1L, -2.5, null),
                "t",
                true,
                "o",
                Map.of("p", Map.of()),
                "z",
                null));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{'a':1}                          | {'a':1}",
        "` { 'a b' : [ 1 , 2\n] }`        | {'a b':[1,2]}",
        "`{'k':' \\' \\\\', 'l' : '\t'}`  | {'k':' \\' \\\\','l':'\\t'}",
        "[1.10,1e5,-0]                    | [1.10,1e5,-0]",
        "'é\\u00e9'                       | 'é\\u00e9'",
        "1.10                             | 1.10",
        "true                             | true",
        "null                             | null"
      })
  void nextRaw_anyValue_keepsTextWithoutWhiteSpace(String json, String expected) {
    // A string cannot contain a raw tab; the table escapes it once more than Java.
    String text = json.replace("\t", "\\t");

    assertThat(reader(text).nextRaw()).hasToString(expected.replace('\'', '"'));
    assertThat(bytewise(text).nextRaw()).hasToString(expected.replace('\'', '"'));
  }

  @Test
  void nextRaw_acrossBuffers_keepsAll() {
    String value = "{'x':['" + "é".repeat(30_000) + "',{'y':'" + "z".repeat(9_000) + "'}]}";
    JsonReader in = reader("[1," + value + "," + value + ",2]");
    in.beginArray();
    in.nextElement();

    in.nextElement();
    assertThat(in.nextRaw()).hasToString(value.replace('\'', '"'));
    in.nextElement();
    assertThat(in.nextRaw()).hasToString(value.replace('\'', '"'));
    in.nextElement();
    assertThat(in.nextInt()).isEqualTo(2);
  }

  @Test
  void nextWithRest_unknownFields_handsThemOver() {
    Map<String, Object> rest = new LinkedHashMap<>();
    JsonReader in = reader("{'u':{'n':9},'n':1,'v':null,'n':2,'w':[1]}");

    assertThat(in.nextWithRest(BOX, rest::put)).isEqualTo(2);

    assertThat(rest).isEqualTo(mapOf("u", Map.of("n", 9L), "v", null, "w", List.of(1L)));
    assertThat(rest.keySet()).containsExactly("u", "v", "w");
  }

  // --------------------------------------------------------------------------- Streams and pools

  @Test
  void next_valueComplete_waitsForNoByteBehindIt() {
    InputStream stream = new PieceStream("{\"n\":1}".getBytes(UTF_8)).thenBlock();
    JsonReader in = JsonReader.of(stream, DecodeContext.create());

    assertThat(in.nextObject(BOX)).isEqualTo(1);
  }

  @Test
  void of_stream_readsNothingYetAndNeverCloses() {
    byte[] one = {'1'};
    PieceStream pieces = new PieceStream(one).thenBlock();
    JsonReader in = JsonReader.of(pieces, DecodeContext.create());
    assertThat(in.offset()).isZero();

    in = JsonReader.of(new PieceStream(one), DecodeContext.create());
    assertThat(in.nextInt()).isEqualTo(1);
    assertThat(in.peek()).isEqualTo(JsonReader.Token.END_OF_STREAM);
    assertThat(in.offset()).isEqualTo(1);
  }

  @Test
  void nextString_equalText_isOneString() {
    JsonReader in = reader("['abc',{'abc':'a\\u0062c'},'" + "x".repeat(64) + "']");
    List<?> tree = (List<?>) in.nextTree();
    Map<?, ?> map = (Map<?, ?>) tree.get(1);

    assertThat(map.keySet().iterator().next()).isSameAs(tree.get(0));
    assertThat(map.get("abc")).isSameAs(tree.get(0));
    assertThat(in.context().share(new String("abc"))).isSameAs(tree.get(0));
    assertThat(in.context().share("x".repeat(64))).isSameAs(tree.get(2));
  }

  @Test
  void fromBytes_moreThanOneValue_isRefused() {
    assertThat(JsonReader.fromBytes(BOX, "{\"n\":1} \n".getBytes(UTF_8))).isEqualTo(1);

    assertThat(codecException(() -> JsonReader.fromBytes(BOX, "{} {}".getBytes(UTF_8))))
        .hasMessage("expected the end, found more JSON (byte 3)");
    assertThat(codecException(() -> JsonReader.fromBytes(BOX, new byte[0])))
        .hasCauseInstanceOf(EOFException.class);
  }

  // ------------------------------------------------------------------------------------- Helpers

  /** Returns a map that may have null values. */
  private static Map<String, Object> mapOf(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }
}
