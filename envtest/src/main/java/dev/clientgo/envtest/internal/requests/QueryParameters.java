package dev.clientgo.envtest.internal.requests;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.traffic.ApiRequest;
import org.jspecify.annotations.Nullable;

/** Parses query parameters as upstream's conversions do. */
public final class QueryParameters {

  private QueryParameters() {}

  /**
   * Returns a boolean parameter; null if it is missing. Every value except {@code false} and {@code
   * 0} is true.
   */
  public static @Nullable Boolean flag(ApiRequest request, String name) {
    String value = request.query(name);
    return request.query().containsKey(name)
        ? (Boolean) !(value.equals("false") || value.equals("0"))
        : null;
  }

  /**
   * Returns a whole number; null if it is missing.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if it is not a number
   */
  public static @Nullable Long number(ApiRequest request, String name) {
    String text = request.query(name);
    if (text.isEmpty()) {
      return null;
    }
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw ApiStatusException.badRequest(
          "strconv.ParseInt: parsing \"" + text + "\": invalid syntax");
    }
  }
}
