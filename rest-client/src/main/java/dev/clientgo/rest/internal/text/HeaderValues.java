package dev.clientgo.rest.internal.text;

/** Checks header values; a line break, for example, would begin another header. */
public final class HeaderValues {

  private HeaderValues() {}

  /** Returns whether a text is allowed in a header. */
  public static boolean isValid(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c != '\t' && (c < ' ' || c == 0x7f)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Checks a value. The error does not show it, because it may be a secret.
   *
   * @param what the kind of value, for the error
   * @throws IllegalArgumentException if it is not allowed in a header
   */
  public static String check(String what, String value) {
    if (!isValid(value)) {
      throw new IllegalArgumentException(
          what + " contains a line break or another control character");
    }
    return value;
  }
}
