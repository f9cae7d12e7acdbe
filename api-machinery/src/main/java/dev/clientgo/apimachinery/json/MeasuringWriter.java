package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.internal.collections.IdentityTable;
import dev.clientgo.apimachinery.json.internal.collections.SingletonList;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A writer that writes nothing, and adds up the heap that the values take, by field.
 *
 * <p>A codec gives it each value of an object. The size of a value follows from its class, which is
 * known here, or from the number of fields that its codec reads. A value that was given before is
 * shared: its bytes, and those of all that it holds, move from the field where it was first found
 * to the shared bytes of that field.
 */
final class MeasuringWriter extends JsonWriter {

  /** The most fields of a node; a map of more keys counts as one field. */
  private static final int MAX_FIELDS = 64;

  private static final int HEADER = 12;
  private static final int REFERENCE = 4;
  private static final int ARRAY_HEADER = 16;

  /** The largest map of which each key is compared, and the largest without a table of the JDK. */
  private static final int SMALL_MAP = 8;

  private static final int LARGEST_ARRAY_MAP = 127;

  /**
   * A view of an unmodifiable view of a {@link java.util.LinkedHashMap}, and one of its entries.
   */
  private static final int LARGE_MAP = 24 + 32 + 56;

  private static final int LARGE_MAP_ENTRY = 40;

  /** The sizes of values that hold no others, and whose class is not known here; 0 for others. */
  private final ToIntFunction<Object> knownSizes;

  /** For each value the number of its first node, and in the lowest bit whether it is shared. */
  private final IdentityTable seen = new IdentityTable();

  private final IdentityHashMap<JsonCodec<?>, Integer> recordSizes = new IdentityHashMap<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Deque<Node> outer = new ArrayDeque<>();
  private final Node root = new Node("");
  private Node at = root;

  /** The field whose value comes next, null within an array. */
  private @Nullable String name;

  MeasuringWriter(ToIntFunction<Object> knownSizes) {
    this.knownSizes = knownSizes;
  }

  /** The values of one field, of all objects. */
  final class Node {
    final String name;
    final Map<String, Node> fields = new TreeMap<>();
    final int index;
    long ownBytes;
    long sharedBytes;

    Node(String name) {
      this.name = name;
      index = nodes.size();
      nodes.add(this);
    }

    Node field(String field) {
      Node node = fields.get(field);
      if (node == null) {
        String known = fields.size() < MAX_FIELDS ? field : "*";
        node = fields.computeIfAbsent(known, Node::new);
      }
      return node;
    }
  }

  Node root() {
    return root;
  }

  /** Adds an object. */
  <T> void object(JsonCodec<T> codec, T object) {
    at = root;
    name = null;
    value(codec, object);
  }

  /** Adds a string that is no field; returns its bytes, 0 if it is known. */
  int key(String key) {
    if (seen.get(key) != IdentityTable.NONE) {
      return 0;
    }
    seen.put(key, root.index << 1 | 1);
    return sizeOf(key);
  }

  // -------------------------------------------------------------------------------------- Sizes

  private static int aligned(long bytes) {
    return (int) ((bytes + 7) & ~7L);
  }

  private static int array(long bytes) {
    return aligned(ARRAY_HEADER + bytes);
  }

  private static int sizeOf(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xFF) {
        return 24 + array(2L * text.length());
      }
    }
    return 24 + array(text.length());
  }

  private static int sizeOf(Number number) {
    if (number instanceof BigDecimal) {
      return 40;
    }
    if (number instanceof Double) {
      return 24;
    }
    long value = number.longValue();
    if (value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE) {
      return 0; // the JVM has one object for each
    }
    return number instanceof Long ? 24 : 16;
  }

  private static int sizeOf(List<?> list) {
    int size = list.size();
    if (size == 0) {
      return 0;
    }
    return list instanceof SingletonList ? 16 : size <= 2 ? 24 : 24 + array(4L * size);
  }

  private static int sizeOf(Map<?, ?> map) {
    int size = map.size();
    if (size == 0) {
      return 0;
    }
    if (size <= SMALL_MAP) {
      return 16 + array(8L * size);
    }
    if (size <= LARGEST_ARRAY_MAP) {
      return 24 + array(8L * size) + array(2L * Integer.highestOneBit(2 * size));
    }
    int places = Integer.highestOneBit(size * 4 / 3) * 2; // of the JDK's table, three quarters full
    return LARGE_MAP + array(4L * places) + LARGE_MAP_ENTRY * size;
  }

  private int sizeOf(JsonCodec<?> codec) {
    Integer known = recordSizes.get(codec);
    if (known == null) {
      known = aligned(HEADER + (long) REFERENCE * Math.max(1, PathProbe.countFields(codec)));
      recordSizes.put(codec, known);
    }
    return known;
  }

  /**
   * Adds a value that the walk has reached.
   *
   * @return whether to walk on into it: if it is new, or has just turned out to be shared
   */
  private boolean reach(Object value, int size) {
    int known = seen.get(value);
    if (known == IdentityTable.NONE) {
      seen.put(value, at.index << 1);
      at.ownBytes += size;
      return true;
    }
    if ((known & 1) == 1) {
      return false;
    }
    seen.put(value, known | 1);
    Node first = nodes.get(known >> 1);
    first.ownBytes -= size;
    first.sharedBytes += size;
    return true;
  }

  private <T> void value(JsonCodec<T> codec, T value) {
    int known = knownSizes.applyAsInt(value);
    if (known > 0) {
      reach(value, known);
    } else if (value instanceof String || value instanceof Number || value instanceof Boolean) {
      tree(value);
    } else if (value instanceof RawJson json) {
      raw(json);
    } else if (value instanceof List<?> list) {
      if (sizeOf(list) > 0 && reach(list, sizeOf(list))) {
        codec.write(this, value);
      }
    } else if (value instanceof Map<?, ?> map) {
      if (sizeOf(map) > 0 && reach(map, sizeOf(map))) {
        codec.write(this, value);
      }
    } else if (reach(value, sizeOf(codec))) {
      codec.write(this, value);
    }
  }

  // ------------------------------------------------------------------------------ Typed objects

  @Override
  public void field(String name, @Nullable String value) {
    if (value != null) {
      in(name, () -> string(value));
    }
  }

  @Override
  public void field(String name, @Nullable Boolean value) {}

  @Override
  public void field(String name, @Nullable Number value) {
    if (value != null) {
      in(name, () -> number(value));
    }
  }

  @Override
  public void field(String name, @Nullable Double value) {
    field(name, (Number) value);
  }

  @Override
  public void field(String name, @Nullable RawJson value) {
    if (value != null) {
      in(name, () -> raw(value));
    }
  }

  @Override
  public <T> void field(String name, JsonCodec<T> codec, @Nullable T value) {
    if (value != null) {
      in(name, () -> value(codec, value));
    }
  }

  @Override
  public <T> void listField(String name, JsonCodec<T> codec, @Nullable List<T> values) {
    if (values != null && !values.isEmpty()) {
      in(
          name,
          () -> {
            if (reach(values, sizeOf(values))) {
              values.forEach(each -> value(codec, each));
            }
          });
    }
  }

  @Override
  public void stringListField(String name, @Nullable List<String> values) {
    listField(name, JsonCodecs.STRING, values);
  }

  @Override
  public void stringMapField(String name, @Nullable Map<String, String> values) {
    mapField(name, JsonCodecs.STRING, values);
  }

  /** The keys are no fields: an object may have any. */
  @Override
  public <T> void mapField(String name, JsonCodec<T> codec, @Nullable Map<String, T> values) {
    if (values != null && !values.isEmpty()) {
      in(
          name,
          () -> {
            if (reach(values, sizeOf(values))) {
              values.forEach(
                  (key, each) -> {
                    string(key);
                    value(codec, each);
                  });
            }
          });
    }
  }

  private void in(String field, Runnable action) {
    Node before = at;
    at = at.field(field);
    name = null;
    action.run();
    at = before;
  }

  // ------------------------------------------------------------- Objects that a codec spells out

  @Override
  public void beginObject() {
    begin();
  }

  @Override
  public void endObject() {
    end();
  }

  @Override
  public void beginArray() {
    begin();
  }

  @Override
  public void endArray() {
    end();
  }

  private void begin() {
    outer.push(at);
    at = target();
  }

  private void end() {
    at = outer.pop();
    name = null;
  }

  private Node target() {
    Node target = name == null ? at : at.field(name);
    name = null;
    return target;
  }

  @Override
  public void name(String name) {
    this.name = name;
  }

  @Override
  public void string(String value) {
    here(() -> reach(value, sizeOf(value)));
  }

  @Override
  public void bool(boolean value) {
    name = null;
  }

  /** A number of a type whose object the codec does not show, such as an int or string. */
  @Override
  public void integer(long value) {
    name = null;
  }

  @Override
  public void number(Number value) {
    int size = sizeOf(value);
    if (size > 0) {
      here(() -> reach(value, size));
    }
    name = null;
  }

  @Override
  public void nullValue() {
    name = null;
  }

  @Override
  public void raw(RawJson value) {
    here(() -> reach(value, 24 + array(value.length())));
  }

  private void here(Runnable action) {
    Node before = at;
    at = target();
    action.run();
    at = before;
  }

  @Override
  public void tree(@Nullable Object value) {
    if (value instanceof String text) {
      string(text);
    } else if (value instanceof Number number) {
      number(number);
    } else if (value instanceof RawJson json) {
      raw(json);
    } else if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      here(
          () -> {
            if (reach(map, sizeOf(map))) {
              map.forEach(this::treeField);
            }
          });
    } else if (value instanceof List<?> list && !list.isEmpty()) {
      here(
          () -> {
            if (reach(list, sizeOf(list))) {
              list.forEach(this::tree);
            }
          });
    }
    name = null;
  }

  @Override
  public void fields(Map<String, @Nullable Object> tree) {
    if (!tree.isEmpty() && reach(tree, sizeOf(tree))) {
      tree.forEach(this::treeField);
    }
  }

  private void treeField(Object key, @Nullable Object value) {
    String field = (String) key;
    in(
        field,
        () -> {
          string(field);
          tree(value);
        });
  }

  @Override
  CodecException refused(String problem, @Nullable Throwable cause) {
    return CodecException.mismatch(problem, "", -1, cause);
  }

  @Override
  public void flush() {}
}
