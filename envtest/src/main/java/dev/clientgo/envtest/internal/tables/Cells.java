package dev.clientgo.envtest.internal.tables;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.labels.Labels;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Cells that many kinds use. A path consists of fields separated by dots. A missing field shows its
 * default.
 */
final class Cells {

  static final String NONE = "<none>";
  static final String UNSET = "<unset>";
  static final String UNKNOWN = "<unknown>";

  private static final int FEW = 3;

  /** The abbreviations of access modes, in the order in which they are printed. */
  private static final List<List<String>> ACCESS_MODES =
      List.of(
          List.of("ReadWriteOnce", "RWO"),
          List.of("ReadOnlyMany", "ROX"),
          List.of("ReadWriteMany", "RWX"),
          List.of("ReadWriteOncePod", "RWOP"));

  private Cells() {}

  /** Shows a string, or the default if it is missing. */
  static Cell text(String path, String absent) {
    String[] fields = fields(path);
    return (object, now) -> {
      String text = JsonTree.string(object, fields);
      return text.isEmpty() ? absent : text;
    };
  }

  /** Shows a whole number, or the default if it is missing. */
  static Cell number(String path, long absent) {
    return (object, now) -> number(object, path, absent);
  }

  static long number(Map<String, Object> object, String path, long absent) {
    Long number = JsonTree.number(object, fields(path));
    return number == null ? absent : number;
  }

  /** Shows a string or a number as text. */
  static Cell scalar(String path, String absent) {
    String[] fields = fields(path);
    return (object, now) -> {
      Object value = JsonTree.get(object, fields);
      return value == null ? absent : value.toString();
    };
  }

  /** Shows a boolean. */
  static Cell flag(String path, boolean absent) {
    String[] fields = fields(path);
    return (object, now) -> JsonTree.get(object, fields) instanceof Boolean flag ? flag : absent;
  }

  /** Shows the number of elements or entries at the paths. */
  static Cell size(String... paths) {
    return (object, now) -> {
      long size = 0;
      for (String path : paths) {
        Object value = JsonTree.get(object, fields(path));
        size += value instanceof Map<?, ?> map ? map.size() : 0;
        size += value instanceof Collection<?> list ? list.size() : 0;
      }
      return size;
    };
  }

  /** Shows two strings, separated by a slash. */
  static Cell slashed(String first, String second) {
    return (object, now) ->
        JsonTree.string(object, fields(first)) + "/" + JsonTree.string(object, fields(second));
  }

  /** Shows a field of each object in a list. */
  static Cell each(String path, String field) {
    return (object, now) ->
        JsonTree.objects(object, fields(path)).stream()
            .map(element -> JsonTree.string(element, field))
            .collect(Collectors.joining(","));
  }

  /** Shows a list of strings. */
  static Cell strings(String path, String absent) {
    return (object, now) -> {
      List<String> strings = JsonTree.strings(object, fields(path));
      return strings.isEmpty() ? absent : String.join(",", strings);
    };
  }

  /** Shows the access modes of a volume or a claim. */
  static Cell accessModes(String path) {
    return (object, now) -> {
      List<String> modes = JsonTree.strings(object, fields(path));
      return ACCESS_MODES.stream()
          .filter(mode -> modes.contains(mode.get(0)))
          .map(mode -> mode.get(1))
          .collect(Collectors.joining(","));
    };
  }

  /** Shows a cell only if the claim is bound to a volume. */
  static Cell ifBound(Cell cell) {
    return (claim, now) ->
        JsonTree.string(claim, "spec", "volumeName").isEmpty() ? "" : cell.of(claim, now);
  }

  /** Shows the name, and whether an annotation marks the object as the default. */
  static Cell nameOrDefault(String annotation) {
    return (object, now) ->
        JsonTree.string(object, "metadata", "name")
            + ("true".equals(JsonTree.get(object, "metadata", "annotations", annotation))
                ? " (default)"
                : "");
  }

  /** Shows labels. */
  static Cell labels(String path) {
    return (object, now) ->
        selector(JsonTree.of("matchLabels", JsonTree.object(object, fields(path))));
  }

  /** Shows a label selector. */
  static Cell selector(String path) {
    return (object, now) -> selector(JsonTree.object(object, fields(path)));
  }

  private static String selector(Map<String, Object> tree) {
    try {
      return Labels.format(JsonReader.fromBytes(LabelSelector.CODEC, JsonText.write(tree)));
    } catch (CodecException e) {
      return "<error>";
    }
  }

  /** Shows the time since an instant. */
  static Cell since(String path, String absent) {
    String[] fields = fields(path);
    return (object, now) -> {
      String time = JsonTree.string(object, fields);
      return time.isEmpty() ? absent : since(time, now);
    };
  }

  static String since(String time, Instant now) {
    try {
      return HumanDuration.of(Duration.between(Instant.parse(time), now));
    } catch (DateTimeException e) {
      return "<invalid>";
    }
  }

  static boolean isBeingDeleted(Map<String, Object> object) {
    return !JsonTree.string(object, "metadata", "deletionTimestamp").isEmpty();
  }

  /** Returns whether a condition is true. */
  static boolean isTrue(Map<String, Object> object, String condition) {
    return JsonTree.objects(object, "status", "conditions").stream()
        .filter(each -> condition.equals(each.get("type")))
        .findFirst()
        .filter(each -> "True".equals(each.get("status")))
        .isPresent();
  }

  /** Returns the first three elements, and the number of the others. */
  static String few(List<String> all, String absent) {
    if (all.isEmpty()) {
      return absent;
    }
    String text = String.join(",", all.subList(0, Math.min(FEW, all.size())));
    return all.size() > FEW ? text + " + " + (all.size() - FEW) + " more..." : text;
  }

  private static String[] fields(String path) {
    return path.split("\\.", -1);
  }
}
