package dev.clientgo.apimachinery.json.internal.intern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
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
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Large values that are known by their text, as a reader gives them. */
final class WeakValueCacheTest {

  private static final String FILL = "\"" + "z".repeat(WeakValueCache.MIN_BYTES) + "\"";

  private static final JsonCodec<Map<String, @Nullable Object>> CODEC = codec();
  private static final JsonCodec<Map<String, @Nullable Object>> OTHER_CODEC = codec();

  private static JsonCodec<Map<String, @Nullable Object>> codec() {
    return new JsonCodec<>() {
      @Override
      @SuppressWarnings("unchecked") // the tests have objects here
      public Map<String, @Nullable Object> read(JsonReader in) {
        if (in.peek() != JsonReader.Token.OBJECT) {
          throw in.mismatch("no object");
        }
        Object tree = in.nextTree();
        assert tree != null;
        return (Map<String, @Nullable Object>) tree;
      }

      @Override
      public void write(JsonWriter out, Map<String, @Nullable Object> value) {
        throw new UnsupportedOperationException();
      }
    };
  }

  private final DecodeContext context = DecodeContext.ofStore();

  private JsonReader reader(String json) {
    JsonReader in = JsonReader.of(json.getBytes(UTF_8), context);
    in.peek();
    return in;
  }

  @Test
  void nextValue_textComesAgain_givesTheSameValue() {
    String json = "{\"a\":1,\"b\":" + FILL + "}";
    Map<String, @Nullable Object> first = reader(json).nextValue(CODEC);
    JsonReader in = reader(json + "{\"c\":3}");

    assertThat(in.nextValue(CODEC)).isSameAs(first);
    assertThat(in.nextValue(CODEC)).containsOnlyKeys("c");
  }

  @Test
  void nextList_textComesAgain_givesTheSameList() {
    String json = "[{\"a\":1},{\"b\":" + FILL + "}]";
    List<Map<String, @Nullable Object>> first = reader(json).nextList(CODEC);

    assertThat(reader(json).nextList(CODEC)).isSameAs(first).hasSize(2);
  }

  @Test
  void nextWithRest_partWithoutTypeComesAgain_givesTheSameTree() {
    String json = "{\"spec\":{\"b\":" + FILL + "},\"list\":[" + FILL + "],\"x\":1}";
    Map<String, @Nullable Object> first = rest(json);
    Map<String, @Nullable Object> second = rest(json.replace("1", "2"));

    assertThat(second.get("spec")).isSameAs(first.get("spec"));
    assertThat(second.get("list")).isSameAs(first.get("list"));
    assertThat(second).containsEntry("x", 2L);
  }

  private Map<String, @Nullable Object> rest(String json) {
    Map<String, @Nullable Object> rest = new HashMap<>();
    JsonCodec<String> nothing =
        new JsonCodec<>() {
          @Override
          public String read(JsonReader in) {
            in.beginObject();
            assertThat(in.nextField(FieldNames.of("none"))).isEqualTo(JsonReader.END);
            return "";
          }

          @Override
          public void write(JsonWriter out, String value) {
            throw new UnsupportedOperationException();
          }
        };
    reader(json).nextWithRest(nothing, rest::put);
    return rest;
  }

  @Test
  void nextValue_otherCodecOrText_isReadAnew() {
    String json = "{\"a\":1,\"b\":" + FILL + "}";
    Map<String, @Nullable Object> first = reader(json).nextValue(CODEC);

    assertThat(reader(json).nextValue(OTHER_CODEC)).isEqualTo(first).isNotSameAs(first);
    assertThat(reader(json.replace("1", "2")).nextValue(CODEC)).containsEntry("a", 2L);
    assertThat(reader(json.replace(":1", ": 1")).nextValue(CODEC)).isNotSameAs(first);
  }

  @Test
  void nextValue_contextOfNoStore_isReadAnew() {
    String json = "{\"a\":1,\"b\":" + FILL + "}";
    DecodeContext plain = DecodeContext.create();
    JsonReader in = JsonReader.of((json + json).getBytes(UTF_8), plain);
    in.peek();
    Map<String, @Nullable Object> first = in.nextValue(CODEC);
    in.peek();

    assertThat(in.nextValue(CODEC)).isEqualTo(first).isNotSameAs(first);
  }

  @Test
  void nextValue_tooLong_isReadAnew() {
    String json = "{\"b\":\"" + "z".repeat(WeakValueCache.MAX_BYTES) + "\"}";
    Map<String, @Nullable Object> first = reader(json).nextValue(CODEC);

    assertThat(reader(json).nextValue(CODEC)).isEqualTo(first).isNotSameAs(first);
  }

  @Test
  void nextValue_valueRefused_isRefusedEachTime() {
    JsonCodec<Object> refusing =
        new JsonCodec<>() {
          @Override
          public Object read(JsonReader in) {
            in.beginObject();
            in.nextName();
            return in.nextInt();
          }

          @Override
          public void write(JsonWriter out, Object value) {
            throw new UnsupportedOperationException();
          }
        };
    for (int i = 0; i < 3; i++) {
      JsonReader in = reader("{\"a\":" + FILL + "}");
      assertThatThrownBy(() -> in.nextValue(refusing)).isInstanceOf(CodecException.class);
    }
  }

  @Test
  void nextValue_streamEndsWithin_saysSo() {
    String json = "{\"a\":1,\"b\":" + FILL + "}";
    reader(json).nextValue(CODEC);
    JsonReader in = reader(json.substring(0, json.length() - 1));

    assertThatThrownBy(() -> in.nextValue(CODEC))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("unexpected end");
  }

  @Test
  void find_valueInUse_isFoundHoweverManyComeAndGo() {
    WeakValueCache texts = new WeakValueCache();
    ValueKind kind = new ValueKind();
    List<Object> kept = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      Object value = new Object();
      if (i % 100 == 0) {
        kept.add(value);
      }
      texts.keep(kind, text(texts, i), value);
    }

    for (int i = 0; i < kept.size(); i++) {
      assertThat(texts.find(kind, text(texts, i * 100))).isSameAs(kept.get(i));
      assertThat(texts.find(new ValueKind(), text(texts, i * 100))).isNull();
    }
  }

  /** Would run out of memory if the cache kept values that no object holds. */
  @Test
  void keep_valuesThatNobodyHolds_areForgotten() {
    WeakValueCache texts = new WeakValueCache();
    ValueKind kind = new ValueKind();
    int last = 0;
    int i = 0;
    for (; texts.size() >= last && i < 50_000_000; i++) {
      last = texts.size();
      texts.keep(kind, text(texts, i), new byte[64 << 10]);
    }

    assertThat(texts.size()).as("after %s values", i).isLessThan(last);
  }

  @Test
  void sweep_valuesThatWereCollected_areForgotten() {
    WeakValueCache texts = new WeakValueCache();
    ValueKind kind = new ValueKind();
    List<Object> kept = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      Object value = new Object();
      texts.keep(kind, text(texts, i), value);
      if (i % 100 == 0) {
        kept.add(value);
      }
    }

    for (int i = 0; i < 1_000 && texts.size() > kept.size(); i++) {
      System.gc();
      texts.sweep();
    }

    assertThat(texts.size()).isEqualTo(kept.size());
    assertThat(texts.find(kind, text(texts, 500))).isSameAs(kept.get(5));
  }

  private static Fingerprint text(WeakValueCache texts, int number) {
    byte[] bytes = (number + " ".repeat(WeakValueCache.MIN_BYTES)).getBytes(UTF_8);
    return texts.fingerprint(bytes, 0, bytes.length);
  }

  /**
   * Documents of large parts that come again and again, whole and in pieces. One seed in a hundred
   * makes a part too large to be remembered.
   */
  @Test
  void anyDocument_withPartsReadBefore_isWhatIsReadWithoutMemory() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    RandomJson json = new RandomJson(random);
    List<String> parts = new ArrayList<>();
    List<List<Object>> kept = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      kept.add(new ArrayList<>());
      parts.add("{\"fill\":" + FILL + ",\"rest\":" + json.text(json.map(3)) + "}");
    }
    for (int round = 0; round < 300; round++) {
      int[] chosen = random.ints(1 + random.nextInt(5), 0, parts.size()).toArray();
      String text = Arrays.stream(chosen).mapToObj(parts::get).collect(joining(" "));
      byte[] bytes = text.getBytes(UTF_8);
      JsonReader in =
          random.nextBoolean()
              ? JsonReader.of(bytes, context)
              : JsonReader.of(PieceStream.bytewise(bytes), context);
      JsonReader plain = JsonReader.of(bytes);
      for (int part : chosen) {
        in.peek();
        Object value = in.nextValue(CODEC);
        assertThat(value).as("seed %s, round %s", seed, round).isEqualTo(plain.nextTree());
        kept.get(part).add(value);
      }
      assertThat(in.peek()).isEqualTo(JsonReader.Token.END_OF_STREAM);
    }
    for (int i = 0; i < parts.size(); i++) {
      List<Object> values = kept.get(i);
      int length = parts.get(i).getBytes(UTF_8).length;
      Set<Object> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
      distinct.addAll(values);
      assertThat(distinct)
          .as("seed %s, a part of %s bytes", seed, length)
          .hasSize(length <= WeakValueCache.MAX_BYTES ? 1 : values.size());
    }
  }
}
