package dev.clientgo.apimachinery.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.PieceStream;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In the JSON of these tests, {@code '} stands for {@code "}. */
final class WatchDecoderTest {

  private static final String GOOD = "{'type':'ADDED','object':{'metadata':{'name':'good'}}}";

  private static final String STREAM =
      """
      {'type':'ADDED','object':{'kind':'Ship','apiVersion':'sea/v1','metadata':{'name':'mÿ-ship',
        'labels':{'flag':'🏴‍☠️'}},'crew':[1,2.5,true,null,{'x':'a\\'b\\\\'}]}}
      {'type':'MODIFIED','object':{'kind':'Ship','metadata':{'name':'☸','generation':'seven'}}}
      {'type':'SUNK','object':{'metadata':{'name':'x'}}} {'object':{'kind':'Ship'},'type':'DELETED'}
      {'type':'BOOKMARK','object':{'metadata':{'resourceVersion':'7','annotations':{'k8s.io/initial-events-end':'true'}}}}\
      {'type':'BOOKMARK','object':{'kind':'Ship','metadata':{'resourceVersion':'8'}}}

      {'type':'ERROR','object':{'kind':'Status','apiVersion':'v1','code':410,'reason':'Expired'}}
      """
          .replace('\'', '"');

  private static final List<String> EVENTS =
      List.of(
          "Added {\"apiVersion\":\"sea/v1\",\"kind\":\"Ship\",\"metadata\":{\"name\":\"mÿ-ship\","
              + "\"labels\":{\"flag\":\"🏴‍☠️\"}},\"crew\":[1,2.5,true,null,{\"x\":\"a\\\"b\\\\\"}]}",
          "Failed expected a whole number of 64 bits, found a string"
              + " at /object/metadata/generation (byte 253) in Ship ☸",
          "Failed watch event of unknown type SUNK at /object (byte 288)",
          "Deleted {\"kind\":\"Ship\"}",
          "Bookmark[resourceVersion=7, initialEventsEnd=true]",
          "Bookmark[resourceVersion=8, initialEventsEnd=false]",
          "Failed Expired");

  // --------------------------------------------------------------------------------- The stream

  @Test
  void next_wholeStream_givesAllEvents() throws IOException {
    assertThat(described(decoder(STREAM))).isEqualTo(EVENTS);
  }

  @Test
  void next_splitAnywhere_givesTheSameEvents() throws IOException {
    byte[] stream = STREAM.getBytes(UTF_8);
    for (int i = 0; i <= stream.length; i++) {
      PieceStream pieces =
          new PieceStream(Arrays.copyOf(stream, i), Arrays.copyOfRange(stream, i, stream.length));

      assertThat(described(decoder(pieces))).as("split at %s", i).isEqualTo(EVENTS);
    }
    assertThat(described(decoder(PieceStream.bytewise(stream)))).isEqualTo(EVENTS);
  }

  @Test
  void next_splitAtRandom_givesTheSameEvents() throws IOException {
    byte[] stream = STREAM.repeat(20).getBytes(UTF_8);
    List<String> whole = described(decoder(new ByteArrayInputStream(stream)));
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      PieceStream in = PieceStream.atRandom(stream, random);
      assertThat(described(decoder(in))).as("seed %s, round %s", seed, round).isEqualTo(whole);
    }
    assertThat(whole).hasSize(20 * EVENTS.size());
  }

  @Test
  void next_endsAnywhere_givesWhatIsCompleteAndTellsAnEndWithinAnEvent() {
    byte[] stream = STREAM.getBytes(UTF_8);
    for (int i = 0; i <= stream.length; i++) {
      WatchDecoder<Unstructured> decoder =
          decoder(new ByteArrayInputStream(Arrays.copyOf(stream, i)));
      List<String> events = new ArrayList<>();
      boolean clean = true;
      try {
        collect(decoder, events);
      } catch (EOFException e) {
        assertThat(e).hasMessageStartingWith("unexpected end of the stream");
        clean = false;
      } catch (IOException e) {
        throw new AssertionError("cut at " + i, e);
      }

      String read = new String(stream, 0, i, UTF_8);
      assertThat(events).as("cut at %s", i).isEqualTo(EVENTS.subList(0, events.size()));
      assertThat(clean).as("cut at %s", i).isEqualTo(read.isBlank() || between(read));
      assertThatNextIsEmpty(decoder);
    }
  }

  /** Returns whether a part of the stream ends between two events. */
  private static boolean between(String read) {
    return read.chars().filter(c -> c == '{').count() == read.chars().filter(c -> c == '}').count();
  }

  @Test
  void next_oneEventThere_doesNotWaitForMore() throws IOException {
    for (String event : List.of(GOOD, "{'object':{},'type':'ADDED'}", "{'type':'SUNK'}", "7")) {
      PieceStream stream = new PieceStream(bytes(event + (event.equals("7") ? " " : "")));

      assertThat(decoder(stream.thenBlock()).next()).isPresent();
    }
  }

  @Test
  void next_connectionBreaks_throwsItsExceptionOnce() throws IOException {
    IOException reset = new IOException("connection reset");
    WatchDecoder<Unstructured> decoder =
        decoder(new PieceStream(bytes(GOOD + "{'type'")).thenFail(reset));

    assertThat(decoder.next()).isPresent();
    assertThatThrownBy(decoder::next).isSameAs(reset);
    assertThatNextIsEmpty(decoder);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n\t"})
  void next_nothing_isEmpty(String stream) {
    assertThatNextIsEmpty(decoder(stream));
  }

  @Test
  void next_equalStringsInTwoEvents_areOneObject() throws IOException {
    WatchDecoder<Unstructured> decoder =
        decoder("{'type':'ADDED','object':{'a':'same','same':1}}".repeat(2));

    Unstructured first = ((WatchEvent.Added<Unstructured>) decoder.next().orElseThrow()).value();
    Unstructured second = ((WatchEvent.Added<Unstructured>) decoder.next().orElseThrow()).value();

    assertThat(second.nestedString("a").get()).isSameAs(first.nestedString("a").get());
  }

  // --------------------------------------------------------------------------------- Bad events

  static Stream<Arguments> badEvents() {
    return Stream.of(
        argumentSet(
            "unknown type",
            "{'type':'X','object':{}}",
            "watch event of unknown type X at /object (byte 21)"),
        argumentSet(
            "unknown type behind",
            "{'object':{'a':1},'type':'X'}",
            "watch event of unknown type X (byte 0)"),
        argumentSet("no type", "{'object':{'a':1}}", "watch event without type (byte 17)"),
        argumentSet(
            "type null", "{'type':null,'object':{'a':1}}", "watch event without type (byte 29)"),
        argumentSet(
            "type of another type",
            "{'type':[1],'object':{}}",
            "expected a string, found an array at /type (byte 8)"),
        argumentSet(
            "no object", "{'type':'ADDED'}", "watch event of type ADDED without object (byte 15)"),
        argumentSet(
            "object null",
            "{'type':'ADDED','object':null}",
            "watch event of type ADDED without object (byte 29)"),
        argumentSet("empty", "{}", "watch event without type (byte 1)"),
        argumentSet("array", "[{}]", "expected a watch event, found an array (byte 0)"),
        argumentSet("string", "'x'", "expected a watch event, found a string (byte 0)"),
        argumentSet("null", "null", "expected a watch event, found null (byte 0)"),
        argumentSet(
            "object of another type",
            "{'type':'MODIFIED','object':['x']}",
            "expected an object, found an array at /object (byte 28)"),
        argumentSet(
            "bad object",
            "{'type':'ADDED','object':{'spec':[{'a':{}}],'metadata':{'namespace':'n','name':'x','labels':[]},'y':{'z':1}}}",
            "expected an object, found an array at /object/metadata/labels (byte 92) in object"
                + " n/x"),
        argumentSet(
            "bad object in front",
            "{'object':{'kind':1,'metadata':{'name':'x'}},'type':'ADDED'}",
            "expected a string, found a number at /kind (byte 8) in object x"),
        argumentSet(
            "bookmark without version",
            "{'type':'BOOKMARK','object':{'metadata':{}}}",
            "bookmark without resourceVersion at /object (byte 42)"),
        argumentSet(
            "bookmark with bad version",
            "{'type':'BOOKMARK','object':{'metadata':{'resourceVersion':7}}}",
            "expected a string, found a number at /object/metadata/resourceVersion (byte 59)"));
  }

  @ParameterizedTest
  @MethodSource("badEvents")
  void next_badEvent_reportsItAndGoesOn(String event, String problem) throws IOException {
    WatchDecoder<Unstructured> decoder = decoder(event + GOOD);

    KubernetesException error = ((WatchEvent.Failed<?>) decoder.next().orElseThrow()).error();

    assertThat(error).isInstanceOf(CodecException.class).hasMessage(problem);
    assertThat(((CodecException) error).isRecoverable()).isTrue();
    assertThat(decoder.next()).get().isInstanceOf(WatchEvent.Added.class);
    assertThatNextIsEmpty(decoder);
  }

  @Test
  void next_deletionOfABadObject_saysThatItIsOne() throws IOException {
    String bad = "'object':{'kind':1,'metadata':{'name':'x'}}";
    WatchDecoder<Unstructured> decoder =
        decoder(
            "{'type':'DELETED',%1$s}{%1$s,'type':'DELETED'}{'type':'MODIFIED',%1$s}"
                .formatted(bad));

    for (boolean deleted : new boolean[] {true, true, false}) {
      CodecException error =
          (CodecException) ((WatchEvent.Failed<?>) decoder.next().orElseThrow()).error();
      assertThat(error.isInDeleted()).isEqualTo(deleted);
      assertThat(error.objectName()).isEqualTo("x");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'ADDED' 'object':{}}",
        "{'type':'ADDED','object':{'a':01}}",
        "{'type':'X','object':{'a':tru}}",
        "{'object':{'a':1,},'type':'ADDED'}",
        "{'type':'ADDED','object':{'metadata':{'name':7},'x':}}",
        "<html>",
        "]"
      })
  void next_malformedEvent_reportsItAndEnds(String event) throws IOException {
    WatchDecoder<Unstructured> decoder = decoder(GOOD + event + GOOD);
    assertThat(decoder.next()).get().isInstanceOf(WatchEvent.Added.class);

    KubernetesException error = ((WatchEvent.Failed<?>) decoder.next().orElseThrow()).error();

    assertThat(error).isInstanceOf(CodecException.class);
    assertThat(((CodecException) error).isRecoverable()).isFalse();
    assertThatNextIsEmpty(decoder);
  }

  // ------------------------------------------------------------------------------------- Errors

  @Test
  void next_status_isTheErrorOfTheServer() throws IOException {
    WatchDecoder<Unstructured> decoder =
        decoder(
            "{'type':'ERROR','object':{'kind':'Status','apiVersion':'v1','status':'Failure',"
                + "'message':'too old resource version: 1 (2)','reason':'Expired','code':410}}");

    ApiStatusException error =
        (ApiStatusException) ((WatchEvent.Failed<?>) decoder.next().orElseThrow()).error();

    assertThat(error.isResourceExpired()).isTrue();
    assertThat(error.status().message()).isEqualTo("too old resource version: 1 (2)");
  }

  @Test
  void next_statusAsEarlyObjectOrOfTheMetaGroup_isTheErrorOfTheServer() throws IOException {
    assertThat(
            described(
                decoder(
                    "{'object':{'reason':'Expired','kind':'Status','apiVersion':'v1'},'type':'ERROR'}"
                        + "{'type':'ERROR','object':{'apiVersion':'meta.k8s.io/v1','reason':'Gone',"
                        + "'kind':'Status'}}")))
        .containsExactly("Failed Expired", "Failed Gone");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'x'}}",
        "{'kind':'Status','apiVersion':'ships/v1'}",
        "{'kind':'Status'}",
        "{'kind':'Status','apiVersion':'v1','code':'x'}",
        "{'kind':7}",
        "{}",
        "['x']",
        "'x'"
      })
  void next_errorThatIsNoStatus_isAnInternalError(String object) throws IOException {
    WatchDecoder<Unstructured> decoder = decoder("{'type':'ERROR','object':" + object + "}" + GOOD);

    ApiStatusException error =
        (ApiStatusException) ((WatchEvent.Failed<?>) decoder.next().orElseThrow()).error();

    assertThat(error.isInternalError()).isTrue();
    assertThat(error).hasMessageContaining("no Status");
    assertThat(decoder.next()).get().isInstanceOf(WatchEvent.Added.class);
  }

  // ---------------------------------------------------------------------------------- Bookmarks

  @ParameterizedTest
  @ValueSource(strings = {"'True'", "'false'", "''", "'1'", "null"})
  void next_bookmarkWithAnotherAnnotation_doesNotEndTheInitialEvents(String value)
      throws IOException {
    assertThat(
            described(
                decoder(
                    "{'type':'BOOKMARK','object':{'metadata':{'resourceVersion':'7','annotations':{"
                        + "'k8s.io/initial-events-end':"
                        + value
                        + "}}}}")))
        .containsExactly("Bookmark[resourceVersion=7, initialEventsEnd=false]");
  }

  // ------------------------------------------------------------------------------------- Helpers

  private static byte[] bytes(String json) {
    return json.replace('\'', '"').getBytes(UTF_8);
  }

  private static WatchDecoder<Unstructured> decoder(String json) {
    return decoder(new ByteArrayInputStream(bytes(json)));
  }

  private static WatchDecoder<Unstructured> decoder(InputStream in) {
    return WatchDecoder.json(in, Unstructured.CODEC, DecodeContext.create());
  }

  private static void assertThatNextIsEmpty(WatchDecoder<Unstructured> decoder) {
    for (int i = 0; i < 2; i++) {
      try {
        assertThat(decoder.next()).isEmpty();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static List<String> described(WatchDecoder<Unstructured> decoder) throws IOException {
    List<String> events = new ArrayList<>();
    collect(decoder, events);
    return events;
  }

  private static void collect(WatchDecoder<Unstructured> decoder, List<String> events)
      throws IOException {
    Optional<WatchEvent<Unstructured>> next = decoder.next();
    while (next.isPresent()) {
      events.add(describe(next.get()));
      next = decoder.next();
    }
  }

  private static String describe(WatchEvent<Unstructured> event) {
    return event.match(
        new WatchEvent.Cases<Unstructured, String>() {
          @Override
          public String added(Unstructured object) {
            return "Added " + object;
          }

          @Override
          public String modified(Unstructured object) {
            return "Modified " + object;
          }

          @Override
          public String deleted(Unstructured object) {
            return "Deleted " + object;
          }

          @Override
          public String bookmark(String resourceVersion, boolean initialEventsEnd) {
            return event.toString();
          }

          @Override
          public String failed(KubernetesException error) {
            return "Failed "
                + (error instanceof ApiStatusException status
                    ? status.status().reason()
                    : error.getMessage());
          }
        });
  }
}
