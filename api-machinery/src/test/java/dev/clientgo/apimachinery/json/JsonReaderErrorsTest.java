package dev.clientgo.apimachinery.json;

import static dev.clientgo.apimachinery.json.TestReaders.BOX;
import static dev.clientgo.apimachinery.json.TestReaders.bytewise;
import static dev.clientgo.apimachinery.json.TestReaders.codecException;
import static dev.clientgo.apimachinery.json.TestReaders.reader;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.CodecException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Errors name the problem and the place, and the reader stays usable. In the JSON of these tests,
 * {@code '} stands for {@code "}.
 */
final class JsonReaderErrorsTest {

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
            JsonReader::nextTree, JsonReader::nextRaw, JsonReaderErrorsTest::skip)) {
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
                JsonReader::nextTree, JsonReader::nextRaw, JsonReaderErrorsTest::skip)) {
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
              JsonReader::nextTree, JsonReader::nextRaw, JsonReaderErrorsTest::skip)) {
        CodecException error = codecException(() -> read.apply(reader(deeper)));
        assertThat(error).hasMessageContaining("500");
      }
    }
  }

  private static Object skip(JsonReader in) {
    in.skip();
    return in;
  }
}
