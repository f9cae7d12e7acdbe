package dev.clientgo.rest;

/**
 * What may stand in the value of a header: no line break, above all, behind which another begins.
 */
final class HeaderValues {

  private HeaderValues() {}

  /** Returns whether all of a text may stand in a header. */
  static boolean isValid(String value) {
    return value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c != 0x7f));
  }

  /**
   * Checks a value, which may be a secret and is not shown.
   *
   * @param what what the value is, for the error
   * @throws IllegalArgumentException if it may not stand in a header
   */
  static String check(String what, String value) {
    if (!isValid(value)) {
      throw new IllegalArgumentException(what + " holds a line break or another control character");
    }
    return value;
  }
}
