package dev.clientgo.apimachinery.status;

import java.util.Locale;

/** Text in the format of Go's {@code fmt} package, so messages equal upstream's. */
final class GoText {

  private GoText() {}

  /** Formats a string like the verb {@code %q}. */
  static String quote(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    text.codePoints().forEach(c -> appendQuoted(quoted, c));
    return quoted.append('"').toString();
  }

  private static void appendQuoted(StringBuilder out, int c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case 0x07 -> out.append("\\a");
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      case 0x0B -> out.append("\\v");
      default -> {
        if (isPrintable(c)) {
          out.appendCodePoint(c);
        } else if (c < 0x80) {
          out.append(String.format(Locale.ROOT, "\\x%02x", c));
        } else if (c < 0x10000) {
          out.append(String.format(Locale.ROOT, "\\u%04x", c));
        } else {
          out.append(String.format(Locale.ROOT, "\\U%08x", c));
        }
      }
    }
  }

  private static boolean isPrintable(int c) {
    return c == ' '
        || switch (Character.getType(c)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.SURROGATE,
              Character.PRIVATE_USE,
              Character.UNASSIGNED,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR,
              Character.SPACE_SEPARATOR ->
              false;
          default -> true;
        };
  }
}
