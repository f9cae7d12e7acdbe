package dev.clientgo.examples.lesson;

/** An error that ends a lesson, with a message for the user. */
public final class LessonException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Creates an error with one line of text. */
  public LessonException(String message) {
    super(message);
  }
}
