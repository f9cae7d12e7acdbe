package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.envtest.Resource.Trait;
import dev.clientgo.envtest.Resource.Version;
import java.util.Locale;
import java.util.Map;

/** Reading the objects that clients send. */
final class RequestBody {

  private static final String ACCEPTED =
      "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  private static final int EXCERPT = 30;

  private RequestBody() {}

  /**
   * Returns the object in the body of a request, without {@code apiVersion} and {@code kind}, which
   * are checked.
   */
  static Map<String, Object> object(ApiRequest request, Resource resource, Version version) {
    Map<String, Object> object = json(request, resource);
    String expected = resource.apiVersion(version.name());
    String apiVersion = Tree.string(object, "apiVersion");
    String kind = Tree.string(object, "kind");
    if (resource.is(Trait.CUSTOM) && kind.isEmpty()) {
      throw Failures.badRequest("Object 'Kind' is missing in '" + request.bodyText() + "'");
    }
    if (!apiVersion.isEmpty() && !apiVersion.equals(expected)) {
      throw Failures.badRequest(
          "the API version in the data ("
              + apiVersion
              + ") does not match the expected API version ("
              + expected
              + ")");
    }
    if (!kind.isEmpty() && !kind.equals(resource.kind())) {
      throw Failures.badRequest(
          kind
              + " in version \""
              + version.name()
              + "\" cannot be handled as a "
              + resource.kind()
              + ": converting ("
              + kind
              + ") to ("
              + resource.kind()
              + ")");
    }
    return strip(object);
  }

  /** Returns an object without {@code apiVersion} and {@code kind}. */
  static Map<String, Object> strip(Map<String, Object> object) {
    return Tree.with(Tree.with(object, null, "apiVersion"), null, "kind");
  }

  private static Map<String, Object> json(ApiRequest request, Resource resource) {
    if (!contentType(request).equals("application/json")) {
      throw Failures.unsupportedMediaType(ACCEPTED);
    }
    Object value;
    try {
      value = Json.parse(request.body());
    } catch (IllegalArgumentException e) {
      throw unrecognized(request, resource, String.valueOf(e.getMessage()));
    }
    if (!(value instanceof Map)) {
      throw unrecognized(request, resource, "json: cannot unmarshal into an object");
    }
    return Tree.asObject(value);
  }

  private static RuntimeException unrecognized(
      ApiRequest request, Resource resource, String problem) {
    String text = new String(request.body(), UTF_8);
    String excerpt = text.length() > EXCERPT ? text.substring(0, EXCERPT) + " ..." : text;
    return Failures.badRequest(
        "the object provided is unrecognized (must be of type "
            + resource.kind()
            + "): couldn't get version/kind; json parse error: "
            + problem
            + " ("
            + excerpt
            + ")");
  }

  /** Returns the media type of the body; JSON if none is named. */
  static String contentType(ApiRequest request) {
    String type = request.header("Content-Type").orElse("application/json");
    int semicolon = type.indexOf(';');
    return (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
  }
}
