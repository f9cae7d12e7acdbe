package dev.clientgo.apimachinery.yaml;

/** How a string is written, chosen as libyaml's emitter chooses it. */
enum ScalarStyle {
  PLAIN,
  SINGLE_QUOTED,
  DOUBLE_QUOTED,
  LITERAL;

  private static final String FIRST_INDICATORS = "#,[]{}&*!|>'\"%@`";

  /** Returns the style of a string, which may be a key. */
  static ScalarStyle of(String text, boolean key) {
    boolean lines = text.indexOf('\n') >= 0;
    if (text.isEmpty() || hasSpecialCharacters(text) || text.contains(" \n")) {
      return DOUBLE_QUOTED;
    } else if (lines) {
      return key || text.endsWith(" ") ? DOUBLE_QUOTED : LITERAL;
    } else if (Scalars.needsQuotes(text) || (key && text.equals("<<"))) {
      return DOUBLE_QUOTED;
    }
    boolean plain = !text.startsWith(" ") && !text.endsWith(" ") && !hasIndicators(text);
    return plain ? PLAIN : SINGLE_QUOTED;
  }

  /** Returns whether a character cannot stand for itself between double quotes. */
  static boolean isEscaped(int character) {
    return character == '"' || character == '\\' || character == '\n' || isSpecial(character);
  }

  /** Returns whether libyaml takes a character for one that cannot be printed; emoji are such. */
  private static boolean isSpecial(int character) {
    return (character < ' ' && character != '\n')
        || (character > '~' && character < 0xA0)
        || character == 0x2028
        || character == 0x2029
        || (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE)
        || character == 0xFEFF
        || character >= 0xFFFE;
  }

  private static boolean hasSpecialCharacters(String text) {
    return text.codePoints().anyMatch(ScalarStyle::isSpecial);
  }

  /** Returns whether something in the text would mean structure if it were not quoted. */
  private static boolean hasIndicators(String text) {
    char first = text.charAt(0);
    if (text.startsWith("---") || text.startsWith("...") || FIRST_INDICATORS.indexOf(first) >= 0) {
      return true;
    }
    boolean alone = text.length() == 1 || text.charAt(1) == ' ';
    if ((first == '-' || first == '?' || first == ':') && alone) {
      return true;
    }
    return text.contains(": ") || text.endsWith(":") || text.contains(" #");
  }
}
