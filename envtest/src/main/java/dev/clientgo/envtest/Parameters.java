package dev.clientgo.envtest;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import org.jspecify.annotations.Nullable;

/** Reading the parameters of a query as upstream's conversion does. */
final class Parameters {

  private Parameters() {}

  /** Returns a parameter that is on or off; null if it is not there. What is not off is on. */
  static @Nullable Boolean flag(ApiRequest request, String name) {
    String value = request.query(name);
    return request.query().containsKey(name)
        ? (Boolean) !(value.equals("false") || value.equals("0"))
        : null;
  }

  /**
   * Returns a parameter that is a whole number; null if it is not there.
   *
   * @throws dev.clientgo.apimachinery.errors.ApiStatusException if it is something else
   */
  static @Nullable Long number(ApiRequest request, String name) {
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
