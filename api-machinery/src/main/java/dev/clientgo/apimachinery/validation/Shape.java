package dev.clientgo.apimachinery.validation;

import java.util.function.IntPredicate;

/**
 * The sets of characters that may be the first, the last and the other characters of a text. A text
 * must not be empty; the character of a text of one must be in the first two sets.
 *
 * <p>A regular expression that repeats a group needs stack for each repetition, so an attacker
 * could overflow the stack with a long name. These loops need none.
 */
record Shape(IntPredicate first, IntPredicate last, IntPredicate inner) {

  static final IntPredicate DIGIT = c -> c >= '0' && c <= '9';
  static final IntPredicate LOWER = c -> c >= 'a' && c <= 'z';
  static final IntPredicate LETTER = LOWER.or(c -> c >= 'A' && c <= 'Z');
  static final IntPredicate LOWER_OR_DIGIT = LOWER.or(DIGIT);
  static final IntPredicate LETTER_OR_DIGIT = LETTER.or(DIGIT);

  /** A part of a host name. */
  static final Shape DNS1123_LABEL =
      new Shape(LOWER_OR_DIGIT, LOWER_OR_DIGIT, LOWER_OR_DIGIT.or(oneOf("-")));

  /** A part of a host name that does not begin with a digit. */
  static final Shape DNS1035_LABEL =
      new Shape(LOWER, LOWER_OR_DIGIT, LOWER_OR_DIGIT.or(oneOf("-")));

  /** The part of a label key behind the slash, and a label value that is not empty. */
  static final Shape LABEL =
      new Shape(LETTER_OR_DIGIT, LETTER_OR_DIGIT, LETTER_OR_DIGIT.or(oneOf("-_.")));

  private static final Shape DNS1123_LABEL_WITH_UNDERSCORE =
      new Shape(LOWER_OR_DIGIT, LOWER_OR_DIGIT, LOWER_OR_DIGIT.or(oneOf("-_")));

  static IntPredicate oneOf(String characters) {
    return c -> characters.indexOf(c) >= 0;
  }

  /** Returns the shape of a text in which every character is of one set. */
  static Shape all(IntPredicate set) {
    return new Shape(set, set, set);
  }

  boolean matches(String text) {
    int end = text.length() - 1;
    if (end < 0 || !first.test(text.charAt(0)) || !last.test(text.charAt(end))) {
      return false;
    }
    for (int i = 1; i < end; i++) {
      if (!inner.test(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  static boolean isSubdomain(String text) {
    return eachPart(text, DNS1123_LABEL, false);
  }

  static boolean isSubdomainWithUnderscore(String text) {
    return eachPart(text, DNS1123_LABEL_WITH_UNDERSCORE, true);
  }

  private static boolean eachPart(String text, Shape shape, boolean leadingUnderscore) {
    for (String part : text.split("\\.", -1)) {
      String rest = leadingUnderscore && part.startsWith("_") ? part.substring(1) : part;
      if (!shape.matches(rest)) {
        return false;
      }
    }
    return true;
  }
}
