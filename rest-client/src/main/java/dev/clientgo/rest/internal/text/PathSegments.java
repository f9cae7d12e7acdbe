package dev.clientgo.rest.internal.text;

import org.jspecify.annotations.Nullable;

/** Checks path segments, so that no name can lead to another path. */
public final class PathSegments {

  private PathSegments() {}

  /**
   * Checks a segment.
   *
   * @param what the kind of name, for the error
   * @throws IllegalArgumentException if it is not allowed
   */
  public static String check(String what, String segment) {
    if (segment.equals(".") || segment.equals("..")) {
      throw new IllegalArgumentException(what + " may not be '" + segment + "'");
    }
    for (char c : new char[] {'/', '%'}) {
      if (segment.indexOf(c) >= 0) {
        throw new IllegalArgumentException(what + " '" + segment + "' may not contain '" + c + "'");
      }
    }
    return segment;
  }

  /**
   * Checks a segment that can be set only once.
   *
   * @param before the current value, null if it is not set
   * @throws IllegalArgumentException if it is already set or not allowed
   */
  public static String once(String what, @Nullable String before, String segment) {
    if (before != null) {
      throw new IllegalArgumentException(
          what + " already set to '" + before + "', cannot change to '" + segment + "'");
    }
    return check(what, segment);
  }
}
