package dev.clientgo.envtest.internal.requests;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.traffic.ApiRequest;
import org.jspecify.annotations.Nullable;

/** Reading the parameters of a query as upstream's conversion does. */
public final class QueryParameters {

  private QueryParameters() {}

  /** Returns a parameter that is on or off; null if it is not there. What is not off is on. */
  public static @Nullable Boolean flag(ApiRequest request, String name) {
    String value = request.query(name);
    return request.query().containsKey(name)
        ? (Boolean) !(value.equals("false") || value.equals("0"))
        : null;
  }

  /**
   * Returns a parameter that is a whole number; null if it is not there.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if it is something else
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
