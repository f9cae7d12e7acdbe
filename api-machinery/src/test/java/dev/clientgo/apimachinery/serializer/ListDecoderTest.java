package dev.clientgo.apimachinery.serializer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.PieceStream;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In the JSON of these tests, {@code '} stands for {@code "}. */
final class ListDecoderTest {

  private static final GroupVersionKind SHIP = new GroupVersionKind("sea", "v1", "Ship");

  private final List<Unstructured> items = new ArrayList<>();
  private final List<CodecException> errors = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'kind':'ShipList','apiVersion':'sea/v1','metadata':{'resourceVersion':'5'},"
            + "'items':[{'metadata':{'name':'a'}},{'metadata':{'name':'b'}}]}",
        "{'items':[{'metadata':{'name':'a'}},{'metadata':{'name':'b'}}],"
            + "'metadata':{'resourceVersion':'5'},'apiVersion':'sea/v1','kind':'ShipList'}",
        "{'x':[{'items':[1]}],'metadata':{'resourceVersion':'5'},'y':null,"
            + "'items':[{'metadata':{'name':'a'}},{'metadata':{'name':'b'}}]}"
      })
  void read_fieldsInAnyOrder_handsItemsOverAndReturnsMetadata(String json) {
    ListMeta metadata = read(json);

    assertThat(items).extracting(item -> item.metadata().name()).containsExactly("a", "b");
    assertThat(metadata.resourceVersion()).isEqualTo("5");
    assertThat(errors).isEmpty();
  }

  @Test
  void read_itemsWithoutType_takeThatOfTheCodec() {
    read("{'items':[{},{'kind':'Boat'},{'apiVersion':'lake/v2','kind':'Raft'}]}");

    assertThat(items)
        .extracting(item -> item.groupVersionKind().toString())
        .containsExactly("sea/v1, Kind=Ship", "sea/v1, Kind=Boat", "lake/v2, Kind=Raft");
  }

  @Test
  void read_itemComplete_isHandedOverBeforeTheNextArrives() {
    byte[] first = "{\"items\":[{\"metadata\":{\"name\":\"a\"}}".getBytes(UTF_8);
    IOException reset = new IOException("connection reset");
    JsonReader in = JsonReader.of(new PieceStream(first).thenFail(reset), DecodeContext.create());

    assertThatThrownBy(() -> ListDecoder.read(in, Unstructured.CODEC, items::add))
        .isInstanceOf(UncheckedIOException.class)
        .hasCause(reset);
    assertThat(items).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'items':[]}",
        "{'items':null,'kind':'ShipList'}",
        "{'kind':'ShipList'}",
        "{'items':[],'kind':''}"
      })
  void read_noItems_isAnEmptyList(String json) {
    assertThat(read(json)).isEqualTo(ListMeta.EMPTY);

    assertThat(items).isEmpty();
  }

  @Test
  void read_badItemsBetweenGoodOnes_reportsThemByName() {
    ListMeta metadata =
        read(
            "{'kind':'ShipList','items':[{'metadata':{'name':'a'}},"
                + "{'metadata':{'name':'b','namespace':'n'},'kind':[{'x':1},2],'y':{}},7,null,"
                + "{'metadata':{'name':'c','labels':{'x':[]}},'kind':'y'},"
                + "{'metadata':{'name':'d'}}],'metadata':{'resourceVersion':'5'}}");

    assertThat(items).extracting(item -> item.metadata().name()).containsExactly("a", "d");
    assertThat(errors)
        .extracting(CodecException::getMessage)
        .containsExactly(
            "expected a string, found an array at /items/1/kind (byte 102) in Ship n/b",
            "expected an object, found a number at /items/2 (byte 122)",
            "expected an object, found null at /items/3 (byte 124)",
            "expected a string, found an array at /items/4/metadata/labels/x (byte 167)"
                + " in y c"); // Its own kind comes behind the bad field.
    assertThat(errors).allMatch(CodecException::isRecoverable);
    assertThat(metadata.resourceVersion()).isEqualTo("5");
  }

  @Test
  void read_badItemWithAPlainSink_ends() {
    CodecException error =
        catchThrowableOfType(
            CodecException.class,
            () ->
                ListDecoder.read(
                    reader("{'items':[{'metadata':{'name':'a'}},{'kind':1}]}"),
                    Unstructured.CODEC,
                    items::add));

    assertThat(error.path()).isEqualTo("/items/1/kind");
    assertThat(items).hasSize(1);
  }

  @Test
  void read_sinkThrows_passesItOn() {
    IllegalStateException full = new IllegalStateException("full");

    assertThatThrownBy(
            () ->
                ListDecoder.read(
                    reader("{'items':[{}]}"),
                    Unstructured.CODEC,
                    item -> {
                      throw full;
                    }))
        .isSameAs(full);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{'kind':'Status','apiVersion':'v1','code':404} | expected a list, found a Status at /kind"
            + " (byte 8)",
        "{'rows':[],'kind':'Table'}       | expected a list, found a Table at /kind (byte 18)",
        "{'kind':'Pod','metadata':{}}     | expected a list, found a Pod (byte 27)",
        "{}                               | expected a list, found an object without items (byte"
            + " 1)",
        "{'items':{}}                     | expected an array, found an object at /items (byte 9)",
        "{'items':[],'metadata':7}        | expected an object, found a number at /metadata (byte"
            + " 23)",
        "[]                               | expected an object, found an array (byte 0)"
      })
  void read_noList_saysWhatItIs(String json, String problem) {
    assertThatThrownBy(() -> read(json)).isInstanceOf(CodecException.class).hasMessage(problem);
  }

  @Test
  void read_truncatedAnywhere_saysSo() {
    String json =
        "{'kind':'ShipList','metadata':{'resourceVersion':'5'},'items':[{'a':1},{'kind':2}]}";
    for (int length = 0; length < json.length(); length++) {
      String part = json.substring(0, length);

      CodecException error = catchThrowableOfType(CodecException.class, () -> read(part));

      assertThat(error).as(part).hasCauseInstanceOf(EOFException.class);
      assertThat(error.isRecoverable()).as(part).isFalse();
    }
  }

  private ListMeta read(String json) {
    return ListDecoder.read(
        reader(json),
        Unstructured.codec(SHIP),
        new ListSink<>() {
          @Override
          public void accept(Unstructured item) {
            items.add(item);
          }

          @Override
          public void undecodable(CodecException error) {
            errors.add(error);
          }
        });
  }

  private static JsonReader reader(String json) {
    return JsonReader.of(json.replace('\'', '"').getBytes(UTF_8));
  }
}
