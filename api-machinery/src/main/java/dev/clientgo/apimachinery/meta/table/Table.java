package dev.clientgo.apimachinery.meta.table;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
public record Table(ListMeta metadata, List<ColumnDefinition> columnDefinitions, List<Row> rows) {

  /** The kind under which servers send tables. */
  public static final GroupVersionKind KIND = new GroupVersionKind("meta.k8s.io", "v1", "Table");

  /** Reads and writes this type. */
  public static final JsonCodec<Table> CODEC = new TableCodec();

  public Table {
    requireNonNull(metadata, "metadata");
    columnDefinitions = List.copyOf(columnDefinitions);
    rows = List.copyOf(rows);
  }

  private static final class TableCodec implements JsonCodec<Table> {

    private static final FieldNames FIELDS =
        FieldNames.of("kind", "metadata", "columnDefinitions", "rows");

    @Override
    public Table read(JsonReader in) {
      ListMeta metadata = ListMeta.EMPTY;
      List<ColumnDefinition> columns = List.of();
      List<Row> rows = List.of();
      String kind = "";
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> kind = in.nextString();
          case 1 -> metadata = ListMeta.CODEC.read(in);
          case 2 -> columns = in.nextList(ColumnDefinition.CODEC);
          case 3 -> rows = in.nextList(Row.CODEC);
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
          ColumnDefinition.CODEC,
          value.columnDefinitions().isEmpty() ? null : value.columnDefinitions());
      out.listField("rows", Row.CODEC, value.rows());
      out.endObject();
    }
  }

  /**
   * The definition of one column of a table. Immutable.
   *
   * <p>Corresponds to client-go's {@code metav1.TableColumnDefinition}.
   *
   * @param name the heading
   * @param type the type of the cells as OpenAPI names it: {@code string}, {@code integer}, {@code
   *     number}, {@code boolean}, {@code array}
   * @param format the format in OpenAPI, such as {@code date-time}; {@code name} for the column
   *     with the name of the object; often empty
   * @param description the meaning of the column
   * @param priority 0 for a column of a narrow view, more for a column that needs a wide one
   */
  public record ColumnDefinition(
      String name, String type, String format, String description, int priority) {

    /** Reads and writes this type. */
    public static final JsonCodec<ColumnDefinition> CODEC = new ColumnDefinitionCodec();

    public ColumnDefinition {
      requireNonNull(name, "name");
      requireNonNull(type, "type");
      requireNonNull(format, "format");
      requireNonNull(description, "description");
    }

    /** Returns whether the column belongs to a narrow view. */
    public boolean isEssential() {
      return priority == 0;
    }

    private static final class ColumnDefinitionCodec implements JsonCodec<ColumnDefinition> {

      private static final FieldNames FIELDS =
          FieldNames.of("name", "type", "format", "description", "priority");

      @Override
      public ColumnDefinition read(JsonReader in) {
        String name = "";
        String type = "";
        String format = "";
        String description = "";
        int priority = 0;
        in.beginObject();
        for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
          switch (field) {
            case 0 -> name = in.nextString();
            case 1 -> type = in.nextString();
            case 2 -> format = in.nextString();
            case 3 -> description = in.nextString();
            case 4 -> priority = in.nextInt();
            default -> throw new AssertionError(field);
          }
        }
        return new ColumnDefinition(name, type, format, description, priority);
      }

      @Override
      public void write(JsonWriter out, ColumnDefinition value) {
        out.beginObject();
        out.field("name", value.name());
        out.field("type", value.type());
        out.field("format", value.format());
        out.field("description", value.description());
        out.field("priority", value.priority());
        out.endObject();
      }
    }
  }

  /**
   * One row of a table: the cells of one object. Immutable.
   *
   * <p>Corresponds to client-go's {@code metav1.TableRow}.
   *
   * @param cells the cells, in the order of the columns: strings, booleans, numbers, maps, lists or
   *     null, as {@link JsonReader#nextTree} returns them
   * @param conditions the conditions of the row itself
   * @param rawObject the requested part of the object, see {@link
   *     TableOptions.IncludeObjectPolicy}: null, its metadata, or the whole object
   */
  public record Row(
      List<@Nullable Object> cells, List<RowCondition> conditions, @Nullable RawJson rawObject) {

    /** Reads and writes this type. */
    public static final JsonCodec<Row> CODEC = new RowCodec();

    public Row {
      cells = Collections.unmodifiableList(new ArrayList<>(cells));
      conditions = List.copyOf(conditions);
    }

    /**
     * Returns the metadata of the object, if the row carries the object or its metadata.
     *
     * @throws dev.clientgo.apimachinery.errors.CodecException if the object has no metadata
     */
    public Optional<PartialObjectMetadata> metadata() {
      return decodeObject(PartialObjectMetadata.CODEC);
    }

    /**
     * Returns the object of the row, read with a codec.
     *
     * @throws dev.clientgo.apimachinery.errors.CodecException if the object has another type
     */
    public <T> Optional<T> decodeObject(JsonCodec<T> codec) {
      return rawObject == null ? Optional.empty() : Optional.of(codec.read(rawObject.reader()));
    }

    /** Returns whether the object has completed, so that a view may dim its row. */
    public boolean isCompleted() {
      return conditions.stream().anyMatch(RowCondition::isCompleted);
    }

    private static final class RowCodec implements JsonCodec<Row> {

      private static final FieldNames FIELDS = FieldNames.of("cells", "conditions", "object");

      @Override
      public Row read(JsonReader in) {
        List<@Nullable Object> cells = List.of();
        List<RowCondition> conditions = List.of();
        RawJson object = null;
        in.beginObject();
        for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
          switch (field) {
            case 0 -> cells = readCells(in);
            case 1 -> conditions = in.nextList(RowCondition.CODEC);
            case 2 -> object = in.nextRaw();
            default -> throw new AssertionError(field);
          }
        }
        return new Row(cells, conditions, object);
      }

      private static List<@Nullable Object> readCells(JsonReader in) {
        List<@Nullable Object> cells = new ArrayList<>();
        in.beginArray();
        while (in.nextElement()) {
          cells.add(in.nextTree());
        }
        return cells;
      }

      @Override
      public void write(JsonWriter out, Row value) {
        out.beginObject();
        out.name("cells");
        out.tree(value.cells());
        out.listField(
            "conditions",
            RowCondition.CODEC,
            value.conditions().isEmpty() ? null : value.conditions());
        out.field("object", value.rawObject());
        out.endObject();
      }
    }
  }

  /**
   * A condition of a row of a table, not of its object. Immutable.
   *
   * <p>Corresponds to client-go's {@code metav1.TableRowCondition}.
   *
   * @param type {@value #COMPLETED}, the only type
   * @param status True, False or Unknown
   * @param reason the reason for programs; often empty
   * @param message the reason for people; often empty
   */
  public record RowCondition(String type, String status, String reason, String message) {

    /** The type of the condition of a row whose object has completed. */
    public static final String COMPLETED = "Completed";

    /** Reads and writes this type. */
    public static final JsonCodec<RowCondition> CODEC = new RowConditionCodec();

    public RowCondition {
      requireNonNull(type, "type");
      requireNonNull(status, "status");
      requireNonNull(reason, "reason");
      requireNonNull(message, "message");
    }

    boolean isCompleted() {
      return type.equals(COMPLETED) && status.equals("True");
    }

    private static final class RowConditionCodec implements JsonCodec<RowCondition> {

      private static final FieldNames FIELDS = FieldNames.of("type", "status", "reason", "message");

      @Override
      public RowCondition read(JsonReader in) {
        String type = "";
        String status = "";
        String reason = "";
        String message = "";
        in.beginObject();
        for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
          switch (field) {
            case 0 -> type = in.nextString();
            case 1 -> status = in.nextString();
            case 2 -> reason = in.nextString();
            case 3 -> message = in.nextString();
            default -> throw new AssertionError(field);
          }
        }
        return new RowCondition(type, status, reason, message);
      }

      @Override
      public void write(JsonWriter out, RowCondition value) {
        out.beginObject();
        out.field("type", value.type());
        out.field("status", value.status());
        out.field("reason", value.reason().isEmpty() ? null : value.reason());
        out.field("message", value.message().isEmpty() ? null : value.message());
        out.endObject();
      }
    }
  }
}
