package dev.clientgo.controller.internal.webhook;

/** Answers the requests at one path. Safe for use by many threads. */
public interface ReviewEndpoint {

  /**
   * An answer in JSON.
   *
   * @param code the HTTP status
   * @param body the text
   */
  record Answer(int code, String body) {}

  /** Returns how many bytes a request may have. */
  int maxBody();

  /**
   * Answers a request. The thread is interrupted if it takes too long. Exceptions of user code are
   * part of the answer.
   */
  Answer answer(byte[] body);

  /** Returns the answer to a request that has a wrong form. */
  Answer refuse(int code, String message);
}
