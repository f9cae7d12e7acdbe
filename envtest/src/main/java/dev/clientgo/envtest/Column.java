package dev.clientgo.envtest;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.jsonpath.JsonPath;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A column of the tables in which objects of a kind are printed.
 *
 * @param name the heading
 * @param type the type of the cells in OpenAPI
 * @param description what it shows
 * @param priority 0 if it is always of interest
 * @param cell what it shows of an object
 */
record Column(String name, String type, String description, long priority, Cell cell) {

  private static final String UNKNOWN = "<unknown>";
  private static final Column AGE =
      text("Age", "When the object was created", (object, now) -> age(object, now));
  private static final Column DATA =
      text(
          "Data",
          "How many entries there are",
          (object, now) -> (long) (size(object, "data") + size(object, "binaryData")));

  /** Shows a part of an object. */
  interface Cell {
    @Nullable Object of(Unstructured object, Instant now);
  }

  /** Returns the columns of a built-in kind behind the name. */
  static List<Column> builtIn(String kind) {
    return switch (kind) {
      case "ConfigMap" -> List.of(DATA, AGE);
      case "Secret" -> List.of(text("Type", "What it is for", path("type")), DATA, AGE);
      case "Namespace" -> List.of(text("Status", "The phase", path("status", "phase")), AGE);
      case "Pod" ->
          List.of(
              text("Ready", "How many containers are ready", (pod, now) -> Pods.ready(pod)),
              text("Status", "What the pod does", (pod, now) -> Pods.status(pod)),
              text("Restarts", "How often containers began anew", (pod, now) -> Pods.restarts(pod)),
              AGE);
      case "Deployment" ->
          List.of(
              text("Ready", "How many replicas are ready", (object, now) -> ready(object)),
              text("Up-to-date", "How many are new", count("updatedReplicas")),
              text("Available", "How many are of use", count("availableReplicas")),
              AGE);
      default -> List.of(AGE);
    };
  }

  /** Returns the columns that a definition lists behind the name. */
  static List<Column> custom(List<Map<String, Object>> listed) {
    if (listed.isEmpty()) {
      return List.of(AGE);
    }
    List<Column> columns = new ArrayList<>();
    for (Map<String, Object> column : listed) {
      String type = Tree.string(column, "type");
      String path = Tree.string(column, "jsonPath");
      String description = Tree.string(column, "description");
      columns.add(
          new Column(
              Tree.string(column, "name"),
              type,
              description.isEmpty()
                  ? "Custom resource definition column (in JSONPath format): " + path
                  : description,
              requireNonNullElse(Tree.number(column, "priority"), 0L),
              custom(type, JsonPath.column(path).allowMissingKeys())));
    }
    return columns;
  }

  private static Cell custom(String type, JsonPath path) {
    return (object, now) -> {
      List<@Nullable Object> found = path.find(object.content());
      Object value = found.isEmpty() ? null : found.get(0);
      if (value == null) {
        return null;
      }
      return switch (type) {
        case "integer", "number" -> value instanceof Number ? value : null;
        case "boolean" -> value instanceof Boolean ? value : null;
        case "date" -> since(String.valueOf(value), now);
        default -> path.print(object.content());
      };
    };
  }

  private static Column text(String name, String description, Cell cell) {
    return new Column(name, "string", description, 0, cell);
  }

  private static Cell path(String... path) {
    return (object, now) -> Lookup.text(object, path);
  }

  private static Cell count(String field) {
    return (object, now) -> Lookup.number(object, "status", field).orElse(0L);
  }

  private static int size(Unstructured object, String field) {
    return Tree.object(object.content(), field).size();
  }

  private static String ready(Unstructured object) {
    return Lookup.number(object, "status", "readyReplicas").orElse(0L)
        + "/"
        + Lookup.number(object, "spec", "replicas").orElse(1L);
  }

  private static String age(Unstructured object, Instant now) {
    Time created = object.metadata().creationTimestamp();
    return created == null ? UNKNOWN : since(created.toString(), now);
  }

  private static String since(String time, Instant now) {
    try {
      return Age.of(Duration.between(Instant.parse(time), now));
    } catch (DateTimeException e) {
      return "<invalid>";
    }
  }
}
