package dev.clientgo.apimachinery.yaml;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.clientgo.apimachinery.json.JsonReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;

/**
 * Resolves what a plain scalar means, as Go's {@code yaml.v2} does, which Kubernetes uses: a mix of
 * YAML 1.1 and 1.2.
 */
final class Scalars {

  private static final String TAG = "tag:yaml.org,2002:";
  private static final Set<String> TRUE =
      Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
  private static final Set<String> FALSE =
      Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
  private static final Set<String> NULL = Set.of("", "~", "null", "Null", "NULL");
  private static final Pattern WITHOUT_JSON =
      Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
  private static final Pattern INTEGER =
      Pattern.compile("[-+]?(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)");
  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  private static final Pattern SEPARATED_FRACTION =
      Pattern.compile("\\.[0-9](?:_?[0-9])*+(?:[eE][-+]?[0-9](?:_?[0-9])*+)?");
  private static final Pattern TIMESTAMP =
      Pattern.compile(
          "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
              + "(([Tt]|[ \\t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\\.[0-9]*)?"
              + "([ \\t]*(Z|[-+][0-9]{1,2}(:?[0-9]{2})?))?)?");
  private static final Pattern BASE_60 =
      Pattern.compile("[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])++(?:\\.[0-9_]*)?");

  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

  /** A longer number becomes the nearest double, as all do in Go. */
  private static final int MAX_EXACT_LENGTH = 300;

  private Scalars() {}

  /**
   * Returns the value of a scalar.
   *
   * @throws IllegalArgumentException if its text is not of its tag, or JSON has no such value
   */
  static @Nullable Object value(ScalarEvent event) {
    String text = event.getValue();
    Optional<String> tag = event.getTag().filter(it -> it.startsWith(TAG));
    if (tag.isEmpty()) {
      boolean plain = event.getTag().isEmpty() && event.isPlain();
      return plain ? plain(text) : text;
    }
    String type = tag.get().substring(TAG.length());
    boolean matches;
    Object value;
    switch (type) {
      case "null", "bool", "int", "float" -> {
        value = plain(text);
        matches =
            switch (type) {
              case "null" -> value == null;
              case "bool" -> value instanceof Boolean;
              case "int" -> value instanceof Number && isInteger(digits(text));
              default -> value instanceof Number;
            };
      }
      default -> {
        return text;
      }
    }
    if (!matches) {
      throw new IllegalArgumentException("the value is no !!" + type + ": change it or the tag");
    }
    return value;
  }

  /** Returns whether a key is {@code <<}, which merges maps. */
  static boolean isMerge(Event event) {
    return event instanceof ScalarEvent scalar
        && scalar.isPlain()
        && scalar.getValue().equals("<<")
        && scalar.getTag().isEmpty();
  }

  /** Returns whether a string would be read as something else if it were not quoted. */
  static boolean needsQuotes(String text) {
    return TRUE.contains(text)
        || FALSE.contains(text)
        || NULL.contains(text)
        || WITHOUT_JSON.matcher(text).matches()
        || isNumber(digits(text))
        || TIMESTAMP.matcher(text).matches()
        || BASE_60.matcher(text).matches();
  }

  private static @Nullable Object plain(String text) {
    if (NULL.contains(text)) {
      return null;
    } else if (TRUE.contains(text)) {
      return true;
    } else if (FALSE.contains(text)) {
      return false;
    } else if (WITHOUT_JSON.matcher(text).matches()) {
      throw new IllegalArgumentException("JSON has no infinity or NaN: quote it if it is a string");
    }
    String digits = digits(text);
    return isNumber(digits) ? number(digits) : text;
  }

  /** Go's reader removes underscores from what begins like a number. */
  private static String digits(String text) {
    if (text.isEmpty() || "+-.0123456789".indexOf(text.charAt(0)) < 0) {
      return text;
    }
    boolean separates = text.charAt(0) != '.' || SEPARATED_FRACTION.matcher(text).matches();
    return separates ? text.replace("_", "") : text;
  }

  private static boolean isNumber(String digits) {
    // Out of a double's range, Go takes it for a string; integers of such a size, too.
    return isInteger(digits)
        || (FLOAT.matcher(digits).matches() && Double.isFinite(Double.parseDouble(digits)));
  }

  private static boolean isInteger(String digits) {
    if (digits.length() > MAX_EXACT_LENGTH || !INTEGER.matcher(digits).matches()) {
      return false;
    }
    BigInteger value = integer(digits);
    return value.compareTo(MIN) >= 0 && value.compareTo(MAX) <= 0;
  }

  private static Number number(String digits) {
    if (isInteger(digits)) {
      BigInteger value = integer(digits);
      return value.bitLength() < Long.SIZE ? (Number) value.longValue() : new BigDecimal(value);
    }
    double nearest = Double.parseDouble(digits);
    if (nearest == 0 || digits.length() > MAX_EXACT_LENGTH) {
      return nearest;
    }
    return JsonReader.of(new BigDecimal(digits).toString().getBytes(US_ASCII)).nextNumber();
  }

  private static BigInteger integer(String digits) {
    boolean signed = digits.charAt(0) == '-' || digits.charAt(0) == '+';
    String sign = digits.startsWith("-") ? "-" : "";
    String body = signed ? digits.substring(1) : digits;
    if (body.length() > 1 && body.charAt(0) == '0') {
      return switch (body.charAt(1)) {
        case 'x', 'X' -> new BigInteger(sign + body.substring(2), 16);
        case 'o', 'O' -> new BigInteger(sign + body.substring(2), 8);
        case 'b', 'B' -> new BigInteger(sign + body.substring(2), 2);
        default -> new BigInteger(sign + body, 8);
      };
    }
    return new BigInteger(sign + body);
  }
}
