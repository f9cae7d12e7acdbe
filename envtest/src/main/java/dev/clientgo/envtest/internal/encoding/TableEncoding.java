package dev.clientgo.envtest.internal.encoding;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.internal.tables.Column;
import dev.clientgo.envtest.internal.tables.PodCells;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the objects of one kind as tables, for one request. In a watch, only the first table has
 * columns. For use by one thread.
 */
final class TableEncoding {

  private static final String META = "meta.k8s.io/v1";

  private final ServedKind served;
  private final String include;
  private final Clock clock;
  private boolean begun;

  private TableEncoding(ServedKind served, String include, Clock clock) {
    this.served = served;
    this.include = include;
    this.clock = clock;
  }

  /**
   * Returns the encoding that a request asks for.
   *
   * @throws ApiStatusException if its parameters are invalid
   */
  static TableEncoding of(ApiRequest request, ServedKind served, Clock clock) {
    String include = request.query("includeObject");
    if (!List.of("", "None", "Metadata", "Object").contains(include)) {
      throw ApiStatusException.badRequest(
          ("Unable to convert to Table as requested: includeObject: Invalid value:"
                  + " \"%s\": must be 'Metadata', 'Object', 'None', or empty")
              .formatted(include));
    }
    return new TableEncoding(served, include, clock);
  }

  /** Returns a table of several objects. */
  byte[] table(List<StoredObject> objects, Map<String, Object> metadata) {
    Instant now = clock.now();
    List<Object> rows = new ArrayList<>();
    objects.forEach(object -> rows.add(row(object, now)));
    return text(metadata, rows);
  }

  /** Returns the table of one object. */
  byte[] table(StoredObject object) {
    String version = requireNonNullElse(object.metadata().resourceVersion(), "");
    return table(List.of(object), JsonTree.of("resourceVersion", version));
  }

  /** Returns the table of a bookmark: one row with empty cells and the bookmark as its object. */
  byte[] bookmark(Unstructured bookmark) {
    List<@Nullable Object> cells = new ArrayList<>();
    served.version().columns().forEach(column -> cells.add(""));
    String version = requireNonNullElse(bookmark.metadata().resourceVersion(), "");
    return text(
        JsonTree.of("resourceVersion", version),
        List.of(JsonTree.of("cells", cells, "object", partial(bookmark.metadata()))));
  }

  private byte[] text(Map<String, Object> metadata, List<Object> rows) {
    List<Object> columns = new ArrayList<>();
    for (Column column : served.version().columns()) {
      columns.add(
          JsonTree.of(
              "name", column.name(),
              "type", column.type(),
              "format", column.format(),
              "description", column.description(),
              "priority", column.priority()));
    }
    Map<String, @Nullable Object> table = new LinkedHashMap<>();
    table.put("kind", "Table");
    table.put("apiVersion", META);
    table.put("metadata", metadata);
    table.put("columnDefinitions", begun ? null : columns);
    table.put("rows", rows);
    begun = true;
    return JsonText.write(table);
  }

  private Map<String, @Nullable Object> row(StoredObject stored, Instant now) {
    Map<String, Object> content =
        stored.object().withType(served.apiVersion(), served.kind()).content();
    List<@Nullable Object> cells = new ArrayList<>();
    for (Column column : served.version().columns()) {
      cells.add(column.cell().of(content, now));
    }
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("cells", cells);
    List<Object> conditions = served.isPod() ? PodCells.conditions(content) : List.of();
    if (!conditions.isEmpty()) {
      row.put("conditions", conditions);
    }
    row.put(
        "object",
        switch (include) {
          case "None" -> null;
          case "Object" -> content;
          default -> partial(stored.metadata());
        });
    return row;
  }

  private static Map<String, Object> partial(ObjectMeta metadata) {
    return Unstructured.of(Map.of("kind", "PartialObjectMetadata", "apiVersion", META))
        .withMetadata(metadata)
        .content();
  }
}
