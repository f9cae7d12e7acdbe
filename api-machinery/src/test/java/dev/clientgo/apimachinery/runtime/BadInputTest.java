package dev.clientgo.apimachinery.runtime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.PieceStream;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.meta.TypeMeta;
import dev.clientgo.apimachinery.serializer.ListDecoder;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchDecoder;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One bad object among good ones costs nothing but itself, in a list and in a watch, with a codec
 * of one type and with that of any type. In the JSON of these tests, {@code '} stands for {@code "}
 * and a character for the byte of its number.
 */
final class BadInputTest {

  /** A type of some fields, read as generated codecs do. */
  record Ship(ObjectMeta metadata, int crew, List<Mast> masts, @Nullable Time launched)
      implements KubernetesObject {

    static final JsonCodec<Ship> CODEC =
        new JsonCodec<>() {
          private static final FieldNames FIELDS =
              FieldNames.of("apiVersion", "kind", "metadata", "crew", "masts", "launched");

          @Override
          public Ship read(JsonReader in) {
            ObjectMeta metadata = ObjectMeta.EMPTY;
            int crew = 0;
            List<Mast> masts = List.of();
            Time launched = null;
            in.beginObject();
            for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
              switch (field) {
                case 0 -> TypeMeta.expectApiVersion(in, "sea/v1");
                case 1 -> TypeMeta.expectKind(in, "Ship");
                case 2 -> metadata = ObjectMeta.CODEC.read(in);
                case 3 -> crew = in.nextInt();
                case 4 -> masts = in.nextList(Mast.CODEC);
                case 5 -> launched = Time.CODEC.read(in);
                default -> throw new AssertionError(field);
              }
            }
            return new Ship(metadata, crew, masts, launched);
          }

          @Override
          public void write(JsonWriter out, Ship value) {
            throw new UnsupportedOperationException();
          }
        };

    @Override
    public String apiVersion() {
      return "sea/v1";
    }

    @Override
    public String kind() {
      return "Ship";
    }

    @Override
    public Ship withMetadata(ObjectMeta metadata) {
      return new Ship(metadata, crew, masts, launched);
    }
  }

  /** A part of it. */
  record Mast(@Nullable String name) {

    static final JsonCodec<Mast> CODEC =
        new JsonCodec<>() {
          private static final FieldNames FIELDS = FieldNames.of("name");

          @Override
          public Mast read(JsonReader in) {
            String name = null;
            in.beginObject();
            while (in.nextField(FIELDS) != JsonReader.END) {
              name = in.nextString();
            }
            return new Mast(name);
          }

          @Override
          public void write(JsonWriter out, Mast value) {
            throw new UnsupportedOperationException();
          }
        };
  }

  private static final String GOOD = "{'metadata':{'name':'good'}}";

  private static final String NAMED =
      "'apiVersion':'sea/v1','kind':'Ship','metadata':{'namespace':'n','name':'bad'}";

  /** Behind a kind and a name, the problem is in a field, and all codecs report the same. */
  static Stream<Arguments> unreadableByAll() {
    return Stream.of(
        argumentSet("type of metadata", "'metadata':7", "", "expected an object, found a number"),
        argumentSet(
            "type of a label",
            "'metadata':{'labels':{'a':true}}",
            "/metadata/labels/a",
            "expected a string, found a boolean"),
        argumentSet(
            "number out of range",
            "'metadata':{'generation':9223372036854775808}",
            "/metadata/generation",
            "expected a whole number of 64 bits, found 9223372036854775808"),
        argumentSet(
            "fraction",
            "'metadata':{'generation':1.5}",
            "/metadata/generation",
            "expected a whole number of 64 bits, found 1.5"),
        argumentSet(
            "endless number",
            "'x':" + "9".repeat(1001),
            "/x",
            "number of more than 1000 characters"),
        argumentSet("invalid UTF-8", "'x':['\u00C3(']", "/x/0", "invalid UTF-8"),
        argumentSet("UTF-8 of a surrogate", "'x':'\u00ED\u00A0\u0080'", "/x", "invalid UTF-8"),
        argumentSet("unknown escape", "'x':'\\x'", "/x", "unknown escape in a string"),
        argumentSet(
            "too deep",
            "'x':" + "[".repeat(100_000) + "]".repeat(100_000),
            null,
            "nesting of more than 500 levels"),
        argumentSet(
            "long string",
            "'x':'" + "]".repeat(20 << 20) + "'",
            "/x",
            "object of more than 16777216 bytes"),
        argumentSet(
            "many strings",
            "'x':[" + ("'" + "y".repeat(1 << 20) + "',").repeat(20) + "1]",
            "",
            "object of more than 16777216 bytes"));
  }

  static Stream<Arguments> unreadable() {
    return unreadableByAll()
        .flatMap(
            arguments -> {
              Object[] values = arguments.get();
              return Stream.of(
                  argumentSet("typed", values[0], values[1], values[2], Ship.CODEC),
                  argumentSet("any type", values[0], values[1], values[2], Unstructured.CODEC));
            });
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void list_unreadableItem_isReportedByNameAndTheRestIsRead(
      String fields, @Nullable String path, String problem, JsonCodec<?> codec) {
    String bad = "{" + NAMED + "," + fields + "}";

    Listed listed = list("'items':[" + GOOD + "," + bad + "," + GOOD + "]", codec);

    assertThat(listed.items).hasSize(2);
    assertThat(listed.metadata.resourceVersion()).isEqualTo("7");
    assertThat(listed.errors).hasSize(1);
    assertThatIsBad(listed.errors.get(0), problem, path == null ? null : "/items/1", path);
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void watch_unreadableObject_isReportedByNameAndTheRestIsRead(
      String fields, @Nullable String path, String problem, JsonCodec<?> codec) throws IOException {
    String bad = "{" + NAMED + "," + fields + "}";

    for (String event :
        List.of(
            "{'type':'MODIFIED','object':" + bad + "}",
            "{'type':'DELETED','object':" + bad + "}")) {
      List<WatchEvent<?>> events = watch(added(GOOD) + event + added(GOOD), codec);

      assertThat(events).hasSize(3);
      assertThat(events.get(2)).isInstanceOf(WatchEvent.Added.class);
      CodecException error = (CodecException) ((WatchEvent.Failed<?>) events.get(1)).error();
      assertThatIsBad(error, problem, path == null ? null : "/object", path);
    }
  }

  private static void assertThatIsBad(
      CodecException error, String problem, @Nullable String parent, @Nullable String path) {
    assertThat(error.problem()).isEqualTo(problem);
    assertThat(error.objectKind()).isEqualTo("Ship");
    assertThat(error.objectName()).isEqualTo("n/bad");
    assertThat(error.offset()).isPositive();
    assertThat(error).hasMessageStartingWith(problem).hasMessageEndingWith(" in Ship n/bad");
    assertThat(error.isRecoverable()).isTrue();
    if (parent != null) {
      assertThat(error.path()).startsWith(parent).endsWith(String.valueOf(path));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'crew':'seven'",
        "'crew':2147483648",
        "'crew':1e3",
        "'masts':{'name':'main'}",
        "'masts':[{'name':'main'},{'name':7}]",
        "'masts':['main']",
        "'launched':'yesterday'",
        "'launched':17",
        "'kind':'Table','rows':[{'cells':['bad']}]",
        "'apiVersion':'sea/v2'"
      })
  void typed_fieldOfAnotherType_isReportedWhereAnyTypeTakesIt(String field) throws IOException {
    String bad = "{" + NAMED + "," + field + "}";

    List<WatchEvent<?>> typed = watch(added(bad) + added(GOOD), Ship.CODEC);
    List<WatchEvent<?>> any = watch(added(bad) + added(GOOD), Unstructured.CODEC);

    assertThat(any).hasSize(2).allMatch(WatchEvent.Added.class::isInstance);
    assertThat(typed).hasSize(2);
    CodecException error = (CodecException) ((WatchEvent.Failed<?>) typed.get(0)).error();
    assertThat(error.objectName()).isEqualTo("n/bad");
    assertThat(error.path()).startsWith("/object/" + field.substring(1, field.indexOf('\'', 1)));
    assertThat(typed.get(1)).isInstanceOf(WatchEvent.Added.class);
    Listed listed = list("'items':[" + bad + "," + GOOD + "]", Ship.CODEC);
    assertThat(listed.items).hasSize(1);
    assertThat(listed.errors).extracting(CodecException::objectName).containsExactly("n/bad");
  }

  /** A server sends a table only if the client requests one by the media type {@code as=Table}. */
  @Test
  void watch_table_isAnErrorUnlessAnyTypeIsAskedFor() throws IOException {
    String table =
        "{'kind':'Table','apiVersion':'meta.k8s.io/v1','metadata':{'resourceVersion':'5'},"
            + "'columnDefinitions':[],'rows':[{'cells':['x'],'object':{'metadata':{'name':'x'}}}]}";

    List<WatchEvent<?>> typed = watch(added(table) + added(GOOD), Ship.CODEC);

    assertThat(typed).hasSize(2);
    assertThat(((WatchEvent.Failed<?>) typed.get(0)).error())
        .hasMessage("kind is \"Table\" and not \"Ship\" at /object/kind (byte 33) in a Table");
    assertThat(typed.get(1)).isInstanceOf(WatchEvent.Added.class);
    List<WatchEvent<?>> any = watch(added(table), Unstructured.CODEC);
    assertThat(((Unstructured) ((WatchEvent.Added<?>) any.get(0)).value()).kind())
        .isEqualTo("Table");
  }

  @Test
  void list_nullItem_isReportedAndNullElementWithinAnItemIsEmpty() {
    for (JsonCodec<?> codec : List.<JsonCodec<?>>of(Ship.CODEC, Unstructured.CODEC)) {
      Listed listed = list("'items':[null,{" + NAMED + ",'masts':[null,{'name':'main'}]}]", codec);

      assertThat(listed.errors)
          .extracting(CodecException::problem)
          .containsExactly("expected an object, found null");
      assertThat(listed.items).hasSize(1);
      if (listed.items.get(0) instanceof Ship ship) {
        assertThat(ship.masts()).containsExactly(new Mast(null), new Mast("main"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"'x':tru", "'x':1 'y':2", "'x':01", "'x':'\n'", "'x':}", "x:1", "'x':[1}"})
  void malformed_withinAnObject_endsWithItsName(String fields) throws IOException {
    String bad = "{" + NAMED + "," + fields + "}";
    for (JsonCodec<?> codec : List.<JsonCodec<?>>of(Ship.CODEC, Unstructured.CODEC)) {
      List<WatchEvent<?>> events = watch(added(GOOD) + added(bad) + added(GOOD), codec);

      assertThat(events).hasSize(2);
      CodecException error = (CodecException) ((WatchEvent.Failed<?>) events.get(1)).error();
      assertThat(error.isRecoverable()).isFalse();
      assertThat(error.objectName()).isEqualTo("n/bad");
      assertThatThrownBy(() -> list("'items':[" + bad + "," + GOOD + "]", codec))
          .isInstanceOf(CodecException.class)
          .hasMessageEndingWith(" in Ship n/bad");
    }
  }

  @Test
  void truncated_withinAnObject_saysInWhich() {
    String bad = "{" + NAMED + ",'x':[";
    for (JsonCodec<?> codec : List.<JsonCodec<?>>of(Ship.CODEC, Unstructured.CODEC)) {
      assertThatThrownBy(() -> watch("{'type':'ADDED','object':" + bad, codec))
          .isInstanceOf(EOFException.class)
          .hasMessage("unexpected end of the stream at /object/x (byte 109) in Ship n/bad");
      CodecException error =
          catchThrowableOfType(
              CodecException.class,
              () -> ListDecoder.read(JsonReader.of(bytes("{'items':[" + bad)), codec, item -> {}));
      assertThat(error).hasCauseInstanceOf(EOFException.class);
      assertThat(error.objectName()).isEqualTo("n/bad");
    }
  }

  @Test
  void watch_giantBookmarkErrorOrUnknownObject_isSkipped() throws IOException {
    String giant = "{'metadata':{'name':'x','annotations':{'a':'" + "y".repeat(17 << 20) + "'}}}";
    for (String event :
        List.of(
            "{'type':'BOOKMARK','object':" + giant + "}",
            "{'type':'ERROR','object':" + giant + "}",
            "{'object':" + giant + ",'type':'ADDED'}")) {
      List<WatchEvent<?>> events = watch(event + added(GOOD), Unstructured.CODEC);

      assertThat(events).hasSize(2);
      assertThat(((WatchEvent.Failed<?>) events.get(0)).error())
          .hasMessageContaining("object of more than 16777216 bytes");
      assertThat(events.get(1)).isInstanceOf(WatchEvent.Added.class);
    }
  }

  /** The memory of a context does not grow with hostile input. */
  @Test
  void watch_endlessBadObjects_takeNoMemory() throws IOException {
    byte[] event = bytes(added("{" + NAMED + ",'x':'" + "z".repeat(20 << 20) + "'}"));
    WatchDecoder<Unstructured> decoder =
        WatchDecoder.json(repeated(event, 8), Unstructured.CODEC, DecodeContext.create());

    int failed = 0;
    Optional<WatchEvent<Unstructured>> next = decoder.next();
    while (next.isPresent()) {
      assertThat(next.get()).isInstanceOf(WatchEvent.Failed.class);
      failed++;
      next = decoder.next();
    }

    assertThat(failed).isEqualTo(8);
  }

  // ------------------------------------------------------------------------------------- Helpers

  private static final class Listed implements ListSink<Object> {

    private final List<Object> items = new ArrayList<>();
    private final List<CodecException> errors = new ArrayList<>();
    private ListMeta metadata = ListMeta.EMPTY;

    @Override
    public void accept(Object item) {
      items.add(item);
    }

    @Override
    public void undecodable(CodecException error) {
      errors.add(error);
    }
  }

  private static Listed list(String items, JsonCodec<?> codec) {
    Listed listed = new Listed();
    InputStream in = stream("{'kind':'ShipList'," + items + ",'metadata':{'resourceVersion':'7'}}");
    listed.metadata = ListDecoder.read(JsonReader.of(in, DecodeContext.create()), codec, listed);
    return listed;
  }

  private static String added(String object) {
    return "{'type':'ADDED','object':" + object + "}\n";
  }

  private static List<WatchEvent<?>> watch(String stream, JsonCodec<?> codec) throws IOException {
    WatchDecoder<?> decoder = WatchDecoder.json(stream(stream), codec, DecodeContext.create());
    List<WatchEvent<?>> events = new ArrayList<>();
    Optional<? extends WatchEvent<?>> next = decoder.next();
    while (next.isPresent()) {
      events.add(next.get());
      next = decoder.next();
    }
    return events;
  }

  private static byte[] bytes(String json) {
    return json.replace('\'', '"').getBytes(ISO_8859_1);
  }

  /** Returns a stream that arrives byte by byte, unless it is large. */
  private static InputStream stream(String json) {
    byte[] bytes = bytes(json);
    return bytes.length < 10_000 ? PieceStream.bytewise(bytes) : new ByteArrayInputStream(bytes);
  }

  private static InputStream repeated(byte[] bytes, int times) {
    return new InputStream() {
      private long position;

      @Override
      public int read() {
        throw new UnsupportedOperationException();
      }

      @Override
      public int read(byte[] target, int offset, int length) {
        if (position == (long) bytes.length * times) {
          return -1;
        }
        int from = (int) (position % bytes.length);
        int count = Math.min(length, bytes.length - from);
        System.arraycopy(bytes, from, target, offset, count);
        position += count;
        return count;
      }
    };
  }
}
