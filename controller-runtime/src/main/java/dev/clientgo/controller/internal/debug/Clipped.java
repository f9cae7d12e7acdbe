package dev.clientgo.controller.internal.debug;

/** Cuts long texts off. */
final class Clipped {

  private Clipped() {}

  /** Returns the text, or its first {@code length} characters and how many follow. */
  static String of(String text, int length) {
    return text.length() <= length
        ? text
        : text.substring(0, length) + "… (" + (text.length() - length) + " more characters)";
  }
}
