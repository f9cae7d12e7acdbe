package dev.clientgo.apimachinery.json.internal.intern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.PieceStream;
import dev.clientgo.apimachinery.json.RandomJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values that are known by their text, as a reader gives them. */
final class RepeatedValuesTest {

  private record Point(int x, int y) {

    static final JsonCodec<Point> CODEC = codec();
    static final JsonCodec<Point> OTHER_CODEC = codec();

    private static JsonCodec<Point> codec() {
      return new JsonCodec<>() {
        private static final FieldNames FIELDS = FieldNames.of("x", "y");

        @Override
        public Point read(JsonReader in) {
          int[] values = new int[2];
          in.beginObject();
          for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
            values[field] = in.nextInt();
          }
          return new Point(values[0], values[1]);
        }

        @Override
        public void write(JsonWriter out, Point value) {
          throw new UnsupportedOperationException();
        }
      };
    }
  }

  /** Reads any value, each part of it as a separate value. */
  private static final JsonCodec<@Nullable Object> TREE =
      new JsonCodec<>() {
        @Override
        public @Nullable Object read(JsonReader in) {
          return switch (in.peek()) {
            case OBJECT -> readMap(in);
            case ARRAY -> readList(in);
            default -> in.nextTree();
          };
        }

        private Map<String, @Nullable Object> readMap(JsonReader in) {
          Map<String, @Nullable Object> map = new LinkedHashMap<>();
          in.beginObject();
          for (String name; (name = in.nextName()) != null; ) {
            map.put(name, in.nextValue(this));
          }
          return map;
        }

        private List<@Nullable Object> readList(JsonReader in) {
          List<@Nullable Object> list = new ArrayList<>();
          in.beginArray();
          while (in.nextElement()) {
            list.add(in.nextValue(this));
          }
          return list;
        }

        @Override
        public void write(JsonWriter out, @Nullable Object value) {
          throw new UnsupportedOperationException();
        }
      };

  private final DecodeContext context = DecodeContext.create();

  private JsonReader reader(String json) {
    JsonReader in = JsonReader.of(json.getBytes(UTF_8), context);
    in.peek();
    return in;
  }

  private Point point(String json) {
    return reader(json).nextValue(Point.CODEC);
  }

  @Test
  void nextValue_textComesAgain_givesTheValueOfTheSecondTime() {
    Point first = point("{\"x\":1,\"y\":2}");
    Point second = point("{\"x\":1,\"y\":2}");
    Point third = point("{\"x\":1,\"y\":2}");

    assertThat(first).isEqualTo(second).isNotSameAs(second);
    assertThat(third).isSameAs(second);
  }

  @Test
  void nextValue_otherText_isReadAnew() {
    Point spaced = null;
    for (int i = 0; i < 3; i++) {
      assertThat(point("{\"x\":1,\"y\":2}")).isEqualTo(new Point(1, 2));
      spaced = point("{\"x\": 1,\"y\":2}");
      assertThat(point("{\"x\":1,\"y\":3}")).isEqualTo(new Point(1, 3));
    }

    assertThat(spaced).isEqualTo(new Point(1, 2)).isNotSameAs(point("{\"x\":1,\"y\":2}"));
  }

  @Test
  void nextValue_otherCodec_isReadAnew() {
    Point ours = null;
    Point theirs = null;
    for (int i = 0; i < 3; i++) {
      ours = point("{\"x\":1}");
      theirs = reader("{\"x\":1}").nextValue(Point.OTHER_CODEC);
    }

    assertThat(theirs).isEqualTo(ours).isNotSameAs(ours);
  }

  @Test
  void nextList_textComesAgain_givesTheSameList() {
    String json = "[{\"x\":1},{\"x\":2}]";
    List<Point> first = reader(json).nextList(Point.CODEC);
    List<Point> second = reader(json).nextList(Point.CODEC);

    assertThat(first).containsExactly(new Point(1, 0), new Point(2, 0));
    assertThat(reader(json).nextList(Point.CODEC)).isSameAs(second);
  }

  @Test
  void nextValue_knownText_leavesTheReaderBehindIt() {
    for (int i = 0; i < 4; i++) {
      JsonReader in = reader("{\"a\":{\"x\":1} , \"b\":{\"x\":1},\"c\":[{\"x\":1},{\"x\":1}]} 7");
      in.beginObject();
      assertThat(in.nextName()).isEqualTo("a");
      assertThat(in.nextValue(Point.CODEC)).isEqualTo(new Point(1, 0));
      assertThat(in.nextName()).isEqualTo("b");
      assertThat(in.path()).isEqualTo("/b");
      assertThat(in.nextValue(Point.CODEC)).isEqualTo(new Point(1, 0));
      assertThat(in.nextName()).isEqualTo("c");
      assertThat(in.nextList(Point.CODEC)).hasSize(2);
      assertThat(in.nextName()).isNull();
      assertThat(in.nextInt()).isEqualTo(7);
    }
  }

  @Test
  void nextValue_knownTextFirst_errorBehindItSaysWhere() {
    for (int i = 0; i < 4; i++) {
      JsonReader in = reader("{\"a\":{\"x\":1}]");
      in.beginObject();
      in.nextName();
      in.nextValue(Point.CODEC);
      assertThatThrownBy(in::nextName)
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("byte 12");
    }
  }

  @Test
  void nextValue_valueRefused_isRefusedEachTime() {
    for (int i = 0; i < 4; i++) {
      JsonReader in = reader("{\"a\":{\"x\":true}}");
      in.beginObject();
      in.nextName();
      assertThatThrownBy(() -> in.nextValue(Point.CODEC))
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("/a/x");
    }
  }

  @Test
  void nextValue_bracketsAndQuotesInStrings_endWhereTheyShould() {
    String json = "{\"}\":\"]\\\"}\",\"[\":\"\\\\\",\"{\":[\"]\",\"\\u007d\"]}";
    for (int i = 0; i < 4; i++) {
      JsonReader in = reader(json + "{}");
      assertThat(in.nextValue(TREE))
          .isEqualTo(Map.of("}", "]\"}", "[", "\\", "{", List.of("]", "}")));
      assertThat(in.nextValue(TREE)).isEqualTo(Map.of());
    }
  }

  @Test
  void nextValue_stream_waitsForNoByteBehindTheValue() throws Exception {
    for (int i = 0; i < 4; i++) {
      PieceStream stream = PieceStream.bytewise("{\"x\":1}".getBytes(UTF_8)).thenBlock();
      JsonReader in = JsonReader.of(stream, context);
      in.peek();
      assertThat(in.nextValue(Point.CODEC)).isEqualTo(new Point(1, 0));
    }
  }

  @Test
  void nextValue_streamEndsWithin_saysSo() {
    for (int i = 0; i < 4; i++) {
      point("{\"x\":1}");
      JsonReader in = reader("{\"x\":1");
      assertThatThrownBy(() -> in.nextValue(Point.CODEC))
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("unexpected end");
    }
  }

  @Test
  void nextValue_longText_isNotRemembered() {
    String json = "{\"x\":1,\"" + "z".repeat(RepeatedValues.MAX_BYTES) + "\":0}";
    point(json);
    Point second = point(json);

    assertThat(point(json)).isEqualTo(second).isNotSameAs(second);
  }

  @Test
  void kind_thatNeverRepeats_restsForAWhile() {
    RepeatedValues texts = new RepeatedValues();
    int looked = 0;
    for (int i = 0; i < 100_000; i++) {
      ValueKind kind = texts.kind(Point.CODEC, /* list= */ true, null);
      if (kind.isWorthwhile()) {
        looked++;
        kind.looked(/* repeated= */ false);
      }
    }

    assertThat(looked).isBetween(1000, 20_000);
    assertThat(texts.kind(Point.CODEC, /* list= */ false, null).isWorthwhile()).isTrue();
    assertThat(texts.kind(TREE, /* list= */ true, null).isWorthwhile()).isTrue();
  }

  /** As with 1,000 applications whose pods come in turn, each with something of its own. */
  @Test
  void nextValue_repeatsFarApart_areFound() {
    int unique = 0;
    Set<Object> values = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int round = 0; round < 10; round++) {
      for (int i = 0; i < 1_000; i++) {
        values.add(point("{\"x\":" + i + ",\"y\":0}"));
        point("{\"x\":" + unique++ + ",\"y\":1}");
      }
    }

    assertThat(values.size()).isLessThan(4_000);
  }

  /** Documents of parts that come again and again, whole and in pieces. */
  @Test
  void anyDocument_withPartsReadBefore_isWhatIsReadWithoutMemory() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    RandomJson json = new RandomJson(random);
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      parts.add(json.text(json.map(3)));
    }
    for (int round = 0; round < 300; round++) {
      StringBuilder text = new StringBuilder("[" + json.text(json.tree(3)));
      for (int i = random.nextInt(5); i > 0; i--) {
        text.append(',').append(parts.get(random.nextInt(parts.size())));
      }
      byte[] bytes = text.append(']').toString().getBytes(UTF_8);
      JsonReader in =
          random.nextBoolean()
              ? JsonReader.of(bytes, context)
              : JsonReader.of(PieceStream.bytewise(bytes), context);
      in.peek();

      Object read = in.nextValue(TREE);

      assertThat(read)
          .as("seed %s, round %s", seed, round)
          .isEqualTo(JsonReader.of(bytes).nextTree());
      assertThat(in.peek()).isEqualTo(JsonReader.Token.END_OF_STREAM);
    }
  }
}
