package dev.clientgo.apimachinery.json;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Estimates the heap that objects take, and which of their fields take it.
 *
 * <p>It walks each object with its codec, which knows all fields, and adds up the sizes of the
 * values as a 64-bit JVM with compressed references lays them out. A value that is reached more
 * than once, such as a pooled string or an equal list of tolerations, counts once, as shared.
 *
 * <pre>{@code
 * HeapEstimate estimate = new HeapEstimate(value -> 0);
 * pods.forEach(pod -> estimate.add(Pod.CODEC, pod));
 * estimate.fields().forEach(System.out::println);
 * }</pre>
 *
 * <p>The values stay reachable, and each distinct value takes 12 to 36 bytes more, as long as the
 * estimate does. Not safe for use by many threads.
 */
public final class HeapEstimate {

  private final MeasuringWriter writer;

  /**
   * The bytes of one field of all objects, without those of the fields within it.
   *
   * @param path the path of the field, as {@link Projection#keep} takes it; empty for the objects
   *     themselves
   * @param ownBytes the bytes of the values that only one object has
   * @param sharedBytes the bytes of the values that more than one object, or one field, has
   */
  public record FieldBytes(String path, long ownBytes, long sharedBytes) {

    public FieldBytes {
      requireNonNull(path, "path");
    }

    /** Returns all bytes of the field. */
    public long bytes() {
      return ownBytes + sharedBytes;
    }
  }

  /**
   * Creates an estimate of no objects.
   *
   * @param knownSizes returns the size of a value whose codec writes something else than the value
   *     holds, such as the text of a time; 0 for all other values
   */
  public HeapEstimate(ToIntFunction<Object> knownSizes) {
    this.writer = new MeasuringWriter(requireNonNull(knownSizes, "knownSizes"));
  }

  /** Adds an object with all that it holds. */
  public <T> void add(JsonCodec<T> codec, T object) {
    writer.object(codec, object);
  }

  /**
   * Adds a string that is no field of an object, such as the key under which a cache has it.
   *
   * @return its bytes; 0 if it has been added already, alone or as part of an object
   */
  public int addKey(String key) {
    return writer.key(key);
  }

  /** Returns the bytes of each field, in the order of the paths. */
  public List<FieldBytes> fields() {
    List<FieldBytes> fields = new ArrayList<>();
    add(fields, writer.root(), "");
    return List.copyOf(fields);
  }

  private static void add(List<FieldBytes> fields, MeasuringWriter.Node node, String path) {
    fields.add(new FieldBytes(path, node.ownBytes, node.sharedBytes));
    node.fields.forEach((name, field) -> add(fields, field, join(path, name)));
  }

  private static String join(String path, String name) {
    boolean plain = name.chars().noneMatch(c -> ".[]\\\"'".indexOf(c) >= 0);
    String step = plain ? name : "[\"" + name + "\"]";
    return path.isEmpty() || !plain ? path + step : path + "." + step;
  }
}
