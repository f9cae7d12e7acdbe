package dev.clientgo.apimachinery.serializer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.PieceStream;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Decoder;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In the JSON of these tests, {@code '} stands for {@code "}. */
final class CborSerializerTest {

  private static final String SHIP = "'apiVersion':'sea/v1','kind':'Ship'";

  private final Serializer<Unstructured> serializer =
      Unstructured.type(new GroupVersionResource("sea", "v1", "ships"))
          .serializers()
          .withCbor()
          .forContentType("application/cbor");

  @Test
  void read_objectWritten_isEqual() {
    Unstructured ship = object("{" + SHIP + ",'metadata':{'name':'a'},'spec':{'masts':[1,2.5]}}");

    byte[] cbor = serializer.write(ship);

    assertThat(Arrays.copyOf(cbor, 3)).containsExactly(0xD9, 0xD9, 0xF7);
    assertThat(serializer.read(cbor, DecodeContext.create())).isEqualTo(ship);
    assertThat(serializer.read(new ByteArrayInputStream(cbor), DecodeContext.create()))
        .isEqualTo(ship);
  }

  /**
   * A server writes the fields in any order; the items of built-in types do not name their kind.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'kind':'ShipList','apiVersion':'sea/v1','metadata':{'resourceVersion':'5'},"
            + "'items':[{'metadata':{'name':'a'}},{'metadata':{'name':'b'}}]}",
        "{'items':[{'metadata':{'name':'a'}},{'metadata':{'name':'b'}}],"
            + "'metadata':{'resourceVersion':'5'},'apiVersion':'sea/v1','kind':'ShipList'}",
        "{'kind':'ShipList','items':[{'metadata':{'name':'a'}},{'metadata':{'name':'b'}}],"
            + "'metadata':{'resourceVersion':'5'},'apiVersion':'sea/v1'}",
        "{'apiVersion':'sea/v1','items':[{'metadata':{'name':'a'}},{'metadata':{'name':'b'}}],"
            + "'metadata':{'resourceVersion':'5'},'kind':'ShipList'}"
      })
  void readList_kindAnywhere_givesItToTheItems(String json) {
    List<Unstructured> items = new ArrayList<>();

    ListMeta metadata =
        serializer.readList(PieceStream.bytewise(cbor(json)), DecodeContext.create(), items::add);

    assertThat(metadata.resourceVersion()).isEqualTo("5");
    assertThat(items)
        .extracting(item -> item.groupVersionKind() + " " + item.metadata().name())
        .containsExactly("sea/v1, Kind=Ship a", "sea/v1, Kind=Ship b");
  }

  @Test
  void readList_itemsThatNameTheirKind_arePassedOnAtOnce() {
    byte[] list = cbor("{'items':[{" + SHIP + "},{" + SHIP + "}],'kind':'ShipList'}");
    List<Unstructured> items = new ArrayList<>();
    IOException reset = new IOException("connection reset");

    assertThatThrownBy(
            () ->
                serializer.readList(
                    new PieceStream(Arrays.copyOf(list, list.length / 2)).thenFail(reset),
                    DecodeContext.create(),
                    items::add))
        .hasCause(reset);
    assertThat(items).hasSize(1);
  }

  @Test
  void readList_badItem_isReportedWithItsName() {
    List<CodecException> errors = new ArrayList<>();
    List<Unstructured> items = new ArrayList<>();

    serializer.readList(
        new ByteArrayInputStream(
            cbor("{'items':[{'metadata':{'name':'a','generation':'x'}},{" + SHIP + "}]}")),
        DecodeContext.create(),
        new ListSink<Unstructured>() {
          @Override
          public void accept(Unstructured item) {
            items.add(item);
          }

          @Override
          public void undecodable(CodecException error) {
            errors.add(error);
          }
        });

    assertThat(items).hasSize(1);
    assertThat(errors).extracting(CodecException::objectName).containsExactly("a");
  }

  @Test
  void watch_sequence_givesEventsAsTheyArrive() throws IOException {
    byte[] added = cbor("{'type':'ADDED','object':{" + SHIP + ",'metadata':{'name':'a'}}}");
    byte[] deleted = cbor("{'object':{" + SHIP + ",'metadata':{'name':'b'}},'type':'DELETED'}");
    byte[] bookmark =
        cbor(
            "{'object':{"
                + SHIP
                + ",'metadata':{'resourceVersion':'9','annotations':"
                + "{'k8s.io/initial-events-end':'true'}}},'type':'BOOKMARK'}");
    byte[] error =
        cbor(
            "{'type':'ERROR','object':{'apiVersion':'v1','kind':'Status','code':410,"
                + "'reason':'Expired','message':'too old'}}");
    Decoder<Unstructured> decoder =
        serializer.watch(
            new PieceStream(added, deleted, bookmark, error).thenBlock(), DecodeContext.create());

    assertThat(decoder.next().orElseThrow())
        .isInstanceOfSatisfying(
            WatchEvent.Added.class,
            event -> assertThat(((Unstructured) event.value()).metadata().name()).isEqualTo("a"));
    assertThat(decoder.next().orElseThrow())
        .isInstanceOfSatisfying(
            WatchEvent.Deleted.class,
            event -> assertThat(((Unstructured) event.value()).metadata().name()).isEqualTo("b"));
    assertThat(decoder.next()).contains(new WatchEvent.Bookmark<>("9", true));
    assertThat(decoder.next().orElseThrow())
        .isInstanceOfSatisfying(
            WatchEvent.Failed.class,
            event -> assertThat(((ApiStatusException) event.error()).isResourceExpired()).isTrue());
  }

  @Test
  void watch_badEvent_isReportedAndTheNextIsRead() throws IOException {
    byte[] bad = cbor("{'object':{'metadata':5},'type':'ADDED'}");
    byte[] good = cbor("{'object':{" + SHIP + "},'type':'ADDED'}");
    Decoder<Unstructured> decoder =
        serializer.watch(new PieceStream(bad, good), DecodeContext.create());

    assertThat(decoder.next().orElseThrow())
        .isInstanceOfSatisfying(
            WatchEvent.Failed.class,
            event ->
                assertThat(event.error())
                    .hasMessageContaining("expected an object, found a number at /metadata"));
    assertThat(decoder.next().orElseThrow()).isInstanceOf(WatchEvent.Added.class);
    assertThat(decoder.next()).isEmpty();
  }

  @Test
  void watch_endsWithinAnEvent_throws() {
    byte[] event = cbor("{'type':'ADDED','object':{" + SHIP + "}}");
    Decoder<Unstructured> decoder =
        serializer.watch(
            new ByteArrayInputStream(event, 0, event.length - 1), DecodeContext.create());

    assertThatThrownBy(decoder::next).isInstanceOf(EOFException.class);
  }

  @Test
  void withCbor_typeWithJsonOnly_prefersCbor() {
    NegotiatedSerializer<Unstructured> both =
        NegotiatedSerializer.json(Unstructured.CODEC).withCbor();

    assertThat(both.accept()).isEqualTo("application/cbor,application/json");
    assertThat(both.sendsCbor()).isTrue();
    assertThat(both.forRequestWithoutCbor().mediaType()).isEqualTo("application/json");
    assertThat(both.forContentType("application/cbor-seq").mediaType())
        .isEqualTo("application/cbor");
    assertThat(both.only("application/cbor").accept()).isEqualTo(both.accept());
    assertThat(both.only("application/json").accept()).isEqualTo("application/json");
  }

  @Test
  void withCbor_typeWithProtobuf_isUnchanged() {
    assertThat(NegotiatedSerializer.metadata().withCbor().accept())
        .isEqualTo(NegotiatedSerializer.metadata().accept());
  }

  private static byte[] cbor(String json) {
    return JsonWriter.toCbor(RawJson.CODEC, RawJson.of(json.replace('\'', '"')));
  }

  private static Unstructured object(String json) {
    return JsonReader.fromBytes(Unstructured.CODEC, json.replace('\'', '"').getBytes(UTF_8));
  }
}
