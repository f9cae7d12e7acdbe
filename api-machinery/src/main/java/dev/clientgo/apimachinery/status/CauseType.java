package dev.clientgo.apimachinery.status;

/**
 * The values of {@link StatusCause#reason} that a server uses: what is wrong in particular.
 *
 * <p>A server may use others, so these are constants and not an enum. Corresponds to client-go's
 * {@code metav1.CauseType}.
 */
public final class CauseType {

  /** A value that the field refers to does not exist. */
  public static final String FIELD_VALUE_NOT_FOUND = "FieldValueNotFound";

  /** A field that must be set is not. */
  public static final String FIELD_VALUE_REQUIRED = "FieldValueRequired";

  /** A value that must be unique is there twice. */
  public static final String FIELD_VALUE_DUPLICATE = "FieldValueDuplicate";

  /** A value is malformed. */
  public static final String FIELD_VALUE_INVALID = "FieldValueInvalid";

  /** A value is of the right type, but none of those that the field can have. */
  public static final String FIELD_VALUE_NOT_SUPPORTED = "FieldValueNotSupported";

  /** A value is not permitted under the present conditions. */
  public static final String FORBIDDEN = "FieldValueForbidden";

  /** A value is too long. */
  public static final String TOO_LONG = "FieldValueTooLong";

  /** A list has too many items. */
  public static final String TOO_MANY = "FieldValueTooMany";

  /** A failure that has nothing to do with what was sent. */
  public static final String INTERNAL = "InternalError";

  /** A value is not of the type that the schema says. */
  public static final String TYPE_INVALID = "FieldValueTypeInvalid";

  /**
   * The answer was not one of the API: it may come from a proxy in between. The message of the
   * cause is the body.
   */
  public static final String UNEXPECTED_SERVER_RESPONSE = "UnexpectedServerResponse";

  /** Another manager owns the field that was applied. */
  public static final String FIELD_MANAGER_CONFLICT = "FieldManagerConflict";

  /** The resourceVersion asked for is newer than what the server has seen. */
  public static final String RESOURCE_VERSION_TOO_LARGE = "ResourceVersionTooLarge";

  private CauseType() {}
}
