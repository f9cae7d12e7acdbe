package dev.clientgo.controller.internal.incident;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * An incident that was read from a file.
 *
 * @param about what the file says about itself
 * @param objects the line of each object, by its number
 * @param reconciles the trees of the reconciles, in the order in which they ended
 */
public record IncidentFile(
    Map<String, Object> about, Map<Long, byte[]> objects, List<Map<String, Object>> reconciles) {

  /** How a file begins; its version and a line feed follow. */
  public static final String MAGIC = "client-go incident ";

  /** The version that this reads and writes. */
  public static final int VERSION = 1;

  /** The most bytes of a file, when they are no longer compressed. */
  static final long MOST_BYTES = 256L << 20;

  /**
   * Reads a file to its end.
   *
   * @throws IOException if it is no such file, of another version, not complete, or damaged
   */
  public static IncidentFile read(InputStream file) throws IOException {
    return read(file, MOST_BYTES);
  }

  static IncidentFile read(InputStream file, long most) throws IOException {
    InputStream in = new BufferedInputStream(file);
    String first = new String(line(in, 100), UTF_8);
    if (!first.startsWith(MAGIC)) {
      throw new IOException("this is no file of an incident: it does not begin with " + MAGIC);
    } else if (!first.equals(MAGIC + VERSION)) {
      throw new IOException(first + " has another version than this library reads: " + VERSION);
    }
    try {
      return lines(new BufferedInputStream(new GZIPInputStream(in)), most);
    } catch (EOFException e) {
      throw new IOException("the incident is not complete: the file ends too early", e);
    } catch (ZipException | RuntimeException e) {
      throw new IOException("the incident is damaged: " + e.getMessage(), e);
    }
  }

  private static IncidentFile lines(InputStream in, long most) throws IOException {
    IncidentFile file = new IncidentFile(new HashMap<>(), new HashMap<>(), new ArrayList<>());
    long left = most;
    for (long number = 0; ; number++) {
      byte[] line = line(in, Math.min(left, MOST_BYTES / 4));
      left -= line.length;
      Map<String, Object> tree = tree(line);
      if (number == 0) {
        file.about.putAll(tree);
      } else if (tree.get("end") instanceof Long end) {
        if (end != number || in.read() >= 0) { // The read checks the sum, too.
          throw new IOException("the incident is damaged: it has other lines than it says");
        }
        return file;
      } else if (tree.get("object") instanceof Long object) {
        file.objects.put(object, line);
      } else {
        file.reconciles.add(tree);
      }
    }
  }

  private static byte[] line(InputStream in, long most) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the file ends too early");
      } else if (line.size() >= most) {
        throw new IOException("the file is too large, or no file of an incident");
      }
      line.write(c);
    }
    return line.toByteArray();
  }

  private static Map<String, Object> tree(byte[] line) {
    return asMap(JsonCodecs.TREE.read(JsonReader.of(line)));
  }

  /** Returns the tree of an object. */
  Object object(Object number) {
    byte[] line = requireNonNull(objects.get(number), "an object of the incident");
    return requireNonNull(tree(line).get("content"));
  }

  @SuppressWarnings("unchecked") // Trees have texts as names.
  static Map<String, Object> asMap(@Nullable Object tree) {
    return (Map<String, Object>) requireNonNull(tree);
  }
}
