package dev.clientgo.apimachinery.status;

/**
 * The values of {@link Status#reason} that a server uses: why a request failed, for programs.
 *
 * <p>A server may use others, so these are constants and not an enum. Corresponds to client-go's
 * {@code metav1.StatusReason}.
 */
public final class StatusReason {

  /** No reason is given. */
  public static final String UNKNOWN = "";

  /** The credentials are missing or not good enough (401). */
  public static final String UNAUTHORIZED = "Unauthorized";

  /** The server knows who asks, and refuses (403). */
  public static final String FORBIDDEN = "Forbidden";

  /** The object, or the whole resource, does not exist (404). */
  public static final String NOT_FOUND = "NotFound";

  /** There is an object of that name already (409). */
  public static final String ALREADY_EXISTS = "AlreadyExists";

  /** The object has changed since it was read, or another manager owns a field (409). */
  public static final String CONFLICT = "Conflict";

  /** What was asked for is no longer there; today's servers say {@link #EXPIRED} (410). */
  public static final String GONE = "Gone";

  /** The version or the page asked for is too old to be served (410). */
  public static final String EXPIRED = "Expired";

  /** The object is not valid; the causes name the fields (422). */
  public static final String INVALID = "Invalid";

  /** The server could not act in time; the request may be sent again as it is (500). */
  public static final String SERVER_TIMEOUT = "ServerTimeout";

  /** The store behind the server could not be read, or what it holds could not be decoded (500). */
  public static final String STORE_READ_ERROR = "StorageReadError";

  /** The request was not completed in time, and may still be going on (504). */
  public static final String TIMEOUT = "Timeout";

  /** The client, or all clients together, ask too much (429). */
  public static final String TOO_MANY_REQUESTS = "TooManyRequests";

  /** The request makes no sense and never will (400). */
  public static final String BAD_REQUEST = "BadRequest";

  /** The resource does not support the operation (405). */
  public static final String METHOD_NOT_ALLOWED = "MethodNotAllowed";

  /** The server has none of the encodings that the client accepts (406). */
  public static final String NOT_ACCEPTABLE = "NotAcceptable";

  /** The body of the request is too large (413). */
  public static final String REQUEST_ENTITY_TOO_LARGE = "RequestEntityTooLarge";

  /** The server does not take the encoding of the body (415). */
  public static final String UNSUPPORTED_MEDIA_TYPE = "UnsupportedMediaType";

  /** The server failed, and the outcome is not known (500). */
  public static final String INTERNAL_ERROR = "InternalError";

  /** The service is not available now; it may be later (503). */
  public static final String SERVICE_UNAVAILABLE = "ServiceUnavailable";

  private StatusReason() {}
}
