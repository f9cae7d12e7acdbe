package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.internal.projection.NearNames;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A reader without a document that finds out whether a type has a field.
 *
 * <p>It hands the codec one path, field by field, and watches whether the codec asks for these
 * fields. So the codec's tables of names are the schema, and no reflection is needed. As soon as
 * the answer is known, it reports the end of every object.
 */
final class PathProbe extends JsonReader {

  private static final int NOWHERE = -1;

  private final List<String> path;
  private final DecodeContext context = DecodeContext.create();

  /** The number of names that the codec has asked for. */
  private int found;

  private int depth;

  /** The depth of the innermost object or array that had its only element. */
  private int visited = NOWHERE;

  /** The depth of an object in which the codec accepts any field. */
  private int open = NOWHERE;

  private boolean answered;
  private @Nullable String problem;

  /** The fields of the outermost object. */
  private List<String> names = List.of();

  private PathProbe(List<String> path) {
    this.path = path;
    answered = path.isEmpty();
  }

  /** Returns the names that a codec asks for, in their order; none if it reads no object. */
  static List<String> names(JsonCodec<?> codec) {
    PathProbe probe = new PathProbe(List.of(""));
    try {
      codec.read(probe);
    } catch (RuntimeException e) {
      // As below.
    }
    return probe.names;
  }

  /** Returns why a codec's type has no field at this path; null if it has one, or may have it. */
  static @Nullable String problem(JsonCodec<?> codec, List<String> path) {
    PathProbe probe = new PathProbe(path);
    try {
      codec.read(probe);
    } catch (RuntimeException e) {
      // Nothing of the object is there, so a codec may refuse it; the answer counts.
    }
    return probe.problem;
  }

  private String name() {
    return path.get(found);
  }

  private String pathTo(int end) {
    return String.join(".", path.subList(0, end));
  }

  /** Moves on by a name that the type has; returns whether there are more. */
  private boolean step() {
    found++;
    visited = depth;
    answered |= found == path.size();
    return !answered;
  }

  private boolean isOver() {
    return answered || depth <= visited;
  }

  @Override
  public int nextField(FieldNames names) {
    if (depth == 1) {
      this.names = names.names();
    }
    if (!isOver()) {
      int index = names.find(name());
      if (index >= 0 && step()) {
        return index;
      }
      if (index < 0) {
        answered = true;
        problem = mayHaveMore() ? null : unknown(names.names());
      }
    }
    depth--;
    return END;
  }

  /** Returns whether the object may have fields that its codec does not name. */
  private boolean mayHaveMore() {
    return open == depth && !(found == 1 && path.get(0).equals("metadata")); // the same for all
  }

  private String unknown(List<String> names) {
    List<String> near = NearNames.of(name(), names);
    return (found == 0 ? "the objects" : pathTo(found))
        + (found == 0 ? " have" : " has")
        + " no field \""
        + name()
        + "\""
        + (near.isEmpty()
            ? "; the fields are " + String.join(", ", new TreeSet<>(names))
            : "; did you mean " + String.join(" or ", near) + "?");
  }

  @Override
  public @Nullable String nextName() {
    if (!isOver()) {
      String name = name();
      if (step()) {
        return name;
      }
    }
    depth--;
    return null;
  }

  @Override
  public boolean nextElement() {
    if (!isOver()) {
      visited = depth;
      return true;
    }
    depth--;
    return false;
  }

  /** Ends the search at a value that has no fields. */
  private CodecException leaf(String type) {
    if (!answered) {
      answered = true;
      problem =
          pathTo(found)
              + " is "
              + type
              + " and has no fields; if the rest is the key of a map, write it in brackets and"
              + " quotes";
    }
    return mismatch("expected " + type);
  }

  @Override
  public Token peek() {
    return Token.OBJECT;
  }

  @Override
  public void beginObject() {
    depth++;
  }

  @Override
  public void beginArray() {
    depth++;
  }

  @Override
  public boolean nextNull() {
    return false;
  }

  @Override
  public String nextString() {
    throw leaf("a string");
  }

  @Override
  public boolean nextBoolean() {
    throw leaf("true or false");
  }

  @Override
  public int nextInt() {
    throw leaf("a number");
  }

  @Override
  public long nextLong() {
    throw leaf("a number");
  }

  @Override
  public double nextDouble() {
    throw leaf("a number");
  }

  @Override
  public Number nextNumber() {
    throw leaf("a number");
  }

  /** JSON of any form may have the field. */
  @Override
  public RawJson nextRaw() {
    answered = true;
    return RawJson.of("{}");
  }

  @Override
  public <T> T nextValue(JsonCodec<T> codec) {
    return codec.read(this);
  }

  @Override
  public <T> List<T> nextList(JsonCodec<T> codec) {
    return readList(codec);
  }

  @Override
  public <T> T nextObject(JsonCodec<T> codec) {
    return codec.read(this);
  }

  @Override
  public <T> T nextWithRest(JsonCodec<T> codec, BiConsumer<String, @Nullable Object> rest) {
    int outer = open;
    open = depth + 1;
    try {
      return codec.read(this);
    } finally {
      open = outer;
    }
  }

  @Override
  public void skip() {
    answered = true;
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public void leave(int target) {
    depth = target;
  }

  @Override
  public String path() {
    return "/" + String.join("/", path);
  }

  @Override
  public long offset() {
    return 0;
  }

  @Override
  public DecodeContext context() {
    return context;
  }

  @Override
  public CodecException mismatch(String problem) {
    return CodecException.mismatch(problem, path(), 0, null);
  }
}
