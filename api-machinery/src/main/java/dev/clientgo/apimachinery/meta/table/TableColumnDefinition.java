package dev.clientgo.apimachinery.meta.table;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;

/**
 * The definition of one column of a table. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.TableColumnDefinition}.
 *
 * @param name the heading
 * @param type the type of the cells as OpenAPI names it: {@code string}, {@code integer}, {@code
 *     number}, {@code boolean}, {@code array}
 * @param format the format in OpenAPI, such as {@code date-time}; {@code name} for the column with
 *     the name of the object; often empty
 * @param description the meaning of the column
 * @param priority 0 for a column of a narrow view, more for a column that needs a wide one
 */
public record TableColumnDefinition(
    String name, String type, String format, String description, int priority) {

  /** Reads and writes this type. */
  public static final JsonCodec<TableColumnDefinition> CODEC = new Codec();

  public TableColumnDefinition {
    requireNonNull(name, "name");
    requireNonNull(type, "type");
    requireNonNull(format, "format");
    requireNonNull(description, "description");
  }

  /** Returns whether the column belongs to a narrow view. */
  public boolean isEssential() {
    return priority == 0;
  }

  private static final class Codec implements JsonCodec<TableColumnDefinition> {

    private static final FieldNames FIELDS =
        FieldNames.of("name", "type", "format", "description", "priority");

    @Override
    public TableColumnDefinition read(JsonReader in) {
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
      return new TableColumnDefinition(name, type, format, description, priority);
    }

    @Override
    public void write(JsonWriter out, TableColumnDefinition value) {
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
