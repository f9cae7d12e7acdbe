package dev.clientgo.envtest.internal.schema;

import dev.clientgo.apimachinery.status.CauseType;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The constraints of a schema on values of the right type, with the error texts of kube-apiserver.
 */
final class SchemaBounds {

  private final Map<String, Object> raw;
  private final @Nullable Pattern pattern;

  SchemaBounds(Map<String, Object> raw) {
    this.raw = raw;
    this.pattern = pattern(JsonTree.string(raw, "pattern"));
  }

  private static @Nullable Pattern pattern(String text) {
    try {
      return text.isEmpty() ? null : Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      return null; // The pattern uses another syntax, so it is not checked.
    }
  }

  /** Adds the errors of a value of the right type. */
  void check(String path, @Nullable Object value, List<StatusCause> problems) {
    if (value instanceof Number number) {
      checkNumber(path, new BigDecimal(number.toString()), problems);
    } else if (value instanceof String text) {
      checkText(path, text, problems);
    } else if (value instanceof List<?> list) {
      checkSize(path, "Items", "items", list.size(), problems);
    } else if (value instanceof Map<?, ?> map) {
      checkSize(path, "Properties", "properties", map.size(), problems);
    }
    checkEnumeration(path, value, problems);
  }

  private void checkNumber(String path, BigDecimal value, List<StatusCause> problems) {
    BigDecimal minimum = bound("minimum");
    BigDecimal maximum = bound("maximum");
    BigDecimal step = bound("multipleOf");
    String shown = value.toPlainString();
    if (minimum != null && isBeyond(minimum.compareTo(value), "exclusiveMinimum")) {
      String relation = isSet("exclusiveMinimum") ? "greater than " : "greater than or equal to ";
      add(problems, path, shown, "should be " + relation + minimum.toPlainString());
    }
    if (maximum != null && isBeyond(value.compareTo(maximum), "exclusiveMaximum")) {
      String relation = isSet("exclusiveMaximum") ? "less than " : "less than or equal to ";
      add(problems, path, shown, "should be " + relation + maximum.toPlainString());
    }
    if (step != null && value.remainder(step).signum() != 0) {
      add(problems, path, shown, "should be a multiple of " + step.toPlainString());
    }
  }

  private boolean isBeyond(int comparison, String exclusive) {
    return comparison > 0 || (comparison == 0 && isSet(exclusive));
  }

  private boolean isSet(String flag) {
    return Boolean.TRUE.equals(raw.get(flag));
  }

  private void checkText(String path, String text, List<StatusCause> problems) {
    BigDecimal least = bound("minLength");
    BigDecimal most = bound("maxLength");
    int length = text.codePointCount(0, text.length());
    String shown = '"' + text + '"';
    if (least != null && length < least.intValue()) {
      add(problems, path, shown, "should be at least " + least + " chars long");
    }
    if (most != null && length > most.intValue()) {
      String message = "Too long: may not be more than " + most + " bytes";
      problems.add(FieldErrors.cause(CauseType.TOO_LONG, path, message));
    }
    if (pattern != null && !pattern.matcher(text).find()) {
      add(problems, path, shown, "should match '" + pattern + "'");
    }
  }

  private void checkSize(
      String path, String name, String unit, int size, List<StatusCause> problems) {
    BigDecimal least = bound("min" + name);
    BigDecimal most = bound("max" + name);
    if (least != null && size < least.intValue()) {
      String shown = Integer.toString(size);
      add(problems, path, shown, "should have at least " + least + " " + unit);
    }
    if (most != null && size > most.intValue()) {
      String message = "Too many: " + size + ": must have at most " + most + " items";
      problems.add(FieldErrors.cause(CauseType.TOO_MANY, path, message));
    }
  }

  private void checkEnumeration(String path, @Nullable Object value, List<StatusCause> problems) {
    if (!(raw.get("enum") instanceof List<?> allowed)
        || allowed.stream().anyMatch(one -> Objects.equals(one, value))) {
      return;
    }
    String all = allowed.stream().map(SchemaBounds::show).collect(Collectors.joining(", "));
    problems.add(
        FieldErrors.cause(
            CauseType.FIELD_VALUE_NOT_SUPPORTED,
            path,
            "Unsupported value: " + show(value) + ": supported values: " + all));
  }

  private static String show(@Nullable Object value) {
    return value instanceof String text ? '"' + text + '"' : String.valueOf(value);
  }

  private @Nullable BigDecimal bound(String name) {
    return raw.get(name) instanceof Number number ? new BigDecimal(number.toString()) : null;
  }

  private static void add(List<StatusCause> problems, String path, String value, String demand) {
    problems.add(FieldErrors.invalid(path, value, path + " in body " + demand));
  }
}
