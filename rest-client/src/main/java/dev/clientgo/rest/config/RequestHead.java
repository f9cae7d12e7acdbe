package dev.clientgo.rest.config;

import static java.util.Objects.requireNonNull;

import dev.clientgo.rest.internal.text.HeaderValues;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A request without its body, as a {@link RequestInterceptor} sees it. Immutable. The text form
 * shows no headers.
 *
 * @param method the HTTP method
 * @param url the URL with its query
 * @param pathTemplate the path with placeholders, such as {@code
 *     /api/v1/namespaces/{namespace}/pods/{name}}; fit for a metric or the name of a span
 * @param attempt 1 for the first attempt
 * @param headers the values of each header; the case of a name does not matter
 */
public record RequestHead(
    String method, URI url, String pathTemplate, int attempt, Map<String, List<String>> headers) {

  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  /** The methods that HTTP calls safe. */
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

  public RequestHead {
    requireNonNull(method, "method");
    requireNonNull(url, "url");
    requireNonNull(pathTemplate, "pathTemplate");
    headers = copyOf(headers);
  }

  static Map<String, List<String>> copyOf(Map<String, List<String>> headers) {
    Map<String, List<String>> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach((name, values) -> copy.put(name, List.copyOf(values)));
    return Collections.unmodifiableMap(copy);
  }

  private RequestHead changed(String name, List<String> values) {
    Map<String, List<String>> changed = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    changed.putAll(headers);
    changed.remove(name); // A put alone would keep the case of the old name.
    if (!values.isEmpty()) {
      changed.put(name, values);
    }
    return new RequestHead(method, url, pathTemplate, attempt, changed);
  }

  /** Returns a header, the last if there are several of the name. */
  public Optional<String> header(String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    return values.isEmpty() ? Optional.empty() : Optional.of(values.get(values.size() - 1));
  }

  /**
   * Returns the request with this header, which replaces all headers of its name.
   *
   * @throws IllegalArgumentException if the name or the value is not allowed in a header
   */
  public RequestHead withHeader(String name, String value) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("not the name of a header: \"" + name + '"');
    }
    return changed(name, List.of(HeaderValues.check("the header " + name, value)));
  }

  /** Returns the request without a header. */
  public RequestHead withoutHeader(String name) {
    return changed(name, List.of());
  }

  /** Returns whether the method reads and changes nothing: GET, HEAD or OPTIONS. */
  public boolean isReadOnly() {
    return SAFE.contains(method);
  }

  @Override
  public String toString() {
    return method + " " + url;
  }
}
