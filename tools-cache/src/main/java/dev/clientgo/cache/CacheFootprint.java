package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.json.HeapEstimate;
import dev.clientgo.apimachinery.json.HeapEstimate.FieldBytes;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.resource.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/**
 * The memory that the cache of an informer takes, by field.
 *
 * <pre>{@code
 * CacheFootprint footprint = pods.footprint();
 * System.out.println(footprint); // The fields that take most.
 * long saved = footprint.bytes() - footprint.bytesIfKept("spec.nodeName", "status.phase");
 * }</pre>
 *
 * <p>The figures are estimates: sizes of values as a 64-bit JVM with compressed references lays
 * them out. A value that more than one object has, such as a pooled string, counts once, as shared.
 * Beside the objects there are the keys, the store and the indices. For pods and config maps the
 * sum was up to 3 % less than the JVM counts; docs/memory.md has the figures. The connection, the
 * queue and the {@linkplain #readerBytes pools of the reader} are not in it.
 *
 * <p>Immutable.
 */
public final class CacheFootprint {

  /** How many fields the text shows. */
  private static final int ROWS = 25;

  private final String informer;
  private final int objects;
  private final long indexBytes;
  private final long readerBytes;
  private final List<FieldBytes> fields;

  private CacheFootprint(
      String informer, int objects, long indexBytes, long readerBytes, List<FieldBytes> fields) {
    this.informer = informer;
    this.objects = objects;
    this.indexBytes = indexBytes;
    this.readerBytes = readerBytes;
    this.fields = fields;
  }

  /** Returns the memory of the objects of a snapshot, which a codec reads and writes. */
  static <T> CacheFootprint of(
      String informer, JsonCodec<T> codec, IndexSnapshot<T> snapshot, long readerBytes) {
    HeapEstimate estimate = new HeapEstimate(CacheFootprint::sizeOf);
    snapshot.list().forEach(object -> estimate.add(codec, object));
    long indexBytes = snapshot.heapBytes(estimate::addKey);
    return new CacheFootprint(
        informer, snapshot.size(), indexBytes, readerBytes, estimate.fields());
  }

  /** Returns the sizes of values whose codecs write another form than they hold. */
  private static int sizeOf(Object value) {
    if (value instanceof Time || value instanceof MicroTime) {
      return 32;
    } else if (value instanceof Quantity) {
      return 72;
    }
    return value instanceof IntOrString ? 24 : 0;
  }

  /** Returns the name of the informer. */
  public String informer() {
    return informer;
  }

  /** Returns the number of objects in the cache. */
  public int objects() {
    return objects;
  }

  /** Returns all bytes: of the objects, the keys and the indices. */
  public long bytes() {
    return ownBytes() + sharedBytes() + indexBytes;
  }

  /** Returns the bytes of the values that only one object has. */
  public long ownBytes() {
    return fields.stream().mapToLong(FieldBytes::ownBytes).sum();
  }

  /** Returns the bytes of the values that more than one object, or one field, has. */
  public long sharedBytes() {
    return fields.stream().mapToLong(FieldBytes::sharedBytes).sum();
  }

  /** Returns the bytes of the keys and of the indices. */
  public long indexBytes() {
    return indexBytes;
  }

  /**
   * Returns the bytes that the reader of the informer takes, beside the cache, to find equal values
   * of lists and watches: bounded pools, and about 50 bytes for each part of an object whose text
   * has 512 bytes or more. {@link #bytes} does not have them.
   */
  public long readerBytes() {
    return readerBytes;
  }

  /** Returns the bytes of each field without those of the fields within it, by path. */
  public List<FieldBytes> fields() {
    return fields;
  }

  /**
   * Returns the bytes of each field with those of the fields within it, the largest first. The
   * first, with an empty path, is that of the objects.
   */
  public List<FieldBytes> largest() {
    TreeMap<String, FieldBytes> sums = new TreeMap<>();
    for (FieldBytes field : fields) {
      for (String path : withParents(field.path())) {
        sums.merge(
            path,
            new FieldBytes(path, field.ownBytes(), field.sharedBytes()),
            (a, b) ->
                new FieldBytes(
                    path, a.ownBytes() + b.ownBytes(), a.sharedBytes() + b.sharedBytes()));
      }
    }
    List<FieldBytes> largest = new ArrayList<>(sums.values());
    largest.sort(Comparator.comparingLong(FieldBytes::bytes).reversed());
    return List.copyOf(largest);
  }

  private List<String> withParents(String path) {
    List<String> all = new ArrayList<>(List.of(""));
    for (FieldBytes field : fields) {
      if (!field.path().isEmpty() && isWithin(path, field.path())) {
        all.add(field.path());
      }
    }
    return all;
  }

  private static boolean isWithin(String path, String parent) {
    return path.startsWith(parent)
        && (path.length() == parent.length() || ".[".indexOf(path.charAt(parent.length())) >= 0);
  }

  /**
   * Returns the bytes that the cache would take if its informer kept only these fields, and those
   * that are always kept; see {@link Projection#keep}.
   *
   * @throws IllegalArgumentException if one of the paths is not the path of a field
   */
  public long bytesIfKept(String... paths) {
    return bytesWith(Projection.keep(paths));
  }

  /**
   * Returns the bytes that the cache would take if its informer left out these fields; see {@link
   * Projection#drop}.
   *
   * @throws IllegalArgumentException if one of the paths is not the path of a field, or caches need
   *     it
   */
  public long bytesIfDropped(String... paths) {
    return bytesWith(Projection.drop(paths));
  }

  private long bytesWith(Projection projection) {
    requireNonNull(projection, "projection");
    return indexBytes
        + fields.stream()
            .filter(field -> field.path().isEmpty() || projection.keeps(field.path()))
            .mapToLong(FieldBytes::bytes)
            .sum();
  }

  /** Returns a table of the fields that take most. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        format(
            "%s: %,d objects, %,d bytes: %,d of one object each, %,d shared, %,d in indices;"
                + " beside them the reader's pools, %,d bytes\n",
            informer, objects, bytes(), ownBytes(), sharedBytes(), indexBytes, readerBytes));
    text.append(format("%14s %14s %11s  %s\n", "OWN", "SHARED", "PER OBJECT", "FIELD"));
    largest().stream()
        .filter(field -> field.bytes() > 0)
        .limit(ROWS)
        .forEach(field -> text.append(row(field)));
    return text.toString();
  }

  private String row(FieldBytes field) {
    return format(
        "%,14d %,14d %,11d  %s\n",
        field.ownBytes(),
        field.sharedBytes(),
        field.bytes() / Math.max(1, objects),
        field.path().isEmpty() ? "(all fields)" : field.path());
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
