package dev.clientgo.envtest.internal.strategy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.List;
import java.util.Map;

/** Limits the total size of the values in a ConfigMap or a Secret; the keys do not count. */
final class DataSizeLimit {

  private static final int MAX = 1 << 20;

  private DataSizeLimit() {}

  /** Returns the errors of a ConfigMap or a Secret. */
  static List<StatusCause> problems(String kind, Unstructured object) {
    boolean secret = kind.equals("Secret");
    long size = 0;
    for (Object value : data(object, "data").values()) {
      size += secret ? decoded(value) : value.toString().getBytes(UTF_8).length;
    }
    for (Object value : data(object, "binaryData").values()) {
      size += decoded(value);
    }
    return size > MAX ? List.of(FieldErrors.tooLong(secret ? "data" : "[]", MAX)) : List.of();
  }

  private static Map<String, Object> data(Unstructured object, String field) {
    return JsonTree.object(object.content(), field);
  }

  /** Returns the number of bytes that a Base64 text encodes. */
  private static int decoded(Object base64) {
    String text = base64.toString();
    return text.length() / 4 * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
  }
}
