package dev.clientgo.apimachinery.fuzz;

import static dev.clientgo.apimachinery.json.ProtobufBytes.envelope;
import static dev.clientgo.apimachinery.json.ProtobufBytes.field;
import static dev.clientgo.apimachinery.json.ProtobufBytes.frame;
import static dev.clientgo.apimachinery.json.ProtobufBytes.join;
import static dev.clientgo.apimachinery.json.ProtobufBytes.message;
import static dev.clientgo.apimachinery.json.ProtobufBytes.string;
import static dev.clientgo.apimachinery.json.ProtobufBytes.varint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.PieceStream;
import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.serializer.Serializer;
import dev.clientgo.apimachinery.watch.Decoder;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The reader of protobuf, and the lists and watches in it. */
@Timeout(value = 1, unit = TimeUnit.DAYS)
final class ProtobufFuzzTest {

  private static final Set<Class<? extends RuntimeException>> CODEC = Set.of(CodecException.class);

  private static final byte[] META =
      join(
          string(1, "web-0"),
          string(3, "é"),
          string(6, "42"),
          field(7, 3),
          message(8, field(1, 1_769_860_800)),
          field(10, 0),
          message(11, string(1, "app"), string(2, "web")),
          message(11, string(1, "tier"), string(2, "front")),
          message(13, string(1, "ReplicaSet"), string(3, "web"), string(4, "u"), field(6, 1)),
          message(13, string(1, "Node"), string(3, "n"), string(4, "v")),
          string(14, "a"),
          message(17, string(1, "me"), message(7, string(1, "{\"f:x\":{}}"))));

  private static final byte[] OBJECT = message(1, META);

  private static final byte[] THINGS =
      join(
          message(1, field(1, 5), field(2, 1000)),
          message(2, field(1, 5), field(2, 1000)),
          message(3, string(1, "100m")),
          message(4, field(1, 1), string(3, "80%")),
          message(5, new byte[] {1, 2, -3}),
          message(6, string(1, "{}")),
          message(7, string(1, "k"), message(2, string(1, "v"), string(1, "w"))),
          message(8, field(1, 4), field(2, -1)),
          join(varint(9 << 3 | 1), new byte[8]),
          message(10, message(4, field(2, 8)), message(10, field(99, 1))),
          message(11, message(10), message(8, field(1, 7))),
          message(12, string(1, "k"), message(2, message(3, string(1, "1")))));

  @Test
  void message_anyBytes_isReadOrRefused() {
    Fuzzer.fuzz(
        "message in protobuf",
        bytes(THINGS, OBJECT, META),
        bytes -> {
          readTwice(Things.CODEC, bytes);
          ObjectMeta metadata = readTwice(ObjectMeta.CODEC, bytes);
          byte[] json = JsonWriter.toBytes(ObjectMeta.CODEC, metadata);
          assertThat(JsonReader.fromBytes(ObjectMeta.CODEC, json)).isEqualTo(metadata);
        },
        CODEC);
  }

  /** A value that was read before may be found by its bytes, and is the same. */
  private static <T> T readTwice(JsonCodec<T> codec, byte[] bytes) {
    T value = read(codec, bytes, DecodeContext.create());
    DecodeContext shared = DecodeContext.ofStore();
    for (int i = 0; i < 3; i++) {
      assertThat(read(codec, bytes, shared)).isEqualTo(value);
    }
    return value;
  }

  private static <T> T read(JsonCodec<T> codec, byte[] bytes, DecodeContext context) {
    return JsonReader.ofProtobuf(bytes, 0, bytes.length, context).nextObject(codec);
  }

  @Test
  void object_anyBytes_isReadOrRefused() {
    Serializer<PartialObjectMetadata> serializer = Serializer.protobuf(PartialObjectMetadata.CODEC);
    Fuzzer.fuzz(
        "object in protobuf",
        bytes(envelope("Ship", OBJECT)),
        bytes -> serializer.read(new ByteArrayInputStream(bytes), DecodeContext.create()),
        Set.of(CodecException.class));
  }

  @Test
  void list_anyBytesInAnyPieces_givesTheSame() {
    byte[] list =
        envelope(
            "ShipList", join(message(1, string(2, "7")), message(2, OBJECT), message(2, OBJECT)));
    Fuzzer.fuzz(
        "list in protobuf",
        bytes(list),
        bytes -> {
          List<String> whole = readList(new ByteArrayInputStream(bytes));
          assertThat(readList(PieceStream.bytewise(bytes))).isEqualTo(whole);
          refuseIfFailed(whole);
        },
        CODEC);
  }

  private static List<String> readList(InputStream in) {
    List<String> items = new ArrayList<>();
    try {
      items.add(
          Serializer.protobuf(PartialObjectMetadata.CODEC)
              .readList(
                  in,
                  DecodeContext.create(),
                  new ListSink<PartialObjectMetadata>() {
                    @Override
                    public void accept(PartialObjectMetadata item) {
                      items.add(item.toString());
                    }

                    @Override
                    public void undecodable(CodecException error) {
                      items.add(error.toString());
                    }
                  })
              .toString());
    } catch (CodecException e) {
      items.add(e.toString());
    }
    return items;
  }

  @Test
  void watch_anyBytesInAnyPieces_givesTheSameEvents() {
    byte[] ship = envelope("Ship", OBJECT);
    byte[] bookmark = envelope("Ship", message(1, string(6, "9")));
    byte[] status = envelope("Status", join(string(2, "Failure"), string(3, "m"), field(6, 410)));
    Fuzzer.fuzz(
        "watch in protobuf",
        bytes(
            join(
                frame("ADDED", ship),
                frame("MODIFIED", ship),
                frame("BOOKMARK", bookmark),
                frame("DELETED", ship),
                frame("ERROR", status))),
        bytes -> {
          List<String> whole = readWatch(new ByteArrayInputStream(bytes));
          assertThat(readWatch(PieceStream.bytewise(bytes))).isEqualTo(whole);
          assertThat(whole).hasSizeLessThanOrEqualTo(bytes.length / 4 + 1);
          refuseIfFailed(whole);
        },
        CODEC);
  }

  private static List<String> readWatch(InputStream in) {
    Decoder<PartialObjectMetadata> decoder =
        Serializer.protobuf(PartialObjectMetadata.CODEC).watch(in, DecodeContext.create());
    List<String> events = new ArrayList<>();
    try {
      Optional<WatchEvent<PartialObjectMetadata>> next = decoder.next();
      while (next.isPresent()) {
        events.add(next.get().toString());
        next = decoder.next();
      }
      assertThat(decoder.next()).isEmpty();
    } catch (EOFException e) {
      events.add(e.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return events;
  }

  private static void refuseIfFailed(List<String> read) {
    if (read.stream().anyMatch(item -> item.matches(".*(Codec|EOF)Exception.*"))) {
      throw CodecException.mismatch("counts as refused", "", 0, null);
    }
  }

  /** Bytes like these, of which some are changed, added, repeated or taken away. */
  private static Function<Random, byte[]> bytes(byte[]... corpus) {
    return random -> {
      byte[] bytes = corpus[random.nextInt(corpus.length)];
      for (int i = random.nextInt(5); i > 0; i--) {
        bytes = mutate(bytes, random);
      }
      return bytes;
    };
  }

  private static byte[] mutate(byte[] bytes, Random random) {
    int at = random.nextInt(bytes.length + 1);
    int to = Math.min(bytes.length, at + random.nextInt(24));
    byte[] head = Arrays.copyOf(bytes, at);
    byte[] middle = Arrays.copyOfRange(bytes, at, to);
    byte[] rest = Arrays.copyOfRange(bytes, at, bytes.length);
    byte[] tail = Arrays.copyOfRange(bytes, to, bytes.length);
    return switch (random.nextInt(9)) {
      case 0 -> head;
      case 1 -> join(head, tail);
      case 2 -> join(head, middle, middle, tail);
      case 3 -> join(head, varint(random.nextLong() >>> random.nextInt(64)), tail);
      case 4 -> join(head, varint(random.nextLong() >>> random.nextInt(64)), rest);
      case 5 -> join(head, new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, 127}, rest);
      case 6 -> nested(bytes, 1 + random.nextInt(12), random.nextInt(600));
      case 7 -> join(head, string(random.nextInt(20), "\ud83d\ude00"), rest);
      default -> flipped(bytes, random);
    };
  }

  private static byte[] nested(byte[] bytes, int number, int levels) {
    byte[] nested = bytes;
    for (int i = 0; i < levels && nested.length < 4000; i++) {
      nested = message(number, nested);
    }
    return nested;
  }

  private static byte[] flipped(byte[] bytes, Random random) {
    byte[] flipped = bytes.clone();
    if (flipped.length > 0) {
      flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return flipped;
  }

  /** Values of all forms, as text. */
  private record Things(List<Object> values) {

    private static final JsonCodec<Things> CODEC = new Codec();

    private static final class Codec implements JsonCodec<Things> {

      private static final FieldNames FIELDS =
          FieldNames.of("t", "u", "q", "i", "b", "r", "s", "in", "z", "d", "o", "l", "m")
              .protobuf("1t 2u 3q 4i 5b 6r 7s 8.1 8.2z 9 10 11 12");

      @Override
      public Things read(JsonReader in) {
        List<Object> values = new ArrayList<>();
        in.beginObject();
        for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
          values.add(
              switch (field) {
                case 0 -> Time.CODEC.read(in);
                case 1 -> MicroTime.CODEC.read(in);
                case 2, 4 -> in.nextString();
                case 3 -> in.peek() == JsonReader.Token.STRING ? in.nextString() : in.nextInt();
                case 5 -> in.nextRaw();
                case 6 -> stringLists(in);
                case 7 -> in.nextLong();
                case 8 -> in.nextBoolean();
                case 9 -> in.nextDouble();
                case 10 -> in.nextValue(this);
                case 11 -> in.nextList(this);
                default -> in.nextMap(this);
              });
        }
        return new Things(values);
      }

      private static List<Object> stringLists(JsonReader in) {
        List<Object> lists = new ArrayList<>();
        in.beginObject();
        for (String name; (name = in.nextName()) != null; ) {
          lists.add(name);
          lists.add(in.nextStringList());
        }
        return lists;
      }

      @Override
      public void write(JsonWriter out, Things value) {
        throw new UnsupportedOperationException();
      }
    }
  }
}
