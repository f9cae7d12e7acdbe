package dev.clientgo.apimachinery.status;

/**
 * The values of {@link Status#reason} that a server uses: the reason of a failure, for programs.
 *
 * <p>A server may use others, so these are constants and not an enum. Corresponds to client-go's
 * {@code metav1.StatusReason}.
 */
public final class StatusReason {

  /** No reason is given. */
  public static final String UNKNOWN = "";

  /** The credentials are missing or not good enough (401). */
  public static final String UNAUTHORIZED = "Unauthorized";

  /** The server knows the user and refuses the request (403). */
  public static final String FORBIDDEN = "Forbidden";

  /** The object, or the whole resource, does not exist (404). */
  public static final String NOT_FOUND = "NotFound";

  /** An object of that name already exists (409). */
  public static final String ALREADY_EXISTS = "AlreadyExists";

  /** The object has changed since it was read, or another manager owns a field (409). */
  public static final String CONFLICT = "Conflict";

  /** The requested data is gone; current servers send {@link #EXPIRED} instead (410). */
  public static final String GONE = "Gone";

  /** The requested version or page has expired (410). */
  public static final String EXPIRED = "Expired";

  /** The object is not valid; the causes name the fields (422). */
  public static final String INVALID = "Invalid";

  /** The server could not act in time; the client may send the same request again (500). */
  public static final String SERVER_TIMEOUT = "ServerTimeout";

  /** The server could not read its store, or could not decode the stored data (500). */
  public static final String STORE_READ_ERROR = "StorageReadError";

  /** The request did not complete in time and may still be in progress (504). */
  public static final String TIMEOUT = "Timeout";

  /** The client, or all clients together, send too many requests (429). */
  public static final String TOO_MANY_REQUESTS = "TooManyRequests";

  /** The request is malformed; sending it again will not help (400). */
  public static final String BAD_REQUEST = "BadRequest";

  /** The resource does not support the operation (405). */
  public static final String METHOD_NOT_ALLOWED = "MethodNotAllowed";

  /** The server has none of the encodings that the client accepts (406). */
  public static final String NOT_ACCEPTABLE = "NotAcceptable";

  /** The body of the request is too large (413). */
  public static final String REQUEST_ENTITY_TOO_LARGE = "RequestEntityTooLarge";

  /** The server does not support the encoding of the body (415). */
  public static final String UNSUPPORTED_MEDIA_TYPE = "UnsupportedMediaType";

  /** The server failed; the outcome is unknown (500). */
  public static final String INTERNAL_ERROR = "InternalError";

  /** The service is not available now; it may be later (503). */
  public static final String SERVICE_UNAVAILABLE = "ServiceUnavailable";

  private StatusReason() {}
}
