package dev.clientgo.apimachinery.yaml;

/**
 * Writes scalars in the styles of libyaml's emitter, of which Go's {@code yaml.v2} is a port, and
 * keeps account of the column.
 */
final class ScalarWriter {

  private static final int BEST_WIDTH = 80;

  private final StringBuilder out = new StringBuilder();
  private int column;

  /** Whether the last character is white space, or nothing has been written. */
  private boolean whitespace = true;

  /** Whether the line has nothing but indentation and indicators. */
  private boolean indention = true;

  /** Ends the document and returns its text. */
  String end() {
    indent(0);
    return out.toString();
  }

  /** Goes to a column, on a new line unless the line has nothing but indentation. */
  void indent(int indent) {
    if (!indention || column > indent || (column == indent && !whitespace)) {
      lineBreak();
    }
    while (column < indent) {
      put(' ');
    }
    whitespace = true;
    indention = true;
  }

  /** Writes one of {@code - ? :}. */
  void indicator(String text, boolean beginsLine) {
    if (beginsLine && !whitespace) {
      put(' ');
    }
    out.append(text);
    column += text.length();
    whitespace = false;
    indention &= beginsLine;
  }

  /** Writes text that stands as it is. */
  void plain(String text) {
    plain(text, 0, false);
  }

  /**
   * Writes a string in the style that it needs.
   *
   * @param indent the column of further lines
   * @param key whether it is a key, which must stand on one line
   */
  void string(String text, int indent, boolean key) {
    switch (ScalarStyle.of(text, key)) {
      case PLAIN -> plain(text, indent, !key);
      case SINGLE_QUOTED -> singleQuoted(text, indent, !key);
      case DOUBLE_QUOTED -> doubleQuoted(text, indent, !key);
      case LITERAL -> literal(text, indent);
    }
  }

  private void plain(String text, int indent, boolean fold) {
    separate();
    for (int i = 0; i < text.length(); i++) {
      if (fold && isFold(text, i) && text.charAt(i + 1) != ' ') {
        indent(indent);
      } else {
        put(text.charAt(i));
      }
      indention = false;
    }
    done();
  }

  private void singleQuoted(String text, int indent, boolean fold) {
    separate();
    put('\'');
    for (int i = 0; i < text.length(); i++) {
      if (fold && i > 0 && isFold(text, i) && text.charAt(i + 1) != ' ') {
        indent(indent);
      } else if (text.charAt(i) == '\'') {
        put('\'');
        put('\'');
      } else {
        put(text.charAt(i));
      }
      indention = false;
    }
    put('\'');
    done();
  }

  private void doubleQuoted(String text, int indent, boolean fold) {
    separate();
    put('"');
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int character = text.codePointAt(i);
      if (ScalarStyle.isEscaped(character)) {
        escape(character);
      } else if (fold && i > 0 && isFold(text, i)) {
        indent(indent);
        if (text.charAt(i + 1) == ' ') {
          put('\\');
        }
      } else {
        put((char) character);
      }
      indention = false;
    }
    put('"');
    done();
  }

  /** Returns whether the line may end at a space: it is long enough, and the space is the first. */
  private boolean isFold(String text, int at) {
    return text.charAt(at) == ' '
        && column > BEST_WIDTH
        && at < text.length() - 1
        && (at == 0 || text.charAt(at - 1) != ' ');
  }

  private void escape(int character) {
    String text = escaped(character);
    out.append(text);
    column += text.length();
  }

  /** Returns the form of a character between double quotes that cannot stand for itself. */
  static String escaped(int character) {
    return switch (character) {
      case 0 -> "\\0";
      case 7 -> "\\a";
      case '\b' -> "\\b";
      case '\t' -> "\\t";
      case '\n' -> "\\n";
      case 0x0B -> "\\v";
      case '\f' -> "\\f";
      case '\r' -> "\\r";
      case 0x1B -> "\\e";
      case '"' -> "\\\"";
      case '\\' -> "\\\\";
      case 0x85 -> "\\N";
      case 0xA0 -> "\\_";
      // Unlike libyaml: no \\L and \\P, which our own reader does not know.
      default ->
          String.format(
              character <= 0xFF ? "\\x%02X" : character <= 0xFFFF ? "\\u%04X" : "\\U%08X",
              character);
    };
  }

  private void literal(String text, int indent) {
    separate();
    put('|');
    if (text.charAt(0) == ' ' || text.charAt(0) == '\n') {
      put('2');
    }
    if (!text.endsWith("\n")) {
      put('-');
    } else if (text.length() == 1 || text.endsWith("\n\n")) {
      put('+');
    }
    lineBreak();
    indention = true;
    whitespace = true;
    boolean lineBegins = true;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\n') {
        lineBreak();
        indention = true;
        lineBegins = true;
      } else {
        if (lineBegins) {
          indent(indent);
        }
        put(text.charAt(i));
        indention = false;
        lineBegins = false;
      }
    }
  }

  private void separate() {
    if (!whitespace) {
      put(' ');
    }
  }

  private void done() {
    whitespace = false;
    indention = false;
  }

  private void put(char character) {
    out.append(character);
    column++;
  }

  private void lineBreak() {
    out.append('\n');
    column = 0;
  }
}
