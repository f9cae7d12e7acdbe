package dev.clientgo.apimachinery.jsonpath;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Walks a tree of maps and lists along the steps of a path. */
final class Evaluator {

  /** The limit on intermediate values, since nested ranges can create any number of them. */
  private static final int MAX_VALUES = 1_000_000;

  private final @Nullable Object root;
  private final boolean allowMissingKeys;
  private int values;

  Evaluator(@Nullable Object root, boolean allowMissingKeys) {
    this.root = root;
    this.allowMissingKeys = allowMissingKeys;
  }

  List<@Nullable Object> walk(@Nullable Object current, Node.Path path) {
    List<@Nullable Object> values = new ArrayList<>();
    values.add(current);
    for (Node.Step step : path.steps()) {
      values = step(values, step);
      count(values.size());
    }
    return values;
  }

  /** Counts more values; throws if there are too many. */
  void count(int more) {
    values += more;
    if (values > MAX_VALUES) {
      throw new JsonPathException("the path leads to more than " + MAX_VALUES + " values");
    }
  }

  private List<@Nullable Object> step(List<@Nullable Object> values, Node.Step step) {
    List<@Nullable Object> results = new ArrayList<>();
    if (step instanceof Node.Literal literal) {
      results.add(literal.value());
    } else if (step instanceof Node.Root) {
      results.add(root);
    } else if (step instanceof Node.Field field) {
      field(values, field.name(), results);
    } else if (step instanceof Node.Wildcard) {
      values.forEach(value -> results.addAll(children(value)));
    } else if (step instanceof Node.Descent) {
      values.forEach(value -> descend(value, results));
    } else if (step instanceof Node.Index index) {
      values.forEach(value -> index(value, index.index(), results));
    } else if (step instanceof Node.Slice slice) {
      values.forEach(value -> slice(value, slice, results));
    } else if (step instanceof Node.Union union) {
      union.paths().forEach(path -> values.forEach(value -> results.addAll(walk(value, path))));
    } else {
      Node.Filter filter = (Node.Filter) step;
      values.forEach(value -> filter(value, filter, results));
    }
    return results;
  }

  /** Reads a field of each value. It may be missing in some values, but not in all. */
  private void field(List<@Nullable Object> values, String name, List<@Nullable Object> results) {
    for (Object value : values) {
      if (value instanceof Map<?, ?> map && map.containsKey(name)) {
        results.add(map.get(name));
      }
    }
    if (results.isEmpty() && !values.isEmpty() && !allowMissingKeys) {
      throw new JsonPathException(name + " is not found");
    }
  }

  private static List<@Nullable Object> children(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return new ArrayList<>(map.values());
    }
    return value instanceof List<?> list ? new ArrayList<>(list) : List.of();
  }

  private static void descend(@Nullable Object value, List<@Nullable Object> results) {
    List<@Nullable Object> children = children(value);
    if (!children.isEmpty()) {
      results.add(value);
      children.forEach(child -> descend(child, results));
    }
  }

  private void index(@Nullable Object value, int index, List<@Nullable Object> results) {
    if (value == null && allowMissingKeys) {
      return;
    }
    List<?> list = list(value);
    int at = index < 0 ? list.size() + index : index;
    requireWithin(at, list);
    results.add(list.get(at));
  }

  private void slice(@Nullable Object value, Node.Slice slice, List<@Nullable Object> results) {
    if (value == null && allowMissingKeys) {
      return;
    }
    List<?> list = list(value);
    int start = bound(slice.start(), 0, list.size());
    int end = bound(slice.end(), list.size(), list.size());
    if (start == end) {
      return; // even out of bounds, as upstream
    }
    requireWithin(start, list);
    if (end != 0) {
      requireWithin(end - 1, list);
    }
    if (start > end) {
      throw new JsonPathException(
          "starting index " + start + " is greater than ending index " + end);
    }
    for (int i = start; i < end; i += slice.step()) {
      results.add(list.get(i));
    }
  }

  private static void requireWithin(int index, List<?> list) {
    if (index < 0 || index >= list.size()) {
      throw new JsonPathException(
          "array index out of bounds: index " + index + ", length " + list.size());
    }
  }

  private static int bound(@Nullable Integer bound, int absent, int size) {
    if (bound == null) {
      return absent;
    }
    return bound < 0 ? size + bound : bound;
  }

  private static List<?> list(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list;
    }
    throw new JsonPathException(typeOf(value) + " is not array or slice");
  }

  /** Returns the type of a value for a message. The value itself may be a secret. */
  private static String typeOf(@Nullable Object value) {
    if (value == null) {
      return "null";
    } else if (value instanceof Map) {
      return "an object";
    } else if (value instanceof List) {
      return "an array";
    } else if (value instanceof String) {
      return "a string";
    }
    return value instanceof Boolean ? "a boolean" : "a number";
  }

  private void filter(@Nullable Object value, Node.Filter filter, List<@Nullable Object> results) {
    if (value == null) {
      return;
    }
    if (!(value instanceof List<?> list)) {
      throw new JsonPathException(typeOf(value) + " is not array or slice and cannot be filtered");
    }
    for (Object element : list) {
      if (filter.operator() == Node.Operator.EXISTS) {
        if (exists(element, filter.left())) {
          results.add(element);
        }
        continue;
      }
      List<@Nullable Object> left = walk(element, filter.left());
      List<@Nullable Object> right = walk(element, filter.right());
      if (left.isEmpty() || right.isEmpty()) {
        continue;
      }
      if (left.size() > 1 || right.size() > 1) {
        throw new JsonPathException("can only compare one element at a time");
      }
      if (holds(left.get(0), filter.operator(), right.get(0))) {
        results.add(element);
      }
    }
  }

  private boolean exists(@Nullable Object element, Node.Path path) {
    return !new Evaluator(root, true).walk(element, path).isEmpty();
  }

  private static boolean holds(
      @Nullable Object left, Node.Operator operator, @Nullable Object right) {
    boolean comparable =
        (left instanceof Number && right instanceof Number)
            || (left instanceof String && right instanceof String);
    return switch (operator) {
      case EQUAL -> comparable ? compare(left, right) == 0 : Objects.equals(left, right);
      case NOT_EQUAL -> comparable ? compare(left, right) != 0 : !Objects.equals(left, right);
      default -> {
        if (!comparable) {
          throw new JsonPathException("cannot order " + typeOf(left) + " and " + typeOf(right));
        }
        int order = compare(left, right);
        yield switch (operator) {
          case LESS -> order < 0;
          case LESS_OR_EQUAL -> order <= 0;
          case GREATER -> order > 0;
          default -> order >= 0;
        };
      }
    };
  }

  private static int compare(@Nullable Object left, @Nullable Object right) {
    return left instanceof String a && right instanceof String b
        ? a.compareTo(b)
        : new BigDecimal(String.valueOf(left)).compareTo(new BigDecimal(String.valueOf(right)));
  }
}
