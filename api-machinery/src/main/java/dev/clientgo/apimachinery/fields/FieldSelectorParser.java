package dev.clientgo.apimachinery.fields;

import dev.clientgo.apimachinery.fields.FieldRequirement.Operator;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses the text of a field selector: terms {@code field=value}, {@code field==value} and {@code
 * field!=value}, separated by commas. In a value, a backslash, a comma and an equals sign stand
 * behind a backslash; in the name of a field they cannot stand.
 */
final class FieldSelectorParser {

  private static final int SHOWN = 200;

  private FieldSelectorParser() {}

  /**
   * Returns the requirements, in the order of the texts of the terms.
   *
   * @throws IllegalArgumentException if the text is not a selector
   */
  static List<FieldRequirement> parse(String text) {
    return terms(text).stream()
        .filter(term -> !term.isEmpty())
        .sorted()
        .map(term -> requirement(term, text))
        // As upstream: a term that names nothing asks for nothing.
        .filter(each -> !(each.field().isEmpty() && each.value().isEmpty()))
        .toList();
  }

  /** Splits at the commas that do not stand behind a backslash. */
  static List<String> terms(String text) {
    List<String> terms = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == ',') {
        terms.add(text.substring(start, i));
        start = i + 1;
      }
    }
    terms.add(text.substring(start));
    return terms;
  }

  private static FieldRequirement requirement(String term, String text) {
    int equals = term.indexOf('=');
    if (equals < 0) {
      throw error(text, "expected field=value or field!=value, found \"" + cut(term) + "\"");
    }
    boolean negated = equals > 0 && term.charAt(equals - 1) == '!';
    boolean doubled = !negated && term.startsWith("==", equals);
    String field = term.substring(0, negated ? equals - 1 : equals);
    String value = term.substring(doubled ? equals + 2 : equals + 1);
    return new FieldRequirement(
        field, negated ? Operator.NOT_EQUALS : Operator.EQUALS, unescape(value, text));
  }

  private static String unescape(String value, String text) {
    StringBuilder plain = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '=' || c == ',') {
        throw error(
            text, "'" + c + "' in the value \"" + cut(value) + "\" must stand behind a backslash");
      }
      if (c == '\\') {
        i++;
        if (i == value.length() || "\\,=".indexOf(value.charAt(i)) < 0) {
          throw error(
              text,
              "a backslash in the value \""
                  + cut(value)
                  + "\" must stand before a backslash, a comma or an equals sign");
        }
        c = value.charAt(i);
      }
      plain.append(c);
    }
    return plain.toString();
  }

  private static IllegalArgumentException error(String text, String problem) {
    return new IllegalArgumentException("field selector \"" + cut(text) + "\": " + problem);
  }

  private static String cut(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }
}
