package dev.clientgo.envtest.internal.errors;

import static dev.clientgo.apimachinery.status.ApiStatusException.conflict;
import static dev.clientgo.apimachinery.status.ApiStatusException.invalid;

import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.CauseType;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.status.StatusDetails;
import dev.clientgo.apimachinery.status.StatusReason;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The errors of the API that only a server makes, each with the reason, the details and the wording
 * of kube-apiserver: programs match the one, and people search for the other.
 */
public final class ApiErrors {

  private static final String CONTINUE_EXPIRED =
      "The provided continue parameter is too old to display a consistent list result. You can"
          + " start a new list without the continue parameter, or use the continue token in this"
          + " response to retrieve the remainder of the results. Continuing with the provided token"
          + " results in an inconsistent list - objects that were created, modified, or deleted"
          + " between the time the first chunk was returned and now may show up in the list.";

  private ApiErrors() {}

  /* --------------- What is wrong with a field --------------- */

  public static StatusCause invalidValue(String field, String value, String problem) {
    return cause("FieldValueInvalid", field, "Invalid value: " + value + ": " + problem);
  }

  public static StatusCause forbiddenField(String field, String problem) {
    return cause("FieldValueForbidden", field, "Forbidden: " + problem);
  }

  public static StatusCause requiredField(String field, String problem) {
    return cause(
        "FieldValueRequired",
        field,
        problem.isEmpty() ? "Required value" : "Required value: " + problem);
  }

  public static StatusCause unsupportedValue(String field, String value, String... supported) {
    String all = Arrays.stream(supported).map(s -> '"' + s + '"').collect(Collectors.joining(", "));
    return cause(
        "FieldValueNotSupported",
        field,
        "Unsupported value: " + value + ": supported values: " + all);
  }

  public static StatusCause tooLong(String field, int max) {
    return cause("FieldValueTooLong", field, "Too long: may not be more than " + max + " bytes");
  }

  public static StatusCause cause(String type, String field, String message) {
    return StatusCause.builder().reason(type).message(message).field(field).build();
  }

  /** Throws if there is something wrong with options. */
  public static void checkOptions(String kind, List<StatusCause> problems) {
    if (!problems.isEmpty()) {
      throw invalid(new GroupKind("meta.k8s.io", kind), "", problems);
    }
  }

  /* --------------- What went wrong --------------- */

  /** Somebody else was faster. */
  public static ApiStatusException modified(GroupResource resource, String name) {
    return conflict(
        resource,
        name,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  /** A namespace that is being deleted takes nothing new. */
  public static ApiStatusException namespaceTerminating(
      GroupResource resource, String name, String namespace) {
    Status status =
        ApiStatusException.forbidden(
                resource,
                name,
                "unable to create new content in namespace "
                    + namespace
                    + " because it is being terminated")
            .status();
    StatusCause cause =
        cause(
            "NamespaceTerminating",
            "metadata.namespace",
            "namespace " + namespace + " is being terminated");
    StatusDetails details =
        StatusDetails.builder()
            .name(name.isEmpty() ? null : name)
            .group(resource.group().isEmpty() ? null : resource.group())
            .kind(resource.resource())
            .causes(List.of(cause))
            .build();
    return new ApiStatusException(status.toBuilder().details(details).build());
  }

  /** The version is not there yet; with one server, it was never given out. */
  public static ApiStatusException tooLargeResourceVersion(String wanted, long current) {
    String problem = "Too large resource version";
    StatusCause cause =
        StatusCause.builder().reason(CauseType.RESOURCE_VERSION_TOO_LARGE).message(problem).build();
    return failure(
        504,
        StatusReason.TIMEOUT,
        "Timeout: " + problem + ": " + wanted + ", current: " + current,
        StatusDetails.builder().causes(List.of(cause)).retryAfterSeconds(1).build());
  }

  /** The changes after the version have been forgotten. */
  public static ApiStatusException expiredWatch(long wanted, long oldest) {
    return ApiStatusException.resourceExpired(
        "too old resource version: " + wanted + " (" + oldest + ")");
  }

  /** The objects as they were at the version have been forgotten. */
  public static ApiStatusException expiredList() {
    return ApiStatusException.resourceExpired(
        "The resourceVersion for the provided list is too old.");
  }

  /** As {@link #expiredList}; the token lets the client go on with the list as it is now. */
  public static ApiStatusException expiredContinue(String token) {
    Status status = ApiStatusException.resourceExpired(CONTINUE_EXPIRED).status();
    ListMeta metadata = ListMeta.builder().continueToken(token).build();
    return new ApiStatusException(status.toBuilder().metadata(metadata).build());
  }

  /* --------------- What cannot be answered --------------- */

  /** The group is served, but nothing is at the path. */
  public static ApiStatusException noSuchResource() {
    return generic(404);
  }

  /** Something is at the path, but not for this method. */
  public static ApiStatusException methodNotAllowed() {
    return generic(405);
  }

  /** A JSON patch that does not fit; kube-apiserver does not say why either. */
  public static ApiStatusException unprocessable() {
    return generic(422);
  }

  private static ApiStatusException generic(int code) {
    return ApiStatusException.genericServerResponse(
        code, "", new GroupResource("", ""), "", "", 0, false);
  }

  public static ApiStatusException notAcceptable() {
    return failure(
        406,
        StatusReason.NOT_ACCEPTABLE,
        "406: Not Acceptable\n\nAvailable representations: application/json,"
            + " application/json;stream=watch",
        StatusDetails.builder().build());
  }

  public static ApiStatusException unsupportedMediaType(String accepted) {
    return failure(
        415,
        StatusReason.UNSUPPORTED_MEDIA_TYPE,
        "the body of the request was in an unknown format - accepted media types include: "
            + accepted,
        null);
  }

  /** The body is an object of another kind or does not fit the kind. */
  public static ApiStatusException cannotBeHandled(
      String kind, String version, String expectedKind, String problem) {
    return ApiStatusException.badRequest(
        "%s in version \"%s\" cannot be handled as a %s: %s"
            .formatted(kind, version, expectedKind, problem));
  }

  /** An error to which nobody has given a reason. */
  public static ApiStatusException unexplained(String message) {
    return failure(500, null, message, null);
  }

  public static ApiStatusException failure(
      int code, @Nullable String reason, String message, @Nullable StatusDetails details) {
    return new ApiStatusException(
        Status.builder()
            .status("Failure")
            .message(message)
            .reason(reason)
            .details(details)
            .code(code)
            .build());
  }
}
