package dev.clientgo.apimachinery.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads bytes that are made here by hand, with metadata in the place of objects. */
final class ProtobufSerializerTest {

  private static final byte[] META =
      join(
          string(1, "web-0"),
          string(2, ""),
          string(3, "default"),
          string(6, "42"),
          field(7, 0),
          message(8, field(1, 1_769_860_800)),
          message(9),
          field(10, 0),
          message(11, string(1, "app"), string(2, "web")),
          message(11, string(1, "empty"), string(2, "")),
          message(
              13, string(1, "ReplicaSet"), string(3, "web"), string(4, "u"), string(5, "apps/v1")),
          string(14, "a"),
          string(14, "b"),
          message(17, string(1, "me"), message(7, string(1, "{\"f:x\":{}}"))),
          field(99, 7),
          string(100, "unknown"));

  private final Serializer<ObjectMeta> serializer = Serializer.protobuf(ObjectMeta.CODEC);

  @Test
  void read_object_saysWhatItsJsonWould() {
    ObjectMeta metadata = read(envelope(META));

    assertThat(new String(JsonWriter.toBytes(ObjectMeta.CODEC, metadata), UTF_8))
        .isEqualTo(
            "{\"name\":\"web-0\",\"namespace\":\"default\",\"resourceVersion\":\"42\","
                + "\"creationTimestamp\":\"2026-01-31T12:00:00Z\",\"deletionGracePeriodSeconds\":0,"
                + "\"labels\":{\"app\":\"web\",\"empty\":\"\"},\"ownerReferences\":[{\"apiVersion\":\"apps/v1\","
                + "\"kind\":\"ReplicaSet\",\"name\":\"web\",\"uid\":\"u\"}],\"finalizers\":[\"a\",\"b\"],"
                + "\"managedFields\":[{\"manager\":\"me\",\"fieldsV1\":{\"f:x\":{}}}]}");
  }

  @Test
  void read_bytesOfWhichSomeAreMissing_isAnErrorAndNoOther() {
    byte[] whole = envelope(META);

    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> read(part))
          .isInstanceOfAny(CodecException.class, java.io.UncheckedIOException.class);
    }
  }

  @Test
  void readList_oneBadItem_spoilsNoOther() {
    byte[] bad = {(byte) 0xff};
    byte[] list =
        join(
            message(1, string(2, "7")),
            message(2, string(1, "a")),
            message(2, bad),
            message(2, string(1, "b")));
    List<String> names = new ArrayList<>();
    List<CodecException> errors = new ArrayList<>();

    ListMeta metadata =
        serializer.readList(
            new ByteArrayInputStream(envelope(list)),
            DecodeContext.create(),
            new ListSink<>() {
              @Override
              public void accept(ObjectMeta item) {
                names.add(item.name());
              }

              @Override
              public void undecodable(CodecException error) {
                errors.add(error);
              }
            });

    assertThat(metadata.resourceVersion()).isEqualTo("7");
    assertThat(names).containsExactly("a", "b");
    assertThat(errors).hasSize(1);
  }

  @Test
  void watch_events_comeInOrderAndEnd() throws IOException {
    byte[] bookmark = message(1, string(6, "9"));
    var decoder =
        serializer.watch(
            new ByteArrayInputStream(
                join(
                    frame("ADDED", string(1, "a")),
                    frame("BOOKMARK", bookmark),
                    frame("ODD", META))),
            DecodeContext.create());

    assertThat(decoder.next().orElseThrow())
        .isInstanceOfSatisfying(
            WatchEvent.Added.class,
            added -> assertThat(((ObjectMeta) added.object()).name()).isEqualTo("a"));
    assertThat(decoder.next().orElseThrow())
        .isInstanceOfSatisfying(
            WatchEvent.Bookmark.class, mark -> assertThat(mark.resourceVersion()).isEqualTo("9"));
    assertThat(decoder.next().orElseThrow()).isInstanceOf(WatchEvent.Failed.class);
    assertThat(decoder.next()).isEmpty();
  }

  private ObjectMeta read(byte[] bytes) {
    return serializer.read(new ByteArrayInputStream(bytes), DecodeContext.create());
  }

  private static byte[] envelope(byte[] object) {
    return join(
        new byte[] {'k', '8', 's', 0},
        message(1, string(1, "v1"), string(2, "Meta")),
        message(2, object));
  }

  private static byte[] frame(String type, byte[] object) {
    byte[] event = join(string(1, type), message(2, message(1, envelope(object))));
    return join(new byte[] {0, 0, (byte) (event.length >> 8), (byte) event.length}, event);
  }

  private static byte[] string(int number, String value) {
    return message(number, value.getBytes(UTF_8));
  }

  private static byte[] message(int number, byte[]... parts) {
    byte[] content = join(parts);
    return join(varint(number << 3 | 2), varint(content.length), content);
  }

  private static byte[] field(int number, long value) {
    return join(varint(number << 3), varint(value));
  }

  private static byte[] varint(long value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long left = value;
    while (left > 0x7f) {
      out.write((int) (left & 0x7f) | 0x80);
      left >>>= 7;
    }
    out.write((int) left);
    return out.toByteArray();
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
