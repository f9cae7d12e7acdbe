package dev.clientgo.rest;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Objects as the server would print them: what {@code kubectl get} shows.
 *
 * <p>Immutable. Corresponds to client-go's {@code metav1.Table}.
 *
 * @param metadata what the list carries besides its rows
 * @param columns the columns; none in any event of a watch but the first
 * @param rows the rows, one for each object
 */
public record Table(ListMeta metadata, List<Column> columns, List<Row> rows) {

  /** Reads this type; writes it, too, for tests. */
  public static final JsonCodec<Table> CODEC = new Codec();

  public Table {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /**
   * What a column is.
   *
   * @param name its heading
   * @param type the type of its cells in OpenAPI, such as {@code string} or {@code integer}
   * @param format the format of its cells in OpenAPI; {@code name} marks the name of the object
   * @param description what it shows
   * @param priority 0 if it is always of interest, more if only when there is room
   */
  public record Column(String name, String type, String format, String description, int priority) {

    private static final JsonCodec<Column> CODEC = new ColumnCodec();
  }

  /**
   * What is shown of one object.
   *
   * @param cells strings, longs, doubles, booleans or nulls, one for each column
   * @param object the object, or its metadata; absent if none was asked for
   */
  public record Row(List<@Nullable Object> cells, @Nullable Unstructured object) {

    private static final JsonCodec<Row> CODEC = new RowCodec();

    public Row {
      cells = Collections.unmodifiableList(new ArrayList<>(cells));
    }
  }

  private static final class Codec implements JsonCodec<Table> {

    private static final FieldNames FIELDS =
        FieldNames.of("kind", "metadata", "columnDefinitions", "rows");

    @Override
    public Table read(JsonReader in) {
      ListMeta metadata = ListMeta.EMPTY;
      List<Column> columns = List.of();
      List<Row> rows = List.of();
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> requireTable(in);
          case 1 -> metadata = ListMeta.CODEC.read(in);
          case 2 -> columns = in.nextList(Column.CODEC);
          case 3 -> rows = in.nextList(Row.CODEC);
          default -> throw new AssertionError(field);
        }
      }
      return new Table(metadata, columns, rows);
    }

    /** A server that does not print a resource answers with the objects. */
    private static void requireTable(JsonReader in) {
      String kind = in.nextString();
      if (!kind.equals("Table")) {
        throw in.mismatch("expected a Table, found a " + kind + ": the server does not print it");
      }
    }

    @Override
    public void write(JsonWriter out, Table value) {
      out.beginObject();
      out.field("kind", "Table");
      out.field("apiVersion", "meta.k8s.io/v1");
      out.field("metadata", ListMeta.CODEC, value.metadata());
      out.listField("columnDefinitions", Column.CODEC, value.columns());
      out.listField("rows", Row.CODEC, value.rows());
      out.endObject();
    }
  }

  private static final class ColumnCodec implements JsonCodec<Column> {

    private static final FieldNames FIELDS =
        FieldNames.of("name", "type", "format", "description", "priority");

    @Override
    public Column read(JsonReader in) {
      String[] texts = {"", "", "", ""};
      int priority = 0;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        if (field < texts.length) {
          texts[field] = in.nextString();
        } else {
          priority = in.nextInt();
        }
      }
      return new Column(texts[0], texts[1], texts[2], texts[3], priority);
    }

    @Override
    public void write(JsonWriter out, Column value) {
      out.beginObject();
      out.field("name", value.name());
      out.field("type", value.type());
      out.field("format", value.format());
      out.field("description", value.description());
      out.field("priority", value.priority());
      out.endObject();
    }
  }

  private static final class RowCodec implements JsonCodec<Row> {

    private static final FieldNames FIELDS = FieldNames.of("cells", "object");

    @Override
    public Row read(JsonReader in) {
      List<@Nullable Object> cells = List.of();
      Unstructured object = null;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> cells = in.nextTree() instanceof List<?> list ? new ArrayList<>(list) : cells;
          case 1 -> object = Unstructured.CODEC.read(in);
          default -> throw new AssertionError(field);
        }
      }
      return new Row(cells, object);
    }

    @Override
    public void write(JsonWriter out, Row value) {
      out.beginObject();
      out.name("cells");
      out.tree(value.cells());
      out.field("object", Unstructured.CODEC, value.object());
      out.endObject();
    }
  }
}
