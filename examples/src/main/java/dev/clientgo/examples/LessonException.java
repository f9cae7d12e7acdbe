package dev.clientgo.examples;

/** A lesson cannot go on; the message is for the person who started it. */
public final class LessonException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Creates an error with one line of text. */
  public LessonException(String message) {
    super(message);
  }
}
