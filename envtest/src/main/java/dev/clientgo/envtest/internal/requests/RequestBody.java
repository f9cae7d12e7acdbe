package dev.clientgo.envtest.internal.requests;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.YamlText;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.List;

/** Reads the objects that clients send. */
public final class RequestBody {

  private static final String ACCEPTED = "application/json, application/yaml";
  private static final int EXCERPT = 30;

  private RequestBody() {}

  /**
   * Returns the object in the body, checked for its {@code apiVersion} and {@code kind}, and
   * without them.
   *
   * @throws ApiStatusException if the body is not an object of that kind
   */
  public static Unstructured object(
      ApiRequest request, ServedKind served, FieldValidation validation) {
    byte[] json = json(request, served);
    Unstructured object;
    try {
      object = JsonText.parseObject(json);
    } catch (CodecException e) {
      throw e.isRecoverable() && !e.path().isEmpty()
          ? ApiErrors.cannotBeHandled(
              served.kind(), served.version().name(), served.kind(), String.valueOf(e.getMessage()))
          : unrecognized(request, served, String.valueOf(e.getMessage()));
    }
    checkType(request, object, served);
    validation.checkSent(json, object);
    return ObjectNormalizer.of(served, object.withType("", ""));
  }

  private static byte[] json(ApiRequest request, ServedKind served) {
    if (request.contentType().equals("application/yaml")) {
      return fromYaml(request, served);
    }
    if (!request.contentType().equals("application/json")) {
      throw ApiErrors.unsupportedMediaType(ACCEPTED);
    }
    return request.body();
  }

  private static byte[] fromYaml(ApiRequest request, ServedKind served) {
    try {
      return YamlText.toJson(request.body());
    } catch (CodecException e) {
      throw unrecognized(request, served, String.valueOf(e.getMessage()));
    }
  }

  private static void checkType(ApiRequest request, Unstructured object, ServedKind served) {
    String kind = object.kind();
    String apiVersion = object.apiVersion();
    String expected = served.apiVersion();
    boolean custom = served.isCustom();
    if (custom && kind.isEmpty()) {
      String body = request.bodyText();
      throw ApiStatusException.badRequest(
          ("the object provided is unrecognized (must be of type %s): Object 'Kind' is"
                  + " missing in '%s' (%s)")
              .formatted(served.kind(), body, excerpt(body)));
    }
    if ((custom || !apiVersion.isEmpty()) && !apiVersion.equals(expected)) {
      throw ApiStatusException.badRequest(
          "the API version in the data (%s) does not match the expected API version (%s)"
              .formatted(apiVersion, expected));
    }
    if (!kind.isEmpty() && !kind.equals(served.kind())) {
      checkKind(object, served.kind(), served);
      throw ApiErrors.cannotBeHandled(
          kind,
          served.version().name(),
          served.kind(),
          "no kind \"" + kind + "\" is registered for it");
    }
  }

  /** Checks the {@code kind} in an object of a custom kind. */
  public static void checkKind(Unstructured object, String expected, ServedKind served) {
    if (served.isCustom() && !object.kind().equals(expected)) {
      throw ApiStatusException.invalid(
          new GroupKind(served.resource().group(), object.kind()),
          requireNonNullElse(object.metadata().name(), ""),
          List.of(FieldErrors.invalid("kind", '"' + object.kind() + '"', "must be " + expected)));
    }
  }

  private static ApiStatusException unrecognized(
      ApiRequest request, ServedKind served, String problem) {
    return ApiStatusException.badRequest(
        ("the object provided is unrecognized (must be of type %s): couldn't get"
                + " version/kind; json parse error: %s (%s)")
            .formatted(served.kind(), problem, excerpt(request.bodyText())));
  }

  private static String excerpt(String body) {
    if (body.isEmpty()) {
      return "<empty>";
    }
    return body.length() > EXCERPT ? body.substring(0, EXCERPT) + " ..." : body;
  }
}
