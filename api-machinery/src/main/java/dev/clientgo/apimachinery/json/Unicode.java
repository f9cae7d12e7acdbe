package dev.clientgo.apimachinery.json;

/** Strings that cannot be written as UTF-8. */
final class Unicode {

  private static final char REPLACEMENT = '\uFFFD';

  private Unicode() {}

  /**
   * Returns the string with each surrogate that has no partner replaced by U+FFFD, as upstream
   * does. Such strings come from escapes that a server passed through.
   */
  static String repair(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return repair(text, i);
      }
    }
    return text;
  }

  private static String repair(String text, int start) {
    StringBuilder repaired = new StringBuilder(text);
    for (int i = start; i < repaired.length(); i++) {
      char c = repaired.charAt(i);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < repaired.length()
              && Character.isLowSurrogate(repaired.charAt(i + 1));
      if (pair) {
        i++;
      } else {
        repaired.setCharAt(i, REPLACEMENT);
      }
    }
    return repaired.toString();
  }
}
