package dev.clientgo.apimachinery.json.internal.utf8;

import java.util.Arrays;

/** White space between the tokens of a JSON text. */
public final class WhiteSpace {

  private WhiteSpace() {}

  /** Returns a well-formed text without white space; the same array if there is none. */
  public static byte[] strip(byte[] json) {
    byte[] out = json;
    int length = 0;
    boolean quoted = false;
    for (int i = 0; i < json.length; i++) {
      byte b = json[i];
      if (!quoted && b <= ' ' && b >= 0) {
        if (out == json) {
          out = json.clone();
        }
        continue;
      }
      out[length++] = b;
      if (b == '"') {
        quoted = !quoted;
      } else if (b == '\\') { // only in a string, and the next byte belongs to it
        out[length++] = json[++i];
      }
    }
    return length == json.length ? json : Arrays.copyOf(out, length);
  }
}
