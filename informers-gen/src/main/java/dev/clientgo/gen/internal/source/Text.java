package dev.clientgo.gen.internal.source;

import dev.clientgo.gen.internal.document.JsonText;
import java.util.ArrayList;
import java.util.List;

/**
 * Escapes text of a schema. Descriptions, names and values end up in comments and literals, where
 * they must neither end the comment or literal nor become code.
 *
 * <p>All output is ASCII, so that it compiles alike under every default encoding.
 */
public final class Text {

  private Text() {}

  /** Returns a Java string literal. */
  public static String java(String value) {
    StringBuilder out = new StringBuilder(value.length() + 2).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\t' -> out.append("\\t");
        case '\r' -> out.append("\\r");
        default -> {
          if (c < 0x20 || c == 0x7f) {
            // Octal: a Unicode escape of a line end would end the line before the literal is read.
            out.append(String.format("\\%03o", (int) c));
          } else if (c > 0x7e) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    return out.append('"').toString();
  }

  /** Returns text for a Javadoc comment on one line: no tags, no markup, no end of the comment. */
  public static String javadoc(String value) {
    StringBuilder out = new StringBuilder(value.length() + 16);
    value
        .codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '@' -> out.append("&#64;");
                case '\\' -> out.append("&#92;");
                case '{' -> out.append("&#123;");
                case '}' -> out.append("&#125;");
                case '\n', '\r', '\t' -> out.append(' ');
                default -> {
                  if (c > 0x7e) {
                    if (Character.isValidCodePoint(c) && !invisible(c)) {
                      out.append("&#").append(c).append(';');
                    }
                  } else if (c >= 0x20) {
                    out.append((char) c);
                  }
                }
              }
            });
    return out.toString().replace("*/", "*&#47;").replace("/*", "&#47;*");
  }

  /** Returns text for a Javadoc comment, set as code. */
  public static String code(String value) {
    String shown = value.isBlank() ? JsonText.quote(value) : value;
    return shown.matches("[-A-Za-z0-9_.:/+ ]*\\S")
        ? "{@code " + shown + "}"
        : "<code>" + javadoc(shown) + "</code>";
  }

  private static boolean invisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          true;
      default -> false;
    };
  }

  /** Returns the paragraphs of a description, each as one line of Javadoc. */
  public static List<String> paragraphs(String description) {
    List<String> paragraphs = new ArrayList<>();
    for (String paragraph : description.split("\\n\\s*\\n", -1)) {
      String line = javadoc(paragraph).strip().replaceAll("\\s+", " ");
      if (!line.isEmpty()) {
        paragraphs.add(line);
      }
    }
    return paragraphs;
  }

  /** Returns a Javadoc comment of paragraphs, then tags, each as one line. */
  public static String comment(List<String> paragraphs, List<String> tags) {
    if (tags.isEmpty() && paragraphs.size() == 1) {
      return "/** " + paragraphs.get(0) + " */";
    }
    StringBuilder comment = new StringBuilder("/**\n * ");
    comment.append(String.join("\n *\n * <p>", paragraphs));
    comment.append(tags.isEmpty() ? "" : "\n *");
    tags.forEach(tag -> comment.append("\n * ").append(tag));
    return comment.append("\n */").toString();
  }

  public static boolean endsSentence(CharSequence text) {
    return ".!?:".indexOf(text.charAt(text.length() - 1)) >= 0;
  }
}
