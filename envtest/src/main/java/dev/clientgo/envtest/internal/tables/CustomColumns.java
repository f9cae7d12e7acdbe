package dev.clientgo.envtest.internal.tables;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.jsonpath.JsonPath;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns of custom kinds, from their CustomResourceDefinitions. */
public final class CustomColumns {

  private static final JsonPath SELF = JsonPath.parse("{@}");
  private static final List<Map<String, Object>> IF_NONE =
      List.of(Map.of("name", "Age", "type", "date", "jsonPath", ".metadata.creationTimestamp"));

  private CustomColumns() {}

  /** Returns the column of the name, and those of {@code additionalPrinterColumns}. */
  public static List<Column> of(List<Map<String, Object>> listed) {
    List<Column> columns = new ArrayList<>();
    columns.add(Column.NAME);
    for (Map<String, Object> column : listed.isEmpty() ? IF_NONE : listed) {
      String type = JsonTree.string(column, "type");
      String path = JsonTree.string(column, "jsonPath");
      String description = JsonTree.string(column, "description");
      columns.add(
          new Column(
              JsonTree.string(column, "name"),
              type,
              JsonTree.string(column, "format"),
              description.isEmpty()
                  ? "Custom resource definition column (in JSONPath format): " + path
                  : description,
              requireNonNullElse(JsonTree.number(column, "priority"), 0L),
              cell(type, JsonPath.column(path))));
    }
    return columns;
  }

  /** Returns a cell that shows the first value at the path. */
  private static Cell cell(String type, JsonPath path) {
    return (object, now) -> {
      List<@Nullable Object> found = path.find(object);
      Object value = found.isEmpty() ? null : found.get(0);
      return value == null ? null : of(type, value, now);
    };
  }

  private static @Nullable Object of(String type, Object value, Instant now) {
    return switch (type) {
      case "integer" -> value instanceof Number number ? (Long) number.longValue() : null;
      case "number" -> value instanceof Number ? value : null;
      case "boolean" -> value instanceof Boolean ? value : null;
      case "date" -> value instanceof String time ? Cells.since(time, now) : null;
      default -> SELF.print(value);
    };
  }
}
