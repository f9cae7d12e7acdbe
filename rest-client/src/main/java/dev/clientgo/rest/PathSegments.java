package dev.clientgo.rest;

import org.jspecify.annotations.Nullable;

/** What may stand between two slashes of a path, so that no name can lead out of its place. */
final class PathSegments {

  private PathSegments() {}

  /**
   * Checks a name that becomes one segment of a path.
   *
   * @param what what it names, for the error
   * @throws IllegalArgumentException if it may not be a segment
   */
  static String check(String what, String segment) {
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
   * Checks a name that becomes one segment of a path and may be set once.
   *
   * @param before what it is set to already, null if it is not
   * @throws IllegalArgumentException if it is, or may not be a segment
   */
  static String once(String what, @Nullable String before, String segment) {
    if (before != null) {
      throw new IllegalArgumentException(
          what + " already set to '" + before + "', cannot change to '" + segment + "'");
    }
    return check(what, segment);
  }
}
