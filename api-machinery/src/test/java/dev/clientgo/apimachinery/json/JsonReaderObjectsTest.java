package dev.clientgo.apimachinery.json;

import static dev.clientgo.apimachinery.json.TestReaders.BOX;
import static dev.clientgo.apimachinery.json.TestReaders.codecException;
import static dev.clientgo.apimachinery.json.TestReaders.reader;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.CodecException;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Objects that cannot be decoded are named and skipped. In the JSON of these tests, {@code '}
 * stands for {@code "}.
 */
final class JsonReaderObjectsTest {

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

  private static <T> JsonCodec<T> reading(Function<JsonReader, T> read) {
    return new JsonCodec<>() {
      @Override
      public T read(JsonReader in) {
        return read.apply(in);
      }

      @Override
      public void write(JsonWriter out, T value) {
        throw new AssertionError("these tests only read");
      }
    };
  }
}
