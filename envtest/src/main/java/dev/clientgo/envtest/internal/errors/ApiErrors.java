package dev.clientgo.envtest.internal.errors;

import static dev.clientgo.apimachinery.status.ApiStatusException.conflict;

import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.CauseType;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.status.StatusDetails;
import dev.clientgo.apimachinery.status.StatusReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The API errors that only a server creates, with the reasons, details and texts of kube-apiserver:
 * programs check the reasons, and people search for the texts.
 */
public final class ApiErrors {

  private static final String CONTINUE_EXPIRED =
      "The provided continue parameter is too old to display a consistent list result. You can"
          + " start a new list without the continue parameter, or use the continue token in this"
          + " response to retrieve the remainder of the results. Continuing with the provided token"
          + " results in an inconsistent list - objects that were created, modified, or deleted"
          + " between the time the first chunk was returned and now may show up in the list.";

  private ApiErrors() {}

  /* --------------- Conflicts and expired versions --------------- */

  /** Another client has changed the object. */
  public static ApiStatusException modified(GroupResource resource, String name) {
    return conflict(
        resource,
        name,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  /** Nothing can be created in a namespace that is being deleted. */
  public static ApiStatusException namespaceTerminating(
      GroupResource resource, String name, String namespace) {
    Status status =
        ApiStatusException.forbidden(
                resource,
                name,
                "unable to create new content in namespace %s because it is being terminated"
                    .formatted(namespace))
            .status();
    StatusCause cause =
        FieldErrors.cause(
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

  /** The version does not exist yet. */
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

  /** The objects at the version have been forgotten. */
  public static ApiStatusException expiredList() {
    return ApiStatusException.resourceExpired(
        "The resourceVersion for the provided list is too old.");
  }

  /** Like {@link #expiredList}; with the token, the client can continue with the current list. */
  public static ApiStatusException expiredContinue(String token) {
    Status status = ApiStatusException.resourceExpired(CONTINUE_EXPIRED).status();
    ListMeta metadata = ListMeta.builder().continueToken(token).build();
    return new ApiStatusException(status.toBuilder().metadata(metadata).build());
  }

  /* --------------- Requests that cannot be served --------------- */

  /** The group exists, but the path does not. */
  public static ApiStatusException noSuchResource() {
    return generic(404);
  }

  /** The path does not support this method. */
  public static ApiStatusException methodNotAllowed() {
    return generic(405);
  }

  /** A JSON patch that does not apply; kube-apiserver gives no reason either. */
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

  /** The body does not fit the kind. */
  public static ApiStatusException cannotBeHandled(
      String kind, String version, String expectedKind, String problem) {
    return ApiStatusException.badRequest(
        "%s in version \"%s\" cannot be handled as a %s: %s"
            .formatted(kind, version, expectedKind, problem));
  }

  /** An error without a reason. */
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
