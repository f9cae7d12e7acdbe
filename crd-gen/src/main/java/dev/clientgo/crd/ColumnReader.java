package dev.clientgo.crd;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects the columns of a kind. Not safe for use by many threads. */
final class ColumnReader {

  private final List<Object> columns = new ArrayList<>();

  /** Adds the column of a component. */
  void read(RecordComponent component, Map<String, Object> schema, Place place) {
    for (PrinterColumn column : component.getAnnotationsByType(PrinterColumn.class)) {
      if (column.jsonPath().isEmpty() && place.path().contains("[]")) {
        throw place.problem("a column in a list or map needs a jsonPath");
      }
      String name = component.getName();
      String type = String.valueOf(schema.getOrDefault("type", "string"));
      boolean isTime = "date-time".equals(schema.get("format"));
      boolean isPlain = List.of("integer", "number", "boolean").contains(type);
      add(
          column,
          Character.toUpperCase(name.charAt(0)) + name.substring(1),
          isTime ? "date" : isPlain ? type : "string",
          place.path());
    }
  }

  /** Adds the columns of a kind, whose schema must have their paths. */
  void read(Class<?> kind, SchemaPaths paths, Place place) {
    for (PrinterColumn column : kind.getAnnotationsByType(PrinterColumn.class)) {
      if (column.name().isEmpty() || column.jsonPath().isEmpty()) {
        throw place.problem("a column of a kind needs a name and a jsonPath");
      }
      paths.check(column.jsonPath(), "the column " + column.name());
      add(column, "", "string", "");
    }
  }

  private void add(PrinterColumn column, String name, String type, String path) {
    Map<String, Object> added = new TreeMap<>();
    added.put("name", either(column.name(), name));
    added.put("type", either(column.type(), type));
    added.put("jsonPath", either(column.jsonPath(), path));
    if (!column.format().isEmpty()) {
      added.put("format", column.format());
    }
    if (!column.description().isEmpty()) {
      added.put("description", column.description());
    }
    if (column.priority() != 0) {
      added.put("priority", (long) column.priority());
    }
    columns.add(added);
  }

  private static String either(String text, String otherwise) {
    return text.isEmpty() ? otherwise : text;
  }

  /** Returns the columns, those of components first. */
  List<Object> columns() {
    return columns;
  }
}
