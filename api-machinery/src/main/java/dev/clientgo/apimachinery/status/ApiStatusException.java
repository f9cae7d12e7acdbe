package dev.clientgo.apimachinery.status;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupResource;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The server answered a request with an error.
 *
 * <p>The {@link Status} gives the reason. Programs use the predicates, such as {@link #isNotFound};
 * the message is for people and may differ between server versions. A predicate compares the
 * reason; the HTTP code decides only if the server gave no reason or an unknown one. So reasons
 * that share a code stay distinct: a conflict and an existing object both have 409, but only one of
 * them is {@link #isConflict}. Immutable.
 *
 * <p>If other exceptions wrap the error, {@link #find} finds it:
 *
 * <pre>{@code
 * try {
 *   task.run();
 * } catch (RuntimeException e) {
 *   if (ApiStatusException.find(e).filter(ApiStatusException::isNotFound).isPresent()) {
 *     return; // another client has deleted it
 *   }
 *   throw e;
 * }
 * }</pre>
 *
 * <p>Corresponds to client-go's {@code errors.StatusError} in {@code k8s.io/apimachinery}.
 */
public final class ApiStatusException extends KubernetesException {

  private static final long serialVersionUID = 1;

  private static final Set<String> KNOWN_REASONS =
      Set.of(
          StatusReason.UNAUTHORIZED,
          StatusReason.FORBIDDEN,
          StatusReason.NOT_FOUND,
          StatusReason.ALREADY_EXISTS,
          StatusReason.CONFLICT,
          StatusReason.GONE,
          StatusReason.INVALID,
          StatusReason.SERVER_TIMEOUT,
          StatusReason.STORE_READ_ERROR,
          StatusReason.TIMEOUT,
          StatusReason.TOO_MANY_REQUESTS,
          StatusReason.BAD_REQUEST,
          StatusReason.METHOD_NOT_ALLOWED,
          StatusReason.NOT_ACCEPTABLE,
          StatusReason.REQUEST_ENTITY_TOO_LARGE,
          StatusReason.UNSUPPORTED_MEDIA_TYPE,
          StatusReason.INTERNAL_ERROR,
          StatusReason.EXPIRED,
          StatusReason.SERVICE_UNAVAILABLE);

  private static final String TOO_LARGE_MESSAGE = "Too large resource version";

  // Not final only because of readObject: records with lists are not serializable.
  private transient Status status;

  /** Creates an error from the server's response. */
  public ApiStatusException(Status status) {
    super(message(requireNonNull(status, "status")), null);
    this.status = status;
  }

  private static String message(Status status) {
    String message = status.message();
    if (message != null && !message.isEmpty()) {
      return message;
    }
    String reason = status.reason();
    return "the server refused the request without a message (reason "
        + (reason == null || reason.isEmpty() ? "unknown" : reason)
        + ", code "
        + (status.code() == null ? "unknown" : status.code())
        + ")";
  }

  /* --------------- The response --------------- */

  /** Returns the first error of this type in the chain of an error and its causes. */
  public static Optional<ApiStatusException> find(@Nullable Throwable error) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable e = error; e != null && seen.add(e); e = e.getCause()) {
      if (e instanceof ApiStatusException found) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns whether an error, or one of its causes, is a {@linkplain #isConflict conflict} or a
   * {@linkplain #isNotFound not-found}. A controller that reads from a cache gets both in normal
   * operation, since the object may have changed or been deleted. Another attempt resolves them.
   */
  public static boolean isConflictOrNotFound(@Nullable Throwable error) {
    return find(error).filter(e -> e.isConflict() || e.isNotFound()).isPresent();
  }

  /** Returns the server's response. */
  public Status status() {
    return status;
  }

  /** Returns the reason, one of {@link StatusReason} or another; empty if the server gave none. */
  public String reason() {
    String reason = status.reason();
    return reason == null ? StatusReason.UNKNOWN : reason;
  }

  /** Returns the message and the reason, for one line of a log. */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // The message is exactly the server's.
  public String toString() {
    return reason().isEmpty() ? super.toString() : super.toString() + " (" + reason() + ")";
  }

  /** Returns the HTTP status code; 0 if the server gave none. */
  public int code() {
    Integer code = status.code();
    return code == null ? 0 : code;
  }

  /**
   * Returns the time that the server requests before the next attempt: zero for an attempt at once,
   * empty if the server names none. The value does not imply that another attempt can succeed.
   */
  public Optional<Duration> retryAfter() {
    StatusDetails details = status.details();
    if (details == null) {
      return Optional.empty();
    }
    Integer seconds = details.retryAfterSeconds();
    if (reason().equals(StatusReason.SERVER_TIMEOUT)) {
      return Optional.of(Duration.ofSeconds(seconds == null ? 0 : seconds));
    }
    return seconds != null && seconds > 0
        ? Optional.of(Duration.ofSeconds(seconds))
        : Optional.empty();
  }

  /** Returns the first cause of that type, one of {@link CauseType} or another. */
  public Optional<StatusCause> statusCause(String type) {
    return status.findDetails().stream()
        .flatMap(details -> details.causes().stream())
        .filter(cause -> type.equals(cause.reason()))
        .findFirst();
  }

  /** Returns whether there is a cause of that type, one of {@link CauseType} or another. */
  public boolean hasStatusCause(String type) {
    return statusCause(type).isPresent();
  }

  /* --------------- Predicates --------------- */

  private boolean is(String reason, int code) {
    return reason().equals(reason) || (code() == code && !KNOWN_REASONS.contains(reason()));
  }

  /** Returns whether the object, or the whole resource, does not exist. */
  public boolean isNotFound() {
    return is(StatusReason.NOT_FOUND, 404);
  }

  /** Returns whether an object of that name already exists. The code alone does not decide. */
  public boolean isAlreadyExists() {
    return reason().equals(StatusReason.ALREADY_EXISTS);
  }

  /**
   * Returns whether the object has changed since it was read, or another manager owns a field. Read
   * the object again, repeat the change, and send it.
   */
  public boolean isConflict() {
    return is(StatusReason.CONFLICT, 409);
  }

  /** Returns whether the object is not valid; the causes name the fields. */
  public boolean isInvalid() {
    return is(StatusReason.INVALID, 422);
  }

  /** Returns whether the requested data is gone; false for an expired version. */
  public boolean isGone() {
    return is(StatusReason.GONE, 410);
  }

  /**
   * Returns whether the requested version or page is too old, so the client must list again. The
   * code alone does not decide.
   */
  public boolean isResourceExpired() {
    return reason().equals(StatusReason.EXPIRED);
  }

  /** Returns whether the server has none of the encodings that the client accepts. */
  public boolean isNotAcceptable() {
    return is(StatusReason.NOT_ACCEPTABLE, 406);
  }

  /** Returns whether the server does not support the encoding of the body. */
  public boolean isUnsupportedMediaType() {
    return is(StatusReason.UNSUPPORTED_MEDIA_TYPE, 415);
  }

  /** Returns whether the resource does not support the operation. */
  public boolean isMethodNotSupported() {
    return is(StatusReason.METHOD_NOT_ALLOWED, 405);
  }

  /** Returns whether the service is not available now; it may be later. */
  public boolean isServiceUnavailable() {
    return is(StatusReason.SERVICE_UNAVAILABLE, 503);
  }

  /** Returns whether the request is malformed; sending it again does not help. */
  public boolean isBadRequest() {
    return is(StatusReason.BAD_REQUEST, 400);
  }

  /** Returns whether the credentials are missing or not good enough. */
  public boolean isUnauthorized() {
    return is(StatusReason.UNAUTHORIZED, 401);
  }

  /** Returns whether the server knows the user and refuses the request. */
  public boolean isForbidden() {
    return is(StatusReason.FORBIDDEN, 403);
  }

  /** Returns whether the request did not complete in time; it may still be in progress. */
  public boolean isTimeout() {
    return is(StatusReason.TIMEOUT, 504);
  }

  /**
   * Returns whether the requested version is newer than any that the server knows, for example
   * after a restore of etcd. Servers since 1.18.6 report it by a cause's type, older ones by a
   * cause's message, and those before 1.17 only by the message.
   */
  public boolean isTooLargeResourceVersion() {
    if (hasStatusCause(CauseType.RESOURCE_VERSION_TOO_LARGE)) {
      return true;
    }
    StatusDetails details = status.details();
    List<StatusCause> causes = details == null ? null : details.causes();
    String message = status.message();
    return isTimeout()
        && ((causes != null
                && causes.stream().anyMatch(cause -> TOO_LARGE_MESSAGE.equals(cause.message())))
            || (message != null && message.contains(TOO_LARGE_MESSAGE)));
  }

  /**
   * Returns whether the server could not act in time; the client may send the same request again.
   * Only the reason decides, not the code.
   */
  public boolean isServerTimeout() {
    return reason().equals(StatusReason.SERVER_TIMEOUT);
  }

  /** Returns whether the server failed; the outcome is unknown. */
  public boolean isInternalError() {
    return is(StatusReason.INTERNAL_ERROR, 500);
  }

  /** Returns whether the client, or all clients together, send too many requests. */
  public boolean isTooManyRequests() {
    return reason().equals(StatusReason.TOO_MANY_REQUESTS) || code() == 429;
  }

  /** Returns whether the body of the request is too large. */
  public boolean isRequestEntityTooLarge() {
    return reason().equals(StatusReason.REQUEST_ENTITY_TOO_LARGE) || code() == 413;
  }

  /** Returns whether the store behind the server could not be read or decoded. */
  public boolean isStoreReadError() {
    return reason().equals(StatusReason.STORE_READ_ERROR);
  }

  /** Returns whether the response is not from the API, but for example from a proxy. */
  public boolean isUnexpectedServerError() {
    return hasStatusCause(CauseType.UNEXPECTED_SERVER_RESPONSE);
  }

  /* --------------- The errors of a server --------------- */

  /** Returns the error for an object that does not exist. */
  public static ApiStatusException notFound(GroupResource resource, String name) {
    return failure(
        404,
        StatusReason.NOT_FOUND,
        resource + " " + GoText.quote(name) + " not found",
        details(resource, name).build());
  }

  /** Returns the error for an object that already exists. */
  public static ApiStatusException alreadyExists(GroupResource resource, String name) {
    return failure(
        409,
        StatusReason.ALREADY_EXISTS,
        resource + " " + GoText.quote(name) + " already exists",
        details(resource, name).build());
  }

  /** Returns the error for a generated name that already exists. */
  public static ApiStatusException generateNameConflict(
      GroupResource resource, String name, int retryAfterSeconds) {
    return failure(
        409,
        StatusReason.ALREADY_EXISTS,
        resource
            + " "
            + GoText.quote(name)
            + " already exists, the server was not able to generate a unique name for the object",
        details(resource, name).retryAfterSeconds(orNull(retryAfterSeconds)).build());
  }

  /** Returns the error for an object that has changed since it was read. */
  public static ApiStatusException conflict(GroupResource resource, String name, String why) {
    return failure(
        409,
        StatusReason.CONFLICT,
        "Operation cannot be fulfilled on " + resource + " " + GoText.quote(name) + ": " + why,
        details(resource, name).build());
  }

  /** Returns the error for an apply of fields that other managers own. */
  public static ApiStatusException applyConflict(List<StatusCause> causes, String message) {
    return failure(
        409, StatusReason.CONFLICT, message, StatusDetails.builder().causes(causes).build());
  }

  /**
   * Returns the error for an object that is not valid.
   *
   * @param causes the fields and their problems
   */
  public static ApiStatusException invalid(GroupKind kind, String name, List<StatusCause> causes) {
    List<String> problems = causes.stream().map(ApiStatusException::problem).distinct().toList();
    String listed =
        switch (problems.size()) {
          case 0 -> "";
          case 1 -> ": " + problems.get(0);
          default -> problems.stream().collect(Collectors.joining(", ", ": [", "]"));
        };
    return failure(
        422,
        StatusReason.INVALID,
        kind + " " + GoText.quote(name) + " is invalid" + listed,
        details(new GroupResource(kind.group(), kind.kind()), name).causes(causes).build());
  }

  private static String problem(StatusCause cause) {
    String message = String.valueOf(cause.message());
    return cause.field() == null ? message : cause.field() + ": " + message;
  }

  /** Returns the error for a malformed request. */
  public static ApiStatusException badRequest(String message) {
    return failure(400, StatusReason.BAD_REQUEST, message, null);
  }

  /** Returns the error for credentials that are missing or not good enough. */
  public static ApiStatusException unauthorized(String message) {
    return failure(
        401, StatusReason.UNAUTHORIZED, message.isEmpty() ? "not authorized" : message, null);
  }

  /**
   * Returns the error for a request that the user may not make.
   *
   * @param name the name of the object, empty if the request is not about one
   */
  public static ApiStatusException forbidden(GroupResource resource, String name, String why) {
    String subject =
        resource.isEmpty()
            ? ""
            : resource + (name.isEmpty() ? "" : " " + GoText.quote(name)) + " is ";
    return failure(
        403,
        StatusReason.FORBIDDEN,
        subject + "forbidden: " + why,
        details(resource, name).build());
  }

  /** Returns the error for something that is no longer there; see {@link #resourceExpired}. */
  public static ApiStatusException gone(String message) {
    return failure(410, StatusReason.GONE, message, null);
  }

  /** Returns the error for a version or page that is too old. */
  public static ApiStatusException resourceExpired(String message) {
    return failure(410, StatusReason.EXPIRED, message, null);
  }

  /** Returns the error for a client that sends too many requests. */
  public static ApiStatusException tooManyRequests(String message, int retryAfterSeconds) {
    return failure(
        429,
        StatusReason.TOO_MANY_REQUESTS,
        message,
        StatusDetails.builder().retryAfterSeconds(orNull(retryAfterSeconds)).build());
  }

  /** Returns the error for a service that is not available now. */
  public static ApiStatusException serviceUnavailable(String message) {
    return failure(503, StatusReason.SERVICE_UNAVAILABLE, message, null);
  }

  /** Returns the error for an operation that the resource does not support. */
  public static ApiStatusException methodNotSupported(GroupResource resource, String action) {
    return failure(
        405,
        StatusReason.METHOD_NOT_ALLOWED,
        action + " is not supported on resources of kind " + GoText.quote(resource.toString()),
        details(resource, "").build());
  }

  /** Returns the error for an operation that the server could not complete in time. */
  public static ApiStatusException serverTimeout(
      GroupResource resource, String operation, int retryAfterSeconds) {
    return failure(
        500,
        StatusReason.SERVER_TIMEOUT,
        "The "
            + operation
            + " operation against "
            + resource
            + " could not be completed at this time, please try again.",
        details(resource, operation).retryAfterSeconds(orNull(retryAfterSeconds)).build());
  }

  /** Returns the error for a failure of the server. */
  public static ApiStatusException internalError(String what) {
    return failure(
        500,
        StatusReason.INTERNAL_ERROR,
        "Internal error occurred: " + what,
        StatusDetails.builder().causes(List.of(new StatusCause(null, what, null))).build());
  }

  /** Returns the error for a request that may still be in progress. */
  public static ApiStatusException timeout(String what, int retryAfterSeconds) {
    return failure(
        504,
        StatusReason.TIMEOUT,
        "Timeout: " + what,
        StatusDetails.builder().retryAfterSeconds(orNull(retryAfterSeconds)).build());
  }

  /** Returns the error for a body that is too large. */
  public static ApiStatusException requestEntityTooLarge(String what) {
    return failure(
        413, StatusReason.REQUEST_ENTITY_TOO_LARGE, "Request entity too large: " + what, null);
  }

  /**
   * Returns the error for an HTTP response that carries no {@link Status}.
   *
   * @param code the HTTP status code
   * @param verb the HTTP method of the request
   * @param resource the requested resource, {@linkplain GroupResource#isEmpty empty} if unknown
   * @param name the name of the requested object, empty if there is none
   * @param serverMessage the body of the response
   * @param retryAfterSeconds the value of the header {@code Retry-After}, 0 if it is absent
   * @param isUnexpectedResponse whether the body has an unexpected type; it then becomes a cause
   */
  public static ApiStatusException genericServerResponse(
      int code,
      String verb,
      GroupResource resource,
      String name,
      String serverMessage,
      int retryAfterSeconds,
      boolean isUnexpectedResponse) {
    GenericServerResponse response = GenericServerResponse.of(code, verb, serverMessage);
    return failure(
        code,
        response.reason(),
        response.message(verb, resource, name),
        details(resource, name)
            .causes(GenericServerResponse.causes(serverMessage, isUnexpectedResponse))
            .retryAfterSeconds(orNull(retryAfterSeconds))
            .build());
  }

  private static ApiStatusException failure(
      int code, String reason, String message, @Nullable StatusDetails details) {
    return new ApiStatusException(
        Status.builder()
            .status("Failure")
            .message(message)
            .reason(orNull(reason))
            .details(details)
            .code(code)
            .build());
  }

  private static StatusDetails.Builder details(GroupResource resource, String name) {
    return StatusDetails.builder()
        .group(orNull(resource.group()))
        .kind(orNull(resource.resource()))
        .name(orNull(name));
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static @Nullable Integer orNull(int number) {
    return number == 0 ? null : number;
  }

  /* --------------- Serialization --------------- */

  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    out.writeObject(JsonWriter.toBytes(Status.CODEC, status));
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    status = Status.CODEC.read(JsonReader.of((byte[]) in.readObject()));
  }
}
