package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.entry;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.CodecException;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In the JSON of these tests, {@code '} stands for {@code "}. */
final class JsonReaderTest {

  private static final FieldNames FIELDS = FieldNames.of("a", "b", "name with spaces", "ü☸");

  /** A codec of a type with one number, {@code n}. */
  private static final JsonCodec<Integer> BOX =
      new JsonCodec<>() {
        private static final FieldNames N = FieldNames.of("n");

        @Override
        public Integer read(JsonReader in) {
          int n = 0;
          in.beginObject();
          while (in.nextField(N) != JsonReader.END) {
            n = in.nextInt();
          }
          return n;
        }

        @Override
        public void write(JsonWriter out, Integer value) {
          throw new UnsupportedOperationException();
        }
      };

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

  // ------------------------------------------------------------------------------------- Objects

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'metadata':{'name':'x','namespace':'ns'},'n':'bad'}",
        "{'n':'bad','metadata':{'name':'x','namespace':'ns'}}",
        "{'n':'bad','spec':{'metadata':{'name':'no'}},'metadata':{'labels':{'name':'no'},"
            + "'namespace':'ns','name':'x'},'more':[{}]}",
        "{'n':[1,{'n':2}],'metadata':{'name':'x','namespace':'ns','name2':[]}}"
      })
  void nextObject_notDecodable_namesItAndStandsBehindIt(String object) {
    JsonReader in = reader("[" + object + ",{'n':5}]");
    in.beginArray();
    in.nextElement();

    CodecException error = codecException(() -> in.nextObject(BOX));

    assertThat(error.objectName()).isEqualTo("ns/x");
    assertThat(error.path()).isEqualTo("/0/n");
    assertThat(error.isRecoverable()).isTrue();
    assertThat(in.depth()).isEqualTo(1);
    assertThat(in.nextElement()).isTrue();
    assertThat(in.nextObject(BOX)).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{'n':'','metadata':{'name':'x'}}                 | x",
        "{'n':'','metadata':{'name':'x','namespace':''}}  | x",
        "{'n':'','metadata':{'namespace':'ns'}}           |",
        "{'n':'','metadata':{'name':7,'namespace':'ns'}}  |",
        "{'n':'','metadata':['name']}                     |",
        "{'n':''}                                         |",
        "[1]                                              |",
        "'x'                                              |",
        "null                                             |"
      })
  void nextObject_nameNotThere_namesAsFarAsPossible(String object, String name) {
    JsonReader in = reader("[" + object + ",{'n':5}]");
    in.beginArray();
    in.nextElement();

    CodecException error = codecException(() -> in.nextObject(BOX));

    assertThat(error.objectName()).isEqualTo(name);
    assertThat(in.nextElement()).isTrue();
    assertThat(in.nextObject(BOX)).isEqualTo(5);
  }

  @Test
  void nextObject_acrossBuffers_stillFindsTheName() {
    String padding = "'p':'" + "é".repeat(20_000) + "'";
    JsonReader in =
        reader("[{'metadata':{'name':'x'}," + padding + ",'n':'bad'," + padding + "},{'n':5}]");
    in.beginArray();
    in.nextElement();

    assertThat(codecException(() -> in.nextObject(BOX)).objectName()).isEqualTo("x");
    assertThat(in.nextElement()).isTrue();
    assertThat(in.nextObject(BOX)).isEqualTo(5);
  }

  @Test
  void nextObject_codecThrowsSomethingElse_reportsItAsMismatch() {
    IllegalArgumentException cause = new IllegalArgumentException("negative");
    JsonReader in = reader("[{'metadata':{'name':'x'}},{'n':5}]");
    in.beginArray();
    in.nextElement();

    CodecException error =
        codecException(
            () ->
                in.nextObject(
                    reading(
                        r -> {
                          r.beginObject();
                          throw cause;
                        })));

    assertThat(error).hasMessageContaining("negative").hasCause(cause);
    assertThat(error.isRecoverable()).isTrue();
    assertThat(error.objectName()).isEqualTo("x");
    assertThat(in.nextElement()).isTrue();
    assertThat(in.nextObject(BOX)).isEqualTo(5);
  }

  @Test
  void nextObject_codecLeavesSomething_skipsIt() {
    JsonReader in = reader("[{'a':{'x':[1,2]}},{'n':5}]");
    in.beginArray();
    in.nextElement();

    in.nextObject(
        reading(
            r -> {
              r.beginObject();
              r.nextName();
              r.beginObject();
              return r.nextName();
            }));

    assertThat(in.depth()).isEqualTo(1);
    assertThat(in.nextElement()).isTrue();
    assertThat(in.nextObject(BOX)).isEqualTo(5);
  }

  static Stream<Arguments> tooLarge() {
    String chunk = "'" + "x".repeat(1 << 20) + "',";
    String string = "'" + "\\\"[".repeat(6 << 20) + "'";
    return Stream.of(
        argumentSet("many elements", "{'metadata':{'name':'x'},'a':[" + chunk.repeat(17) + "1]}"),
        argumentSet("a string", "{'metadata':{'name':'x'},'a':" + string + ",'b':[{}]}"),
        argumentSet("a name", "{'metadata':{'name':'x'}," + string + ":1,'b':[{}]}"),
        argumentSet("white space", "{'metadata':{'name':'x'}," + " ".repeat(17 << 20) + "'b':[]}"),
        argumentSet("behind another error", "{'n':'','metadata':{'name':'x'},'a':" + string + "}"));
  }

  @ParameterizedTest
  @MethodSource("tooLarge")
  void nextObject_tooLarge_isRefusedByNameAndSkipped(String object) {
    byte[] json = ("[" + object + ",{'n':5}]").replace('\'', '"').getBytes(UTF_8);
    for (JsonReader in :
        List.of(
            JsonReader.of(json),
            JsonReader.of(new ByteArrayInputStream(json), DecodeContext.create()))) {
      in.beginArray();
      in.nextElement();

      CodecException error = codecException(() -> in.nextObject(BOX));

      assertThat(error.problem())
          .isEqualTo(
              object.startsWith("{'n'")
                  ? "expected a whole number of 32 bits, found a string"
                  : "object of more than 16777216 bytes");
      assertThat(error.objectName()).isEqualTo("x");
      assertThat(error.isRecoverable()).isTrue();
      assertThat(in.nextElement()).isTrue();
      assertThat(in.nextObject(BOX)).isEqualTo(5);
    }
  }

  @Test
  void nextObject_giantStringInsteadOfAnObject_isSkipped() {
    JsonReader in = reader("['" + "x".repeat(17 << 20) + "',{'n':5}]");
    in.beginArray();
    in.nextElement();

    CodecException error = codecException(() -> in.nextObject(BOX));

    assertThat(error).hasMessage("expected an object, found a string at /0 (byte 1)");
    assertThat(in.nextElement()).isTrue();
    assertThat(in.nextObject(BOX)).isEqualTo(5);
  }

  @Test
  void nextObject_malformedOrTruncated_stillNamesIt() {
    for (String end : List.of(" 'x'", "")) {
      JsonReader in = reader("{'kind':'Ship','metadata':{'namespace':'ns','name':'x'}" + end);

      CodecException error = codecException(() -> in.nextObject(BOX));

      assertThat(error.objectKind()).isEqualTo("Ship");
      assertThat(error.objectName()).isEqualTo("ns/x");
      assertThat(error).hasMessageEndingWith(" in Ship ns/x");
      assertThat(error.isRecoverable()).isFalse();
    }
  }

  // -------------------------------------------------------------------------------------- Errors

  private static final String INT = "expected a whole number of 32 bits";
  private static final String LONG = "expected a whole number of 64 bits";

  static Stream<Arguments> mismatches() {
    return Stream.of(
        mismatch("object", in -> in.nextMap(BOX), "[1]", "expected an object, found an array"),
        mismatch("object", in -> in.nextObject(BOX), "'x'", "expected an object, found a string"),
        mismatch("string map", JsonReader::nextStringMap, "null", "expected an object, found null"),
        mismatch("array", in -> in.nextList(BOX), "{'a':[]}", "expected an array, found an object"),
        mismatch(
            "strings", JsonReader::nextStringList, "true", "expected an array, found a boolean"),
        mismatch("string", JsonReader::nextString, "{}", "expected a string, found an object"),
        mismatch("string", JsonReader::nextString, "7", "expected a string, found a number"),
        mismatch(
            "boolean", JsonReader::nextBoolean, "'true'", "expected true or false, found a string"),
        mismatch("boolean", JsonReader::nextBoolean, "0", "expected true or false, found a number"),
        mismatch("int", JsonReader::nextInt, "'7'", INT + ", found a string"),
        mismatch("int", JsonReader::nextInt, "1.0", INT + ", found 1.0"),
        mismatch("int", JsonReader::nextInt, "1e3", INT + ", found 1e3"),
        mismatch("int", JsonReader::nextInt, "2147483648", INT + ", found 2147483648"),
        mismatch("int", JsonReader::nextInt, "-2147483649", INT + ", found -2147483649"),
        mismatch(
            "int", JsonReader::nextInt, "9223372036854775808", INT + ", found 9223372036854775808"),
        mismatch("long", JsonReader::nextLong, "false", LONG + ", found a boolean"),
        mismatch("long", JsonReader::nextLong, "2.5", LONG + ", found 2.5"),
        mismatch(
            "long",
            JsonReader::nextLong,
            "9223372036854775808",
            LONG + ", found 9223372036854775808"),
        mismatch("double", JsonReader::nextDouble, "'x'", "expected a number, found a string"),
        mismatch(
            "double", JsonReader::nextDouble, "1e400", "expected a number of 64 bits, found 1e400"),
        mismatch("number", JsonReader::nextNumber, "[]", "expected a number, found an array"),
        mismatch(
            "number",
            JsonReader::nextNumber,
            "1e99999999999",
            "expected a number, found one out of all range: 1e99999999999"));
  }

  private static Arguments mismatch(
      String name, Function<JsonReader, Object> read, String json, String problem) {
    return argumentSet(name + " of " + json, read, json, problem);
  }

  @ParameterizedTest
  @MethodSource("mismatches")
  void next_valueOfAnotherType_tellsWhatAndWhere(
      Function<JsonReader, Object> read, String json, String problem) {
    JsonReader in = reader("{'x':0,'é/~':[null, " + json + ", {'n':5}]}");
    in.beginObject();
    in.nextName();
    in.nextName();
    in.beginArray();
    in.nextElement();
    in.nextElement();

    CodecException error = codecException(() -> read.apply(in));

    assertThat(error).hasMessage(problem + " at /é~1~0/1 (byte 21)");
    assertThat(error.path()).isEqualTo("/é~1~0/1");
    assertThat(error.offset()).isEqualTo(21);
    assertThat(error.isRecoverable()).isTrue();
    assertThat(in.nextElement()).isTrue();
    assertThat(in.nextObject(BOX)).isEqualTo(5);
    assertThat(in.nextElement()).isFalse();
    assertThat(in.nextName()).isNull();
    assertThat(in.peek()).isEqualTo(JsonReader.Token.END_OF_STREAM);
  }

  @Test
  void mismatch_ofACodec_pointsAtTheLastValue() {
    JsonReader in = reader("{'a':{'x':'text'}}");
    in.beginObject();
    in.nextName();
    in.beginObject();
    in.nextName();
    in.nextString();

    assertThat(in.mismatch("not a time")).hasMessage("not a time at /a/x (byte 10)");
  }

  static Stream<Arguments> malformed() {
    return Stream.of(
        argumentSet(
            "word", "{'a':[1, nope]}", "/a/1", 9, "expected a value, found a word that is none"),
        argumentSet("other word", "{'a':[1, Nope]}", "/a/1", 9, "expected a value, found N"),
        argumentSet(
            "missing comma",
            "{'a':1 'b':2}",
            "/a",
            7,
            "expected a comma or the end of the object, found \""),
        argumentSet("missing colon", "{'a' 1}", "/a", 5, "expected a colon, found 1"),
        argumentSet("missing value", "{'a':}", "/a", 5, "expected a value, found }"),
        argumentSet(
            "trailing comma in object",
            "{'a':1,}",
            "/a",
            7,
            "expected the name of a field, found }"),
        argumentSet("trailing comma in array", "[1,]", "/1", 3, "expected a value, found ]"),
        argumentSet("leading comma", "[,1]", "/0", 1, "expected a value, found ,"),
        argumentSet(
            "wrong end",
            "{'a':[1}}",
            "/a/0",
            7,
            "expected a comma or the end of the array, found }"),
        argumentSet("name without quotes", "{a:1}", "", 1, "expected the name of a field, found a"),
        argumentSet("comment", "{/* */'a':1}", "", 1, "expected the name of a field, found /"),
        argumentSet("leading zero", "[01]", "/0", 1, "number with a leading zero"),
        argumentSet("leading zero of a fraction", "[-00.5]", "/0", 2, "number with a leading zero"),
        argumentSet("plus sign", "[+1]", "/0", 1, "expected a value, found +"),
        argumentSet("lonely minus", "[-]", "/0", 2, "expected a digit"),
        argumentSet("no digits behind the point", "[1.]", "/0", 3, "expected a digit"),
        argumentSet("no digits in the exponent", "[1e+]", "/0", 4, "expected a digit"),
        argumentSet(
            "hexadecimal", "[0x1]", "/0", 2, "expected a comma or the end of the array, found x"),
        argumentSet("not a number", "[NaN]", "/0", 1, "expected a value, found N"),
        argumentSet("control character", "['a\u0001']", "/0", 3, "control character in a string"),
        argumentSet("line break in string", "['a\n']", "/0", 3, "control character in a string"),
        argumentSet("byte order mark", "\uFEFF{}", "", 0, "expected a value, found byte 0xef"),
        argumentSet("zero byte", "\u0000{}", "", 0, "expected a value, found byte 0x0"));
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void next_malformedText_tellsWhatAndWhereAndStaysThere(
      String json, String path, long offset, String problem) {
    JsonReader in = reader(json);

    CodecException error = codecException(in::nextTree);

    assertThat(error)
        .hasMessage(problem + (path.isEmpty() ? "" : " at " + path) + " (byte " + offset + ")")
        .hasNoCause();
    assertThat(error.path()).isEqualTo(path);
    assertThat(error.offset()).isEqualTo(offset);
    assertThat(error.isRecoverable()).isFalse();
    assertThatThrownBy(() -> in.leave(0)).isSameAs(error);
  }

  static Stream<Arguments> unreadable() {
    String deep = "[".repeat(JsonReader.MAX_DEPTH + 1) + "]".repeat(JsonReader.MAX_DEPTH + 1);
    return Stream.of(
        argumentSet("too deep", deep, "/0".repeat(500), 500, "nesting of more than 500 levels"),
        argumentSet(
            "far too deep",
            "[".repeat(100_000) + "]".repeat(100_000),
            "/0".repeat(500),
            500,
            "nesting of more than 500 levels"),
        argumentSet(
            "endless number",
            "[" + "1".repeat(1001) + "]",
            "/0",
            1,
            "number of more than 1000 characters"),
        argumentSet("unknown escape", "['a\\x']", "/0", 3, "unknown escape in a string"),
        argumentSet(
            "escaped letter of more bytes", "['a\\é']", "/0", 3, "unknown escape in a string"),
        argumentSet(
            "short escape",
            "['\\u12']",
            "/0",
            2,
            "escape in a string without four hexadecimal digits"),
        argumentSet(
            "escape of another script",
            "['\\u123٤']",
            "/0",
            2,
            "escape in a string without four hexadecimal digits"),
        argumentSet("name", "[{'x':1,'\\x}],[{':1}]", "/0/x", 9, "unknown escape in a string"));
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void next_unreadableValue_tellsWhatAndWhereAndCanBeLeft(
      String json, String path, long offset, String problem) {
    for (Function<JsonReader, Object> read :
        List.<Function<JsonReader, Object>>of(
            JsonReader::nextTree, JsonReader::nextRaw, JsonReaderTest::skip)) {
      JsonReader in = bytewise((json + "{'n':5}").replace('\'', '"').getBytes(UTF_8));

      CodecException error = codecException(() -> read.apply(in));

      assertThat(error.problem()).isEqualTo(problem);
      assertThat(error.offset()).isEqualTo(offset);
      assertThat(error.isRecoverable()).isTrue();
      assertThatThrownBy(() -> read.apply(in)).isInstanceOf(CodecException.class);
      in.leave(0);
      assertThat(in.nextObject(BOX)).isEqualTo(5);
    }
    assertThat(codecException(() -> reader(json).nextTree()).path()).isEqualTo(path);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {0x80, 0xC0, 0xC1, 0xF5, 0xFF, 0xC328, 0xE28028, 0xEDA080, 0xF0808080, 0xF4908080})
  void nextString_invalidUtf8_isUnreadable(int bytes) {
    byte[] json = "['a    ']".replace('\'', '"').getBytes(UTF_8);
    int length = (Integer.SIZE - Integer.numberOfLeadingZeros(bytes) + 7) / 8;
    for (int i = 0; i < length; i++) {
      json[3 + i] = (byte) (bytes >>> (8 * (length - 1 - i)));
    }
    JsonReader in = JsonReader.of(json);

    CodecException error = codecException(in::nextTree);

    assertThat(error).hasMessage("invalid UTF-8 at /0 (byte 3)");
    assertThat(error.isRecoverable()).isTrue();
    in.leave(0);
    assertThat(in.peek()).isEqualTo(JsonReader.Token.END_OF_STREAM);
  }

  @Test
  void next_truncatedAtEachByte_saysSo() {
    String json = "{'a':[1.5e3,-2,'é\\u00e9\\n',true,false,null,{}],'b':{'n':{'c':[[]]}} }";
    byte[] bytes = json.replace('\'', '"').getBytes(UTF_8);
    for (int length = 0; length < bytes.length; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      for (JsonReader in : List.of(JsonReader.of(part), bytewise(part))) {
        for (Function<JsonReader, Object> read :
            List.<Function<JsonReader, Object>>of(
                JsonReader::nextTree, JsonReader::nextRaw, JsonReaderTest::skip)) {
          assertThat(codecException(() -> read.apply(in)))
              .as("first %s bytes", length)
              .hasMessageContaining("unexpected end of the stream")
              .hasCauseInstanceOf(EOFException.class)
              .extracting(CodecException::isRecoverable)
              .isEqualTo(false);
        }
      }
    }
    assertThat(JsonReader.of(bytes).nextTree()).isNotNull();
  }

  @Test
  void next_brokenStream_throwsItsException() {
    IOException reset = new IOException("connection reset");
    InputStream broken = new PieceStream("{\"a\":[1,".getBytes(UTF_8)).thenFail(reset);

    assertThatThrownBy(() -> JsonReader.of(broken, DecodeContext.create()).nextTree())
        .isInstanceOf(UncheckedIOException.class)
        .hasCause(reset);
  }

  @Test
  void next_deepNesting_isReadUpToTheBound() {
    for (String open : List.of("[", "{'a':")) {
      String close = open.equals("[") ? "]" : "}";
      String deepest = open.repeat(JsonReader.MAX_DEPTH) + "1" + close.repeat(JsonReader.MAX_DEPTH);
      String deeper = open.repeat(100_000);

      assertThat(reader(deepest).nextTree()).isNotNull();
      assertThat(reader(deepest).nextRaw()).hasToString(deepest.replace('\'', '"'));
      for (Function<JsonReader, Object> read :
          List.<Function<JsonReader, Object>>of(
              JsonReader::nextTree, JsonReader::nextRaw, JsonReaderTest::skip)) {
        CodecException error = codecException(() -> read.apply(reader(deeper)));
        assertThat(error).hasMessageContaining("500");
      }
    }
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

  private static JsonReader reader(String json) {
    return JsonReader.of(json.replace('\'', '"').getBytes(UTF_8));
  }

  /** Returns a reader of a stream that gives one byte at a time. */
  private static JsonReader bytewise(String json) {
    return bytewise(json.replace('\'', '"').getBytes(UTF_8));
  }

  private static JsonReader bytewise(byte[] json) {
    return JsonReader.of(PieceStream.bytewise(json), DecodeContext.create());
  }

  private static Object skip(JsonReader in) {
    in.skip();
    return in;
  }

  private static <T> JsonCodec<T> reading(Function<JsonReader, T> read) {
    return new JsonCodec<>() {
      @Override
      public T read(JsonReader in) {
        return read.apply(in);
      }

      @Override
      public void write(JsonWriter out, T value) {
        throw new UnsupportedOperationException();
      }
    };
  }

  private static CodecException codecException(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    CodecException error = catchThrowableOfType(CodecException.class, call);
    assertThat(error).as("a CodecException").isNotNull();
    return error;
  }

  /** Returns a map that may have null values. */
  private static Map<String, Object> mapOf(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }
}
