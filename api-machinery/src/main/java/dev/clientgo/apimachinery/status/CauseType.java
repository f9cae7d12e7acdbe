package dev.clientgo.apimachinery.status;

/**
 * The values of {@link StatusCause#reason} that servers use: the kinds of error in one field or
 * value.
 *
 * <p>A server may use others, so these are constants and not an enum. Corresponds to client-go's
 * {@code metav1.CauseType}.
 */
public final class CauseType {

  /** A value that the field refers to does not exist. */
  public static final String FIELD_VALUE_NOT_FOUND = "FieldValueNotFound";

  /** A field that must be set is not. */
  public static final String FIELD_VALUE_REQUIRED = "FieldValueRequired";

  /** A value that must be unique occurs twice. */
  public static final String FIELD_VALUE_DUPLICATE = "FieldValueDuplicate";

  /** A value is malformed. */
  public static final String FIELD_VALUE_INVALID = "FieldValueInvalid";

  /** A value has the right type but is not one of those that the field supports. */
  public static final String FIELD_VALUE_NOT_SUPPORTED = "FieldValueNotSupported";

  /** A value is not permitted under the present conditions. */
  public static final String FORBIDDEN = "FieldValueForbidden";

  /** A value is too long. */
  public static final String TOO_LONG = "FieldValueTooLong";

  /** A list has too many items. */
  public static final String TOO_MANY = "FieldValueTooMany";

  /** A failure that the sent object did not cause. */
  public static final String INTERNAL = "InternalError";

  /** A value does not have the type that the schema requires. */
  public static final String TYPE_INVALID = "FieldValueTypeInvalid";

  /**
   * The response did not come from the API; a proxy may have sent it. The message of the cause is
   * the body.
   */
  public static final String UNEXPECTED_SERVER_RESPONSE = "UnexpectedServerResponse";

  /** Another manager owns the applied field. */
  public static final String FIELD_MANAGER_CONFLICT = "FieldManagerConflict";

  /** The requested resourceVersion is newer than any that the server has seen. */
  public static final String RESOURCE_VERSION_TOO_LARGE = "ResourceVersionTooLarge";

  private CauseType() {}
}
