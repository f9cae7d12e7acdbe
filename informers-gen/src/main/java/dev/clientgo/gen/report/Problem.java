package dev.clientgo.gen.report;

/**
 * Something in the input that the generator could not use, or used in a way worth telling.
 *
 * @param file the file, or {@code -} for what did not come from one
 * @param line the line, from 1; 0 if unknown
 * @param path the path in the document, such as {@code $.spec.versions[0].schema}
 * @param text what is wrong and what was done or is to be done about it
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
