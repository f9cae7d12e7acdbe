package dev.clientgo.envtest.internal.errors;

import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusCause;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The causes of an invalid object: a field, and the reason why its value is refused.
 *
 * <p>Corresponds to apimachinery's {@code util/validation/field.Error}.
 */
public final class FieldErrors {

  private FieldErrors() {}

  public static StatusCause invalid(String field, String value, String problem) {
    return cause("FieldValueInvalid", field, "Invalid value: " + value + ": " + problem);
  }

  public static StatusCause forbidden(String field, String problem) {
    return cause("FieldValueForbidden", field, "Forbidden: " + problem);
  }

  public static StatusCause required(String field, String problem) {
    return cause(
        "FieldValueRequired",
        field,
        problem.isEmpty() ? "Required value" : "Required value: " + problem);
  }

  public static StatusCause notSupported(String field, String value, String... supported) {
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

  /** Throws an error for invalid options. */
  public static void throwIfAny(String kind, List<StatusCause> problems) {
    if (!problems.isEmpty()) {
      throw ApiStatusException.invalid(new GroupKind("meta.k8s.io", kind), "", problems);
    }
  }
}
