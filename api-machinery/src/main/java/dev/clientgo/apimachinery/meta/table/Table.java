package dev.clientgo.apimachinery.meta.table;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import java.util.List;

/**
 * Objects as a table that the server formats for people: {@code kubectl get} prints it.
 *
 * <p>Every row has one cell for each column. In a watch, each event has a table, but only the first
 * has the definitions of the columns. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.Table}.
 *
 * @param metadata the metadata that a list of the objects would have
 * @param columnDefinitions the columns; empty in later events of a watch
 * @param rows the rows, one for each object
 */
public record Table(
    ListMeta metadata, List<TableColumnDefinition> columnDefinitions, List<TableRow> rows) {

  /** The kind under which servers send tables. */
  public static final GroupVersionKind KIND = new GroupVersionKind("meta.k8s.io", "v1", "Table");

  /** Reads and writes this type. */
  public static final JsonCodec<Table> CODEC = new Codec();

  public Table {
    requireNonNull(metadata, "metadata");
    columnDefinitions = List.copyOf(columnDefinitions);
    rows = List.copyOf(rows);
  }

  private static final class Codec implements JsonCodec<Table> {

    private static final FieldNames FIELDS =
        FieldNames.of("kind", "metadata", "columnDefinitions", "rows");

    @Override
    public Table read(JsonReader in) {
      ListMeta metadata = ListMeta.EMPTY;
      List<TableColumnDefinition> columns = List.of();
      List<TableRow> rows = List.of();
      String kind = "";
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> kind = in.nextString();
          case 1 -> metadata = ListMeta.CODEC.read(in);
          case 2 -> columns = in.nextList(TableColumnDefinition.CODEC);
          case 3 -> rows = in.nextList(TableRow.CODEC);
          default -> throw new AssertionError(field);
        }
      }
      if (!kind.equals(KIND.kind())) {
        // A server that cannot format a resource as a table sends its objects.
        throw in.mismatch(
            "expected a Table, found "
                + (kind.isEmpty() ? "no kind" : "a " + kind)
                + ": the server has no table of this resource");
      }
      return new Table(metadata, columns, rows);
    }

    @Override
    public void write(JsonWriter out, Table value) {
      out.beginObject();
      out.field("kind", KIND.kind());
      out.field("apiVersion", KIND.apiVersion());
      out.field("metadata", ListMeta.CODEC, value.metadata());
      out.listField(
          "columnDefinitions",
          TableColumnDefinition.CODEC,
          value.columnDefinitions().isEmpty() ? null : value.columnDefinitions());
      out.listField("rows", TableRow.CODEC, value.rows());
      out.endObject();
    }
  }
}
