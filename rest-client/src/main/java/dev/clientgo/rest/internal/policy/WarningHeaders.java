package dev.clientgo.rest.internal.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code Warning} headers by RFC 7234: a code, an agent, a quoted text and optionally a
 * quoted date; several are separated by commas.
 */
public final class WarningHeaders {

  /** The text is matched possessively, because a long text would otherwise overflow the stack. */
  private static final Pattern WARNING =
      Pattern.compile(
          "\\G\\s*([0-9]{3}) ([^\\s\"]+) \"((?:[^\"\\\\]|\\\\.)*+)\"(?: \"[^\"]*\")?\\s*(,|$)");

  private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");
  private static final Pattern ENCODED_WORD =
      Pattern.compile("=\\?(?i:utf-8)\\?([bBqQ])\\?([^?]*)\\?=");

  private WarningHeaders() {}

  /** One warning. */
  public record Warning(int code, String agent, String text) {}

  /** Returns the warnings of headers; in each, those before a syntax error. */
  public static List<Warning> parse(List<String> headers) {
    List<Warning> warnings = new ArrayList<>();
    for (String header : headers) {
      Matcher matcher = WARNING.matcher(header);
      while (matcher.find() && isReadable(matcher.group(2)) && isReadable(text(matcher))) {
        int code = Integer.parseInt(matcher.group(1));
        warnings.add(new Warning(code, matcher.group(2), text(matcher)));
      }
    }
    return warnings;
  }

  private static String text(Matcher warning) {
    String unescaped = ESCAPE.matcher(warning.group(3)).replaceAll("$1");
    return ENCODED_WORD
        .matcher(unescaped)
        .replaceAll(
            word -> Matcher.quoteReplacement(decode(word.group(), word.group(1), word.group(2))));
  }

  /** Decodes words beyond ASCII, which are encoded as in mail (RFC 2047). */
  private static String decode(String word, String encoding, String text) {
    try {
      return encoding.equalsIgnoreCase("b")
          ? new String(Base64.getDecoder().decode(text), UTF_8)
          : quoted(text);
    } catch (IllegalArgumentException e) {
      return word;
    }
  }

  private static String quoted(String text) {
    byte[] bytes = new byte[text.length()];
    int length = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '=' && i + 2 < text.length()) {
        bytes[length++] = (byte) Integer.parseInt(text.substring(i + 1, i + 3), 16);
        i += 2;
      } else {
        bytes[length++] = (byte) (c == '_' ? ' ' : c);
      }
    }
    return new String(bytes, 0, length, UTF_8);
  }

  private static boolean isReadable(String text) {
    return text.chars().noneMatch(c -> Character.isISOControl(c) || c == '\uFFFD');
  }
}
