package dev.clientgo.apimachinery.meta.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchDecoder;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TableTest {

  private static final String TABLE =
      "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"9\"},"
          + "\"columnDefinitions\":["
          + "{\"name\":\"Name\",\"type\":\"string\",\"format\":\"name\",\"description\":\"d\","
          + "\"priority\":0},"
          + "{\"name\":\"Restarts\",\"type\":\"integer\",\"format\":\"\",\"description\":\"\","
          + "\"priority\":1}],"
          + "\"rows\":[{\"cells\":[\"web-0\",3,null,true,{\"a\":[1.5]}],"
          + "\"conditions\":[{\"type\":\"Completed\",\"status\":\"True\",\"reason\":\"Succeeded\"}],"
          + "\"object\":{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
          + "\"metadata\":{\"name\":\"web-0\"}}},"
          + "{\"cells\":[]}]}";

  @Test
  void codec_ofATable_readsAndWritesAllOfIt() {
    Table table = read(TABLE);

    assertThat(table.metadata().resourceVersion()).isEqualTo("9");
    assertThat(table.columnDefinitions())
        .containsExactly(
            new Table.ColumnDefinition("Name", "string", "name", "d", 0),
            new Table.ColumnDefinition("Restarts", "integer", "", "", 1));
    assertThat(table.columnDefinitions())
        .extracting(Table.ColumnDefinition::isEssential)
        .containsExactly(true, false);
    assertThat(table.rows().get(0).cells())
        .containsExactly("web-0", 3L, null, true, Map.of("a", List.of(1.5)));
    assertThat(new String(JsonWriter.toBytes(Table.CODEC, table), UTF_8)).isEqualTo(TABLE);
  }

  /** As a server sends all but the first event of a watch. */
  @Test
  void codec_ofATableWithoutColumns_writesNone() {
    String rows =
        "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{},"
            + "\"rows\":[{\"cells\":[1]}]}";

    assertThat(new String(JsonWriter.toBytes(Table.CODEC, read(rows)), UTF_8)).isEqualTo(rows);
  }

  @Test
  void row_withMetadata_givesItTyped() {
    Table.Row row = read(TABLE).rows().get(0);

    assertThat(row.metadata().orElseThrow().metadata().name()).isEqualTo("web-0");
    assertThat(row.decodeObject(Unstructured.CODEC).orElseThrow().kind())
        .isEqualTo("PartialObjectMetadata");
    assertThat(row.isCompleted()).isTrue();
  }

  @Test
  void row_withoutObject_hasNoMetadata() {
    Table.Row row = read(TABLE).rows().get(1);

    assertThat(row.metadata()).isEmpty();
    assertThat(row.isCompleted()).isFalse();
  }

  /** A server that makes no tables of a resource answers with its objects. */
  @Test
  void codec_ofAList_saysWhatItFound() {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> read("{\"kind\":\"PodList\",\"items\":[]}"))
        .withMessageContaining("expected a Table, found a PodList");
  }

  @Test
  void codec_inAWatch_readsOneTableAnEvent() throws Exception {
    String events =
        "{\"type\":\"ADDED\",\"object\":"
            + TABLE
            + "}\n"
            + "{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"Table\","
            + "\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{},\"columnDefinitions\":null,"
            + "\"rows\":[{\"cells\":[\"web-1\"]}]}}";
    WatchDecoder<Table> decoder =
        WatchDecoder.json(
            new ByteArrayInputStream(events.getBytes(UTF_8)), Table.CODEC, DecodeContext.create());

    assertThat(decoder.next()).contains(new WatchEvent.Added<>(read(TABLE)));
    WatchEvent.Modified<Table> second = (WatchEvent.Modified<Table>) decoder.next().orElseThrow();
    assertThat(second.value().columnDefinitions()).isEmpty();
    assertThat(second.value().rows()).hasSize(1);
  }

  @Test
  void options_askForObjects() {
    assertThat(TableOptions.NONE.toQuery()).isEmpty();
    assertThat(TableOptions.including(TableOptions.IncludeObjectPolicy.OBJECT).toQuery())
        .containsExactly(Map.entry("includeObject", "Object"));
    assertThat(TableOptions.including(TableOptions.IncludeObjectPolicy.NONE))
        .isEqualTo(TableOptions.including(TableOptions.IncludeObjectPolicy.NONE))
        .isNotEqualTo(TableOptions.NONE);
  }

  private static Table read(String json) {
    return JsonReader.fromBytes(Table.CODEC, json.getBytes(UTF_8));
  }
}
