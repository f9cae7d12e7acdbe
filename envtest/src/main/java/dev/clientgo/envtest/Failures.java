package dev.clientgo.envtest;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.Status;
import dev.clientgo.apimachinery.meta.StatusCause;
import dev.clientgo.apimachinery.meta.StatusDetails;
import dev.clientgo.apimachinery.schema.GroupResource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The errors of the API, each with the reason, the details and the wording that kube-apiserver
 * gives it. Programs match the reasons, and people search for the words.
 */
final class Failures {

  private static final String GENERIC_CONTINUE_EXPIRED =
      "The provided continue parameter is too old to display a consistent list result. You can"
          + " start a new list without the continue parameter, or use the continue token in this"
          + " response to retrieve the remainder of the results. Continuing with the provided token"
          + " results in an inconsistent list - objects that were created, modified, or deleted"
          + " between the time the first chunk was returned and now may show up in the list.";

  private Failures() {}

  /** A field that makes an object invalid. */
  record FieldError(String reason, String field, String message) {

    static FieldError invalid(String field, String value, String problem) {
      return new FieldError("FieldValueInvalid", field, "Invalid value: " + value + ": " + problem);
    }

    static FieldError forbidden(String field, String problem) {
      return new FieldError("FieldValueForbidden", field, "Forbidden: " + problem);
    }

    static FieldError notSupported(String field, String value, String... supported) {
      String all =
          Arrays.stream(supported).map(s -> '"' + s + '"').collect(Collectors.joining(", "));
      return new FieldError(
          "FieldValueNotSupported",
          field,
          "Unsupported value: \"" + value + "\": supported values: " + all);
    }

    static FieldError required(String field, String problem) {
      return new FieldError(
          "FieldValueRequired",
          field,
          "Required value" + (problem.isEmpty() ? "" : ": " + problem));
    }
  }

  static ApiStatusException notFound(GroupResource resource, String name) {
    return failure(
        404, "NotFound", resource + " \"" + name + "\" not found", about(resource, name));
  }

  static ApiStatusException alreadyExists(GroupResource resource, String name) {
    return failure(
        409, "AlreadyExists", resource + " \"" + name + "\" already exists", about(resource, name));
  }

  static ApiStatusException conflict(GroupResource resource, String name, String problem) {
    return failure(
        409,
        "Conflict",
        "Operation cannot be fulfilled on " + resource + " \"" + name + "\": " + problem,
        about(resource, name));
  }

  static ApiStatusException modified(GroupResource resource, String name) {
    return conflict(
        resource,
        name,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  /** The kind is written where other errors have the resource. */
  static ApiStatusException invalid(GroupResource kind, String name, List<FieldError> errors) {
    String all =
        errors.stream()
            .map(error -> error.field() + ": " + error.message())
            .collect(Collectors.joining(", "));
    return failure(
        422,
        "Invalid",
        kind + " \"" + name + "\" is invalid: " + (errors.size() > 1 ? "[" + all + "]" : all),
        about(kind, name)
            .causes(
                errors.stream()
                    .map(error -> cause(error.reason(), error.message(), error.field()))
                    .toList()));
  }

  static ApiStatusException badRequest(String message) {
    return failure(400, "BadRequest", message, null);
  }

  static ApiStatusException forbidden(GroupResource resource, String name, String problem) {
    return failure(
        403,
        "Forbidden",
        (name.isEmpty() ? resource.toString() : resource + " \"" + name + "\"")
            + " is forbidden: "
            + problem,
        about(resource, name));
  }

  static ApiStatusException unauthorized() {
    return failure(401, "Unauthorized", "Unauthorized", null);
  }

  static ApiStatusException methodNotAllowed() {
    return failure(
        405,
        "MethodNotAllowed",
        "the server does not allow this method on the requested resource",
        StatusDetails.builder());
  }

  static ApiStatusException notSupported(GroupResource resource, String verb) {
    return failure(
        405,
        "MethodNotAllowed",
        verb + " is not supported on resources of kind \"" + resource + "\"",
        about(resource, ""));
  }

  static ApiStatusException notAcceptable() {
    return failure(
        406,
        "NotAcceptable",
        "406: Not Acceptable\n\nAvailable representations: application/json,"
            + " application/json;stream=watch",
        StatusDetails.builder());
  }

  static ApiStatusException unsupportedMediaType(String accepted) {
    return failure(
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: "
            + accepted,
        null);
  }

  /** What a JSON patch that cannot be applied is answered with, without telling why. */
  static ApiStatusException unprocessable() {
    return failure(
        422,
        "Invalid",
        "the server rejected our request due to an error in our request",
        StatusDetails.builder());
  }

  static ApiStatusException internal(String message) {
    return failure(
        500,
        "InternalError",
        "Internal error occurred: " + message,
        StatusDetails.builder().causes(List.of(StatusCause.builder().message(message).build())));
  }

  static ApiStatusException tooLargeResourceVersion(String wanted, long current) {
    return failure(
        504,
        "Timeout",
        "Timeout: Too large resource version: " + wanted + ", current: " + current,
        StatusDetails.builder()
            .causes(
                List.of(
                    StatusCause.builder()
                        .reason("ResourceVersionTooLarge")
                        .message("Too large resource version")
                        .build()))
            .retryAfterSeconds(1));
  }

  static ApiStatusException expiredWatch(long wanted, long oldest) {
    return failure(
        410, "Expired", "too old resource version: " + wanted + " (" + oldest + ")", null);
  }

  static ApiStatusException expiredList() {
    return failure(410, "Expired", "The resourceVersion for the provided list is too old.", null);
  }

  /** The token lets the client go on with the list as it is now. */
  static ApiStatusException expiredContinue(String token) {
    return new ApiStatusException(
        status(410, "Expired", GENERIC_CONTINUE_EXPIRED, null)
            .metadata(ListMeta.builder().continueToken(token).build())
            .build());
  }

  static ApiStatusException namespaceTerminating(
      GroupResource resource, String name, String namespace) {
    String problem =
        "unable to create new content in namespace "
            + namespace
            + " because it is being terminated";
    StatusDetails.Builder details =
        about(resource, name)
            .causes(
                List.of(
                    cause(
                        "NamespaceTerminating",
                        "namespace " + namespace + " is being terminated",
                        "metadata.namespace")));
    return failure(
        403, "Forbidden", resource + " \"" + name + "\" is forbidden: " + problem, details);
  }

  static ApiStatusException failure(
      int code, String reason, String message, StatusDetails.@Nullable Builder details) {
    return new ApiStatusException(status(code, reason, message, details).build());
  }

  private static Status.Builder status(
      int code, String reason, String message, StatusDetails.@Nullable Builder details) {
    return Status.builder()
        .status("Failure")
        .message(message)
        .reason(reason)
        .details(details == null ? null : details.build())
        .code(code);
  }

  private static StatusDetails.Builder about(GroupResource resource, String name) {
    return StatusDetails.builder()
        .name(name.isEmpty() ? null : name)
        .group(resource.group().isEmpty() ? null : resource.group())
        .kind(resource.resource());
  }

  private static StatusCause cause(String reason, String message, String field) {
    return StatusCause.builder().reason(reason).message(message).field(field).build();
  }
}
