package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.CodecException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class JsonWriterTest {

  private static final JsonCodec<Integer> NUMBER =
      new JsonCodec<>() {
        @Override
        public Integer read(JsonReader in) {
          return in.nextInt();
        }

        @Override
        public void write(JsonWriter out, Integer value) {
          out.integer(value);
        }
      };

  static Stream<Arguments> strings() {
    return Stream.of(
        argumentSet("plain", "text/with'slash", "text/with'slash"),
        argumentSet("escapes", "\"\\\b\f\n\r\t", "\\\"\\\\\\b\\f\\n\\r\\t"),
        argumentSet("control", "\u0000\u001f\u007f", "\\u0000\\u001F\u007f"),
        argumentSet("unicode", "é☸😀\u2028", "é☸😀\u2028"),
        argumentSet("lonely high surrogate", "a\ud83db", "a\uFFFDb"),
        argumentSet("lonely low surrogate", "\ude00", "\uFFFD"),
        argumentSet("high surrogate at the end", "a\ud83d", "a\uFFFD"),
        argumentSet("two high surrogates", "\ud83d\ud83d\ude00", "\uFFFD😀"));
  }

  @ParameterizedTest
  @MethodSource("strings")
  void string_anyText_escapesOnlyWhatItMust(String text, String expected) {
    assertThat(written(out -> out.string(text))).isEqualTo('"' + expected + '"');
    assertThat(
            written(
                out -> {
                  out.beginObject();
                  out.name(text);
                  out.nullValue();
                  out.endObject();
                }))
        .isEqualTo("{\"" + expected + "\":null}");
  }

  static Stream<Arguments> numbers() {
    return Stream.of(
        Arguments.of(7, "7"),
        Arguments.of((short) -7, "-7"),
        Arguments.of((byte) 7, "7"),
        Arguments.of(Long.MIN_VALUE, "-9223372036854775808"),
        Arguments.of(0.1, "0.1"),
        Arguments.of(5.0, "5.0"),
        Arguments.of(1e300, "1.0E300"),
        Arguments.of(-0.0, "-0.0"),
        Arguments.of(0.1f, "0.1"),
        Arguments.of(new BigDecimal("0.1000000000000000055"), "0.1000000000000000055"),
        Arguments.of(new BigDecimal("1E+999999999"), "1E+999999999"),
        Arguments.of(new BigInteger("9223372036854775808"), "9223372036854775808"));
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void number_anyNumber_losesNothing(Number number, String expected) {
    assertThat(written(out -> out.number(number))).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("notFinite")
  void number_notFinite_isRefused(Number number) {
    assertThatThrownBy(
            () ->
                written(
                    out -> {
                      out.beginObject();
                      out.field("x", number);
                    }))
        .isInstanceOf(CodecException.class)
        .hasMessage("JSON has no number " + number + " at /x");
  }

  static Stream<Number> notFinite() {
    return Stream.of(Double.NaN, Double.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY);
  }

  @Test
  void fields_absent_writeNothing() {
    String json =
        written(
            out -> {
              out.beginObject();
              out.field("a", (String) null);
              out.field("b", (Boolean) null);
              out.field("c", (Number) null);
              out.field("d", (RawJson) null);
              out.field("e", NUMBER, null);
              out.listField("f", NUMBER, null);
              out.stringListField("g", null);
              out.stringMapField("h", null);
              out.mapField("i", NUMBER, null);
              out.endObject();
            });

    assertThat(json).isEqualTo("{}");
  }

  @Test
  void fields_present_areWrittenInOrder() {
    String json =
        written(
            out -> {
              out.beginObject();
              out.field("a", "");
              out.field("b", false);
              out.field("c", 0);
              out.field("d", RawJson.of("{\"x\":[1]}"));
              out.field("e", NUMBER, 5);
              out.listField("f", NUMBER, List.of(1, 2));
              out.stringListField("g", List.of());
              out.stringMapField("h", Immutable.map(Map.of("k", "v")));
              out.mapField("i", NUMBER, Map.of("k", 3));
              out.endObject();
            });

    assertThat(json)
        .isEqualTo(
            "{\"a\":\"\",\"b\":false,\"c\":0,\"d\":{\"x\":[1]},\"e\":5,\"f\":[1,2],\"g\":[],"
                + "\"h\":{\"k\":\"v\"},\"i\":{\"k\":3}}");
  }

  @Test
  void tree_allTypes_writesThem() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("z", null);
    map.put("a", Arrays.asList("s", true, 1L, 2.5, null, RawJson.of("[0]"), List.of(), Map.of()));

    assertThat(written(out -> out.tree(map)))
        .isEqualTo("{\"z\":null,\"a\":[\"s\",true,1,2.5,null,[0],[],{}]}");
  }

  @Test
  void tree_otherType_isRefusedWithItsPlace() {
    Map<String, Object> map = Map.of("a/b", List.of(1, Thread.State.NEW));

    assertThatThrownBy(() -> written(out -> out.tree(map)))
        .isInstanceOf(CodecException.class)
        .hasMessage("JSON has no value of class java.lang.Thread$State at /a~1b/1");
  }

  @Test
  void tree_endless_isRefused() {
    Object[] endless = new Object[1];
    endless[0] = Arrays.asList(endless);

    assertThatThrownBy(() -> written(out -> out.tree(endless[0])))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("nesting depth");
  }

  @Test
  void write_brokenStream_throwsItsException() {
    IOException reset = new IOException("connection reset");
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw reset;
          }

          @Override
          public void write(byte[] bytes, int from, int length) throws IOException {
            throw reset;
          }
        };
    JsonWriter out = JsonWriter.to(broken);
    out.string("x");

    assertThatThrownBy(out::flush).isInstanceOf(UncheckedIOException.class).hasCause(reset);
  }

  @Test
  void toBytes_value_isUtf8WithoutMore() {
    assertThat(JsonWriter.toBytes(NUMBER, 7)).isEqualTo(new byte[] {'7'});
  }

  private static String written(Consumer<JsonWriter> calls) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JsonWriter out = JsonWriter.to(bytes);
    calls.accept(out);
    out.flush();
    return bytes.toString(UTF_8);
  }
}
