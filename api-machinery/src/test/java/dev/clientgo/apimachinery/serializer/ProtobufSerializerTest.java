package dev.clientgo.apimachinery.serializer;

import static dev.clientgo.apimachinery.json.ProtobufBytes.field;
import static dev.clientgo.apimachinery.json.ProtobufBytes.join;
import static dev.clientgo.apimachinery.json.ProtobufBytes.message;
import static dev.clientgo.apimachinery.json.ProtobufBytes.string;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.ProtobufBytes;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
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
      assertThatThrownBy(() -> read(part)).isInstanceOf(CodecException.class);
      assertThatThrownBy(() -> serializer.read(part, DecodeContext.create()))
          .isInstanceOf(CodecException.class);
    }
  }

  @Test
  void read_array_givesWhatAStreamOfItGives() {
    byte[] whole = envelope(META);

    assertThat(serializer.read(whole, DecodeContext.create())).isEqualTo(read(whole));
  }

  /** As a pod of which the status has changed, and the time at which a manager wrote it. */
  @Test
  void read_objectThatHasChanged_sharesItsLargePartsWithWhatItWas() {
    byte[] fields = message(7, string(1, "{\"f:" + "x".repeat(2_000) + "\":{}}"));
    byte[] then = message(17, message(4, field(1, 7)), fields);
    byte[] now = message(17, message(4, field(1, 8)), fields);
    DecodeContext context = DecodeContext.ofStore();

    ObjectMeta before = serializer.read(envelope(then), context);
    ObjectMeta after = serializer.read(envelope(now), context);
    ObjectMeta named = serializer.read(envelope(join(string(1, "a"), now)), context);

    assertThat(entry(after)).isNotEqualTo(entry(before));
    assertThat(entry(after).fieldsV1()).isSameAs(entry(before).fieldsV1());
    assertThat(named).isNotEqualTo(after);
    assertThat(entry(named)).isSameAs(entry(after));
  }

  private static ManagedFieldsEntry entry(ObjectMeta metadata) {
    return metadata.managedFields().get(0);
  }

  /* --------------- Of which kind --------------- */

  private final Serializer<ObjectMeta> ofAKind =
      Serializer.protobuf(new GroupVersionKind("", "v1", "Part"), ObjectMeta.CODEC);

  @Test
  void kind_thatIsAnother_isNamed() throws IOException {
    assertThatThrownBy(() -> ofAKind.read(envelope(META, "Other"), DecodeContext.create()))
        .isInstanceOf(CodecException.class)
        .hasMessage("kind is \"Other\" and not \"Part\"");
    assertThatThrownBy(() -> list(ofAKind, "Part"))
        .isInstanceOf(CodecException.class)
        .hasMessage("kind is \"Part\" and not \"PartList\"");
    assertThatThrownBy(
            () ->
                Serializer.protobuf(new GroupVersionKind("g", "v1", "Part"), ObjectMeta.CODEC)
                    .read(envelope(META, "Part"), DecodeContext.create()))
        .isInstanceOf(CodecException.class)
        .hasMessage("apiVersion is \"v1\" and not \"g/v1\"");
  }

  @Test
  void kind_thatIsExpectedOrAbsent_isRead() throws IOException {
    for (String kind : List.of("Part", "")) {
      assertThat(ofAKind.read(envelope(META, kind), DecodeContext.create()).name())
          .isEqualTo("web-0");
    }
    list(ofAKind, "PartList");
    list(ofAKind, "");
  }

  private static void list(Serializer<ObjectMeta> serializer, String kind) {
    serializer.readList(
        new ByteArrayInputStream(envelope(message(1, string(2, "7")), kind)),
        DecodeContext.create(),
        item -> {});
  }

  /** The next event can be read, and the error is marked as one of a deletion. */
  @Test
  void kind_thatIsAnotherInAWatch_spoilsNoOther() throws IOException {
    byte[] events =
        join(
            ProtobufBytes.frame("MODIFIED", envelope(META, "Other")),
            ProtobufBytes.frame("DELETED", envelope(META, "Other")),
            ProtobufBytes.frame("ERROR", envelope(META, "Other")),
            ProtobufBytes.frame("ADDED", envelope(META, "Part")));
    var decoder = ofAKind.watch(new ByteArrayInputStream(events), DecodeContext.create());

    CodecException modified = codecError(decoder.next().orElseThrow());
    assertThat(modified).hasMessage("kind is \"Other\" and not \"Part\"");
    assertThat(modified.isRecoverable()).isTrue();
    assertThat(codecError(decoder.next().orElseThrow()).isInDeleted()).isTrue();
    assertThat(decoder.next().orElseThrow())
        .isInstanceOfSatisfying(
            WatchEvent.Failed.class,
            failed ->
                assertThat(failed.error()).hasMessageContaining("an error that is no Status"));
    assertThat(decoder.next().orElseThrow()).isInstanceOf(WatchEvent.Added.class);
  }

  @Test
  void readList_oneBadItem_spoilsNoOtherAndIsNamed() {
    byte[] bad = message(1, string(1, "x"), string(3, "n"), field(8, 1));
    byte[] list =
        join(
            message(1, string(2, "7")),
            message(2, message(1, string(1, "a"))),
            message(2, bad),
            message(2, new byte[] {-1}),
            message(2, message(1, string(1, "b"))));
    Read read = new Read();

    ListMeta metadata = readList(list, "PartList", read);

    assertThat(metadata.resourceVersion()).isEqualTo("7");
    assertThat(read.names).containsExactly("a", "b");
    assertThat(read.errors).extracting(CodecException::objectName).containsExactly("n/x", null);
    assertThat(read.errors.get(0)).hasMessageEndingWith(" in Part n/x");
  }

  @Test
  void readList_ofAShard_namesIt() {
    byte[] list = message(1, string(2, "7"), message(5, string(1, "shardRange(…)")));

    ListMeta metadata = readList(list, "PartList", new Read());

    assertThat(metadata.findShardInfo()).contains(new ListMeta.ShardInfo("shardRange(…)"));
  }

  @Test
  void readList_itemThatIsTooLarge_isSkipped() {
    byte[] list =
        join(
            message(2, message(1, string(1, "a"))),
            message(2, new byte[JsonReader.MAX_OBJECT_BYTES + 1]),
            message(2, message(1, string(1, "b"))));
    Read read = new Read();

    readList(list, "PartList", read);

    assertThat(read.names).containsExactly("a", "b");
    assertThat(read.errors).singleElement().asString().contains("16777217 bytes");
  }

  @Test
  void readList_whatIsNoList_isRefused() {
    assertThatThrownBy(() -> readList(META, "Status", new Read()))
        .isInstanceOf(CodecException.class)
        .hasMessage("expected a list, found a Status");
  }

  @Test
  void readList_streamThatEnds_isAnError() {
    byte[] list = envelope(message(2, message(1, string(1, "a"))), "PartList");

    assertThatThrownBy(
            () ->
                Serializer.protobuf(PartialObjectMetadata.CODEC)
                    .readList(
                        new ByteArrayInputStream(list, 0, list.length - 1),
                        DecodeContext.create(),
                        new Read()))
        .isInstanceOf(CodecException.class)
        .hasCauseInstanceOf(EOFException.class);
  }

  private static ListMeta readList(byte[] list, String kind, Read read) {
    return Serializer.protobuf(PartialObjectMetadata.CODEC)
        .readList(new ByteArrayInputStream(envelope(list, kind)), DecodeContext.create(), read);
  }

  private static final class Read implements ListSink<PartialObjectMetadata> {
    private final List<String> names = new ArrayList<>();
    private final List<CodecException> errors = new ArrayList<>();

    @Override
    public void accept(PartialObjectMetadata item) {
      names.add(item.metadata().name());
    }

    @Override
    public void undecodable(CodecException error) {
      errors.add(error);
    }
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
            added -> assertThat(((ObjectMeta) added.value()).name()).isEqualTo("a"));
    assertThat(decoder.next().orElseThrow())
        .isInstanceOfSatisfying(
            WatchEvent.Bookmark.class, mark -> assertThat(mark.resourceVersion()).isEqualTo("9"));
    assertThat(decoder.next().orElseThrow()).isInstanceOf(WatchEvent.Failed.class);
    assertThat(decoder.next()).isEmpty();
  }

  @Test
  void watch_frameThatIsTooLarge_isSkipped() throws IOException {
    byte[] length = {1, 0, 0, 1};
    var decoder =
        serializer.watch(
            new ByteArrayInputStream(
                join(length, new byte[(1 << 24) + 1], frame("ADDED", string(1, "a")))),
            DecodeContext.create());

    assertThat(decoder.next().orElseThrow()).isInstanceOf(WatchEvent.Failed.class);
    assertThat(decoder.next().orElseThrow()).isInstanceOf(WatchEvent.Added.class);
    assertThat(decoder.next()).isEmpty();
  }

  @Test
  void watch_deletionOfABadObject_saysThatItIsOne() throws IOException {
    byte[] bad = message(1, string(1, "x"), field(8, 1));
    var decoder =
        Serializer.protobuf(PartialObjectMetadata.CODEC)
            .watch(
                new ByteArrayInputStream(join(frame("DELETED", bad), frame("MODIFIED", bad))),
                DecodeContext.create());

    assertThat(codecError(decoder.next().orElseThrow()).isInDeleted()).isTrue();
    assertThat(codecError(decoder.next().orElseThrow()).isInDeleted()).isFalse();
  }

  private static CodecException codecError(WatchEvent<?> event) {
    return (CodecException) ((WatchEvent.Failed<?>) event).error();
  }

  @Test
  void watch_badObject_isNamedAndSpoilsNoOther() throws IOException {
    byte[] bad = message(1, string(1, "x"), string(3, "n"), field(8, 1));
    var decoder =
        Serializer.protobuf(PartialObjectMetadata.CODEC)
            .watch(
                new ByteArrayInputStream(
                    join(frame("MODIFIED", bad), frame("ADDED", message(1, string(1, "a"))))),
                DecodeContext.create());

    assertThat(decoder.next().orElseThrow())
        .isInstanceOfSatisfying(
            WatchEvent.Failed.class,
            failed -> assertThat(failed.error()).hasMessageEndingWith(" in Meta n/x"));
    assertThat(decoder.next().orElseThrow()).isInstanceOf(WatchEvent.Added.class);
  }

  private ObjectMeta read(byte[] bytes) {
    return serializer.read(new ByteArrayInputStream(bytes), DecodeContext.create());
  }

  private static byte[] envelope(byte[] object) {
    return envelope(object, "Meta");
  }

  private static byte[] envelope(byte[] object, String kind) {
    return ProtobufBytes.envelope(kind, object);
  }

  private static byte[] frame(String type, byte[] object) {
    return ProtobufBytes.frame(type, envelope(object));
  }
}
