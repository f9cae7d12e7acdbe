package dev.clientgo.apimachinery.meta.table;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;

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
public record TableRowCondition(String type, String status, String reason, String message) {

  /** The type of the condition of a row whose object has completed. */
  public static final String COMPLETED = "Completed";

  /** Reads and writes this type. */
  public static final JsonCodec<TableRowCondition> CODEC = new Codec();

  public TableRowCondition {
    requireNonNull(type, "type");
    requireNonNull(status, "status");
    requireNonNull(reason, "reason");
    requireNonNull(message, "message");
  }

  boolean isCompleted() {
    return type.equals(COMPLETED) && status.equals("True");
  }

  private static final class Codec implements JsonCodec<TableRowCondition> {

    private static final FieldNames FIELDS = FieldNames.of("type", "status", "reason", "message");

    @Override
    public TableRowCondition read(JsonReader in) {
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
      return new TableRowCondition(type, status, reason, message);
    }

    @Override
    public void write(JsonWriter out, TableRowCondition value) {
      out.beginObject();
      out.field("type", value.type());
      out.field("status", value.status());
      out.field("reason", value.reason().isEmpty() ? null : value.reason());
      out.field("message", value.message().isEmpty() ? null : value.message());
      out.endObject();
    }
  }
}
