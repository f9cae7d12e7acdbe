package dev.clientgo.controller.internal.diff;

/** Cuts long texts off. */
public final class Clipped {

  private Clipped() {}

  /** Returns the text, or its first {@code length} characters and how many follow. */
  public static String of(String text, int length) {
    return text.length() <= length
        ? text
        : text.substring(0, length) + "… (" + (text.length() - length) + " more characters)";
  }
}
