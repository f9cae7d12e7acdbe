package dev.clientgo.rest.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A response without its body, as a {@link RequestInterceptor} sees it. Immutable. The text form
 * shows no headers.
 *
 * @param code the HTTP status
 * @param headers the values of each header; the case of a name does not matter
 */
public record ResponseHead(int code, Map<String, List<String>> headers) {

  public ResponseHead {
    headers = RequestHead.copyOf(headers);
  }

  /** Returns a header, the last if there are several of the name. */
  public Optional<String> header(String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    return values.isEmpty() ? Optional.empty() : Optional.of(values.get(values.size() - 1));
  }

  @Override
  public String toString() {
    return Integer.toString(code);
  }
}
