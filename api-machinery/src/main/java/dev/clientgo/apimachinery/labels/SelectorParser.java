package dev.clientgo.apimachinery.labels;

import dev.clientgo.apimachinery.labels.Requirement.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Parses the text of a label selector:
 *
 * <pre>
 * selector    ::= [ requirement { "," requirement } ]
 * requirement ::= KEY | "!" KEY | KEY ("in" | "notin") set | KEY comparison [ VALUE ]
 * comparison  ::= "=" | "==" | "!=" | "&lt;" | "&gt;"
 * set         ::= "(" [ VALUE ] { "," [ VALUE ] } ")"
 * </pre>
 *
 * <p>A word is what stands between white space and the characters {@code = ! ( ) , > <}. Where an
 * operator is expected, {@code in} and {@code notin} are operators; elsewhere they are words like
 * any other. An omitted value is the empty string.
 */
final class SelectorParser {

  private static final String SYMBOLS = "=!(),><";
  private static final String SPACE = " \t\r\n";
  private static final Set<String> TWO_CHARACTERS = Set.of("==", "!=");
  private static final String END = "";
  private static final int SHOWN = 200;

  private final String text;

  /** The token that comes next, {@link #END} behind the last. */
  private String token = END;

  /** Where the token begins. */
  private int start;

  /** Where the token ends. */
  private int end;

  private SelectorParser(String text) {
    this.text = text;
    advance();
  }

  /**
   * Returns the requirements in the order of the text.
   *
   * @throws IllegalArgumentException if the text is not a selector
   */
  static List<Requirement> parse(String text) {
    return new SelectorParser(text).selector();
  }

  private List<Requirement> selector() {
    List<Requirement> requirements = new ArrayList<>();
    if (token.equals(END)) {
      return requirements;
    }
    requirements.add(requirement());
    while (accept(",")) {
      requirements.add(requirement());
    }
    if (!token.equals(END)) {
      throw expected("',' or the end");
    }
    return requirements;
  }

  private Requirement requirement() {
    boolean negated = accept("!");
    int keyStart = start;
    String key = word("a label key");
    List<String> values = List.of();
    Operator operator;
    if (negated) {
      operator = Operator.DOES_NOT_EXIST;
    } else if (token.equals(END) || token.equals(",")) {
      operator = Operator.EXISTS;
    } else {
      operator = operator();
      values = operator == Operator.IN || operator == Operator.NOT_IN ? set() : List.of(value());
    }
    try {
      return Requirement.of(key, operator, values);
    } catch (IllegalArgumentException e) {
      throw error(String.valueOf(e.getMessage()), keyStart);
    }
  }

  private Operator operator() {
    Operator operator =
        switch (token) {
          case "in" -> Operator.IN;
          case "notin" -> Operator.NOT_IN;
          case "=" -> Operator.EQUALS;
          case "==" -> Operator.DOUBLE_EQUALS;
          case "!=" -> Operator.NOT_EQUALS;
          case ">" -> Operator.GREATER_THAN;
          case "<" -> Operator.LESS_THAN;
          default -> throw expected("an operator (=, ==, !=, in, notin, > or <), ',' or the end");
        };
    advance();
    return operator;
  }

  private String value() {
    return token.equals(END) || token.equals(",") ? "" : word("a label value");
  }

  private List<String> set() {
    expect("(");
    List<String> values = new ArrayList<>();
    do {
      values.add(isWord() ? word("a label value") : "");
    } while (accept(","));
    expect(")");
    return values;
  }

  /* --------------- Tokens --------------- */

  private boolean isWord() {
    return !token.equals(END) && SYMBOLS.indexOf(token.charAt(0)) < 0;
  }

  private String word(String what) {
    if (!isWord()) {
      throw expected(what);
    }
    String word = token;
    advance();
    return word;
  }

  private boolean accept(String symbol) {
    if (!token.equals(symbol)) {
      return false;
    }
    advance();
    return true;
  }

  private void expect(String symbol) {
    if (!accept(symbol)) {
      throw expected("'" + symbol + "'");
    }
  }

  private void advance() {
    start = end;
    while (start < text.length() && SPACE.indexOf(text.charAt(start)) >= 0) {
      start++;
    }
    end = start;
    if (start < text.length()) {
      end++;
      if (SYMBOLS.indexOf(text.charAt(start)) < 0) {
        while (end < text.length() && isPartOfWord(text.charAt(end))) {
          end++;
        }
      } else if (end < text.length() && TWO_CHARACTERS.contains(text.substring(start, end + 1))) {
        end++;
      }
    }
    token = text.substring(start, end);
  }

  // Unlike client-go, where a NUL character ends the text and hides the rest.
  private static boolean isPartOfWord(char c) {
    return SYMBOLS.indexOf(c) < 0 && SPACE.indexOf(c) < 0;
  }

  private IllegalArgumentException expected(String what) {
    String found = token.equals(END) ? "the end" : "'" + cut(token) + "'";
    return error("expected " + what + ", found " + found, start);
  }

  private IllegalArgumentException error(String problem, int position) {
    return new IllegalArgumentException(
        "label selector \"" + cut(text) + "\", character " + (position + 1) + ": " + problem);
  }

  private static String cut(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }
}
