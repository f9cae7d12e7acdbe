package dev.clientgo.apimachinery.patch;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * Why no library: those for RFC 6902 change the mutable trees of one JSON library, mostly Jackson 2,
 * and are larger than this file. This class works on the trees of maps and lists of Unstructured.
 */

/**
 * A list of operations that change a JSON document, as RFC 6902 defines them. Immutable.
 *
 * <pre>{@code
 * JsonPatch patch =
 *     JsonPatch.builder()
 *         .test("/metadata/resourceVersion", "42")
 *         .replace("/spec/replicas", 3)
 *         .build();
 * }</pre>
 *
 * @param operations the operations, in the order in which they are applied
 */
public record JsonPatch(List<Operation> operations) {

  /** The media type of such a patch. */
  public static final String MEDIA_TYPE = "application/json-patch+json";

  /**
   * How many bytes of JSON the operations of one patch may copy in all: {@value}, as in
   * kube-apiserver. Each copy can double a document, so a short patch could fill the memory.
   */
  public static final int MAX_COPIED_BYTES = 3 << 20;

  public JsonPatch {
    operations = List.copyOf(operations);
  }

  /** The kind of an operation. */
  public enum Op {
    /** Adds a value; into an array by inserting it, into an object by setting it. */
    ADD,
    /** Removes the value at the path. */
    REMOVE,
    /** Replaces the value at the path. */
    REPLACE,
    /** Removes a value from one place and adds it at another. */
    MOVE,
    /** Adds a copy of a value at another place. */
    COPY,
    /** Fails the whole patch unless the value at the path equals the given one. */
    TEST;

    private String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One operation.
   *
   * @param op the kind of the operation
   * @param path the target
   * @param from the source, for {@link Op#MOVE} and {@link Op#COPY}
   * @param value the value, for {@link Op#ADD}, {@link Op#REPLACE} and {@link Op#TEST}
   */
  public record Operation(
      Op op, JsonPointer path, @Nullable JsonPointer from, @Nullable Object value) {
    public Operation {
      requireNonNull(op, "op");
      requireNonNull(path, "path");
      if ((from != null) != (op == Op.MOVE || op == Op.COPY)) {
        throw new PatchException(
            op.text() + " at \"" + path + "\" needs \"from\" or must not have it");
      }
    }

    /** Returns about how many bytes of JSON this operation adds to a document by copying. */
    public long copiedBytes(@Nullable Object document) {
      return op == Op.COPY && from != null ? Trees.bytes(from.get(document).orElse(null)) : 0;
    }
  }

  /** Returns a builder of a patch without operations. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Reads a patch from a tree of maps and lists.
   *
   * @throws PatchException if it is not an array of valid operations; the message names the
   *     operation
   */
  public static JsonPatch of(@Nullable Object tree) {
    if (!(tree instanceof List<?> list)) {
      throw new PatchException(
          "a JSON patch is an array of operations, not " + Trees.describe(tree));
    }
    List<Operation> operations = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      operations.add(operation(i, list.get(i)));
    }
    return new JsonPatch(operations);
  }

  private static Operation operation(int index, @Nullable Object tree) {
    if (!(tree instanceof Map<?, ?> map)) {
      throw new PatchException(
          "operation " + index + " is not an object but " + Trees.describe(tree));
    }
    Op op = op(index, map.get("op"));
    boolean hasValue = op == Op.ADD || op == Op.REPLACE || op == Op.TEST;
    if (hasValue && !map.containsKey("value")) {
      throw new PatchException("operation " + index + " (" + op.text() + ") has no \"value\"");
    }
    return new Operation(
        op,
        pointer(index, op, "path", map.get("path")),
        hasValue || op == Op.REMOVE ? null : pointer(index, op, "from", map.get("from")),
        hasValue ? map.get("value") : null);
  }

  private static Op op(int index, @Nullable Object name) {
    for (Op op : Op.values()) {
      if (op.text().equals(name)) {
        return op;
      }
    }
    throw new PatchException(
        "operation " + index + " has an unknown \"op\": " + Trees.describe(name));
  }

  private static JsonPointer pointer(int index, Op op, String field, @Nullable Object text) {
    if (!(text instanceof String pointer)) {
      throw new PatchException(
          "operation " + index + " (" + op.text() + ") has no \"" + field + "\" that is a string");
    }
    return JsonPointer.parse(pointer);
  }

  /**
   * Returns the patch that turns one document into another. It adds, removes and replaces single
   * fields. Of a list that has changed, it leaves the first and the last elements that are equal as
   * they are.
   *
   * @param original a tree of maps and lists
   * @param modified a tree of maps and lists
   * @return the patch; without operations if the documents are equal
   */
  public static JsonPatch create(@Nullable Object original, @Nullable Object modified) {
    List<Operation> operations = new ArrayList<>();
    JsonDiff.compare(JsonPointer.ROOT, original, modified, operations);
    return new JsonPatch(operations);
  }

  /** Returns the patch as a tree of maps and lists. */
  public List<Object> toTree() {
    List<Object> tree = new ArrayList<>();
    for (Operation operation : operations) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      map.put("op", operation.op.text());
      map.put("path", operation.path.toString());
      if (operation.from != null) {
        map.put("from", operation.from.toString());
      } else if (operation.op != Op.REMOVE) {
        map.put("value", operation.value);
      }
      tree.add(map);
    }
    return tree;
  }

  /**
   * Applies all operations in order, or none.
   *
   * @param document a tree of maps and lists, which does not change
   * @return the changed document
   * @throws PatchException if an operation does not match the document, or the operations copy more
   *     than {@value #MAX_COPIED_BYTES} bytes; the message names it
   */
  public @Nullable Object apply(@Nullable Object document) {
    @Nullable Object result = Trees.mutableCopy(document);
    long copied = 0;
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      try {
        copied += operation.copiedBytes(result);
        if (copied > MAX_COPIED_BYTES) {
          throw new PatchException(
              "the patch copies more than " + MAX_COPIED_BYTES + " bytes: split it");
        }
        result = apply(operation, result);
      } catch (PatchException e) {
        throw new PatchException(
            "operation "
                + i
                + " ("
                + operation.op.text()
                + " at \""
                + operation.path
                + "\"): "
                + e.getMessage());
      }
    }
    return result;
  }

  private static @Nullable Object apply(Operation operation, @Nullable Object document) {
    JsonPointer path = operation.path;
    switch (operation.op) {
      case ADD -> {
        return add(document, path, Trees.mutableCopy(operation.value));
      }
      case REMOVE -> {
        require(document, path);
        return remove(document, path);
      }
      case REPLACE -> {
        require(document, path);
        return replace(document, path, Trees.mutableCopy(operation.value));
      }
      case COPY -> {
        JsonPointer from = requireNonNull(operation.from);
        require(document, from);
        return add(document, path, Trees.mutableCopy(from.get(document).orElse(null)));
      }
      case MOVE -> {
        JsonPointer from = requireNonNull(operation.from);
        require(document, from);
        if (!from.equals(path) && from.contains(path)) {
          throw new PatchException("a value cannot be moved into itself");
        }
        @Nullable Object value = from.get(document).orElse(null);
        return add(remove(document, from), path, value);
      }
      case TEST -> {
        require(document, path);
        @Nullable Object value = path.get(document).orElse(null);
        if (!Trees.equal(value, operation.value)) {
          throw new PatchException(
              "expected " + Trees.describe(operation.value) + ", found " + Trees.describe(value));
        }
        return document;
      }
      default -> throw new AssertionError(operation.op);
    }
  }

  private static void require(@Nullable Object document, JsonPointer path) {
    if (!path.isIn(document)) {
      throw new PatchException("nothing is at \"" + path + "\"");
    }
  }

  private static @Nullable Object add(
      @Nullable Object document, JsonPointer path, @Nullable Object value) {
    if (path.isRoot()) {
      return value;
    }
    Object holder = holder(document, path);
    if (holder instanceof Map<?, ?>) {
      Trees.map(holder).put(path.last(), value);
    } else {
      List<@Nullable Object> list = Trees.list(holder);
      int index = path.last().equals("-") ? list.size() : JsonPointer.index(path.last());
      if (index < 0 || index > list.size()) {
        throw new PatchException(
            "\"" + path.last() + "\" is no index of an array of " + list.size());
      }
      list.add(index, value);
    }
    return document;
  }

  private static @Nullable Object replace(
      @Nullable Object document, JsonPointer path, @Nullable Object value) {
    if (path.isRoot()) {
      return value;
    }
    Object holder = holder(document, path);
    if (holder instanceof Map<?, ?>) {
      Trees.map(holder).put(path.last(), value);
    } else {
      Trees.list(holder).set(JsonPointer.index(path.last()), value);
    }
    return document;
  }

  private static @Nullable Object remove(@Nullable Object document, JsonPointer path) {
    if (path.isRoot()) {
      return null;
    }
    Object holder = holder(document, path);
    if (holder instanceof Map<?, ?>) {
      Trees.map(holder).remove(path.last());
    } else {
      Trees.list(holder).remove(JsonPointer.index(path.last()));
    }
    return document;
  }

  private static Object holder(@Nullable Object document, JsonPointer path) {
    Object holder =
        path.parent()
            .get(document)
            .orElseThrow(() -> new PatchException("nothing is at \"" + path.parent() + "\""));
    if (holder instanceof Map<?, ?> || holder instanceof List<?>) {
      return holder;
    }
    throw new PatchException(
        "\"" + path.parent() + "\" is neither object nor array but " + Trees.describe(holder));
  }

  /** Builds a {@link JsonPatch}. Not safe for use by many threads. */
  public static final class Builder {
    private final List<Operation> operations = new ArrayList<>();

    private Builder() {}

    private Builder with(Op op, String path, @Nullable String from, @Nullable Object value) {
      operations.add(
          new Operation(
              op, JsonPointer.parse(path), from == null ? null : JsonPointer.parse(from), value));
      return this;
    }

    /** Adds a value; into an array by inserting it, with {@code -} at its end. */
    public Builder add(String path, @Nullable Object value) {
      return with(Op.ADD, path, null, value);
    }

    /** Removes the value at the path. */
    public Builder remove(String path) {
      return with(Op.REMOVE, path, null, null);
    }

    /** Replaces the value at the path. */
    public Builder replace(String path, @Nullable Object value) {
      return with(Op.REPLACE, path, null, value);
    }

    /** Removes a value from one place and adds it at another. */
    public Builder move(String from, String path) {
      return with(Op.MOVE, path, requireNonNull(from, "from"), null);
    }

    /** Adds a copy of a value at another place. */
    public Builder copy(String from, String path) {
      return with(Op.COPY, path, requireNonNull(from, "from"), null);
    }

    /** Fails the whole patch unless the value at the path equals the given one. */
    public Builder test(String path, @Nullable Object value) {
      return with(Op.TEST, path, null, value);
    }

    /** Returns the patch built. */
    public JsonPatch build() {
      return new JsonPatch(operations);
    }
  }
}
