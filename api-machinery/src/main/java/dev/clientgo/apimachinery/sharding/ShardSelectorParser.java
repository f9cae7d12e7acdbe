package dev.clientgo.apimachinery.sharding;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses the text of a shard selector: calls of {@code shardRange(field, 'start', 'end')} joined by
 * {@code ||}, with parentheses and spaces where CEL has them. For one text only.
 *
 * <p>Corresponds to apiserver's {@code sharding.Parse}, which parses all of CEL and then accepts
 * only this part.
 */
final class ShardSelectorParser {

  private static final String FUNCTION = "shardRange";
  private static final String OR = "||";
  private static final int SHOWN = 200;

  private final String text;
  private final List<ShardRange> ranges = new ArrayList<>();
  private @Nullable ShardField field;
  private int position;

  ShardSelectorParser(String text) {
    this.text = text;
  }

  /**
   * Returns the selector.
   *
   * @throws IllegalArgumentException if the text is not a shard selector
   */
  ShardSelector parse() {
    try {
      skipSpace();
      if (position == text.length()) {
        throw new IllegalArgumentException(
            "empty shard selector is not allowed; omit the parameter for unfiltered lists");
      }
      either();
      if (position < text.length()) {
        throw expected("|| or the end");
      }
      ShardField known = field;
      if (known == null) {
        throw expected(FUNCTION + "(");
      }
      return new ShardSelector(known, ranges);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("shard selector \"" + cut() + "\": " + e.getMessage(), e);
    }
  }

  /** Reads what {@code ||} joins. */
  private void either() {
    part();
    while (text.startsWith(OR, position)) {
      position += OR.length();
      skipSpace();
      part();
    }
  }

  private void part() {
    if (position < text.length() && text.charAt(position) == '(') {
      take('(');
      either();
      take(')');
    } else {
      call();
    }
  }

  private void call() {
    int start = position;
    String function = name();
    if (!function.equals(FUNCTION)) {
      position = start;
      throw expected(FUNCTION + "(");
    }
    take('(');
    ShardField selected = ShardField.ofPath(name());
    if (field != null && field != selected) {
      throw new IllegalArgumentException(
          "all shard ranges must use the same field, but have " + field + " and " + selected);
    }
    field = selected;
    take(',');
    String from = literal();
    take(',');
    String to = literal();
    take(')');
    ranges.add(ShardRange.parse(from, to));
  }

  /** Reads a name, or several joined by points. */
  private String name() {
    int start = position;
    while (position < text.length() && isNamePart(text.charAt(position))) {
      position++;
    }
    String name = text.substring(start, position);
    skipSpace();
    return name;
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '.' || c == '_';
  }

  private String literal() {
    char quote = position < text.length() ? text.charAt(position) : ' ';
    if (quote != '\'' && quote != '"') {
      throw expected("a bound in quotes, such as '0x8000000000000000'");
    }
    int end = text.indexOf(quote, position + 1);
    if (end < 0) {
      throw expected("a bound with a closing quote");
    }
    String value = text.substring(position + 1, end);
    position = end + 1;
    skipSpace();
    return value;
  }

  private void take(char c) {
    if (position == text.length() || text.charAt(position) != c) {
      throw expected("'" + c + "'");
    }
    position++;
    skipSpace();
  }

  private void skipSpace() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
  }

  private IllegalArgumentException expected(String what) {
    String found = position == text.length() ? "the end" : "'" + text.charAt(position) + "'";
    return new IllegalArgumentException(
        "expected %s at position %d, found %s".formatted(what, position, found));
  }

  private String cut() {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }
}
