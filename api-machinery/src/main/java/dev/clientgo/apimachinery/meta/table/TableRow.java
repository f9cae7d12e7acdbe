package dev.clientgo.apimachinery.meta.table;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One row of a table: the cells of one object. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.TableRow}.
 *
 * @param cells the cells, in the order of the columns: strings, booleans, numbers, maps, lists or
 *     null, as {@link JsonReader#nextTree} returns them
 * @param conditions the conditions of the row itself
 * @param rawObject the requested part of the object, see {@link IncludeObjectPolicy}: null, its
 *     metadata, or the whole object
 */
public record TableRow(
    List<@Nullable Object> cells, List<TableRowCondition> conditions, @Nullable RawJson rawObject) {

  /** Reads and writes this type. */
  public static final JsonCodec<TableRow> CODEC = new Codec();

  public TableRow {
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
    return conditions.stream().anyMatch(TableRowCondition::isCompleted);
  }

  private static final class Codec implements JsonCodec<TableRow> {

    private static final FieldNames FIELDS = FieldNames.of("cells", "conditions", "object");

    @Override
    public TableRow read(JsonReader in) {
      List<@Nullable Object> cells = List.of();
      List<TableRowCondition> conditions = List.of();
      RawJson object = null;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> cells = readCells(in);
          case 1 -> conditions = in.nextList(TableRowCondition.CODEC);
          case 2 -> object = in.nextRaw();
          default -> throw new AssertionError(field);
        }
      }
      return new TableRow(cells, conditions, object);
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
    public void write(JsonWriter out, TableRow value) {
      out.beginObject();
      out.name("cells");
      out.tree(value.cells());
      out.listField(
          "conditions",
          TableRowCondition.CODEC,
          value.conditions().isEmpty() ? null : value.conditions());
      out.field("object", value.rawObject());
      out.endObject();
    }
  }
}
