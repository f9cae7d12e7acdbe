package dev.clientgo.rest.discovery;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.rest.Request;
import dev.clientgo.rest.Result;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A cache of responses with an ETag, which the server does not send again until they change. Safe
 * for use by many threads.
 *
 * <p>Corresponds to the cache of HTTP responses below client-go's cached discovery. Unlike
 * client-go: it also keeps responses in memory.
 *
 * @param <T> the type of the decoded responses
 */
final class ETagCache<T> {

  /** Decodes a response. */
  @FunctionalInterface
  interface Reader<T> {
    /**
     * Decodes the body.
     *
     * @param origin the origin of the body, for errors
     */
    T read(String contentType, byte[] body, String origin);
  }

  private record Known<T>(String tag, T value) {}

  private final Map<String, Known<T>> known = new ConcurrentHashMap<>();
  private final @Nullable ChecksumFiles files;

  /**
   * Creates an empty cache.
   *
   * @param files also keep the responses, for other programs and later runs; null for none
   */
  ETagCache(@Nullable ChecksumFiles files) {
    this.files = files;
  }

  /**
   * Returns the response to a request, from the cache if it has not changed.
   *
   * @param key identifies requests for the same document
   */
  T get(String key, Request request, Reader<T> reader) throws InterruptedException {
    Optional<Known<T>> before = Optional.ofNullable(known.get(key)).or(() -> onDisk(key, reader));
    before.ifPresent(answer -> request.header("If-None-Match", answer.tag));
    Result result = request.execute();
    if (result.statusCode() == 304 && before.isPresent()) {
      known.put(key, before.get());
      return before.get().value;
    }
    String type = result.contentType().orElse("");
    T value = reader.read(type, result.raw(), result.toString());
    keep(key, result, type, value);
    return value;
  }

  private void keep(String key, Result result, String type, T value) {
    String tag = result.header("ETag").orElse(null);
    if (tag == null) {
      known.remove(key);
      return;
    }
    known.put(key, new Known<>(tag, value));
    if (files != null) {
      byte[] head = (tag + "\n" + type + "\n").getBytes(ISO_8859_1);
      byte[] body = result.raw();
      byte[] file = Arrays.copyOf(head, head.length + body.length);
      System.arraycopy(body, 0, file, head.length, body.length);
      files.write(key, file);
    }
  }

  private Optional<Known<T>> onDisk(String key, Reader<T> reader) {
    if (files == null) {
      return Optional.empty();
    }
    try {
      return files.read(key).map(file -> parse(file, key, reader));
    } catch (CodecException e) {
      return Optional.empty(); // Perhaps written by another release.
    }
  }

  private static <T> Known<T> parse(byte[] file, String key, Reader<T> reader) {
    String[] head = new String(file, ISO_8859_1).split("\n", 3);
    int body = head[0].length() + head[1].length() + 2;
    return new Known<>(
        head[0], reader.read(head[1], Arrays.copyOfRange(file, body, file.length), key));
  }
}
