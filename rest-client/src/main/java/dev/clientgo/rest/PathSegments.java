package dev.clientgo.rest;

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
}
