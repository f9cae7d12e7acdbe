package dev.clientgo.gen.report;

/**
 * A part of the input that the generator could not use, or used in a way that may surprise.
 *
 * @param file the file, or {@code -} if there is none
 * @param line the line, from 1; 0 if unknown
 * @param path the path in the document, such as {@code $.spec.versions[0].schema}
 * @param text what is wrong, and how the generator handled it or how the user can mend it
 */
public record Problem(String file, int line, String path, String text) {

  /** Returns {@code file:line: path}. */
  String place() {
    return file + (line > 0 ? ":" + line : "") + (path.isEmpty() ? "" : ": " + path);
  }

  /** Returns {@code file:line: path: text}, or the text alone if it is of no file. */
  @Override
  public String toString() {
    return file.equals("-") ? text : place() + ": " + text;
  }
}
