package dev.clientgo.envtest.traffic;

/**
 * An open watch, seen from the server: the request that opened it, and the faults that a test can
 * cause in it. Safe for use by many threads. All methods return at once; they do nothing if the
 * watch has ended.
 */
public interface OpenWatch {

  /** Returns the request that opened the watch. */
  ApiRequest request();

  /** Ends the watch as the server does when its timeout has passed. */
  void end();

  /** Sends half an event and breaks the connection. */
  void cut();

  /** Sends nothing more, with the connection open, until {@link #resume}. */
  void goSilent();

  /** Continues to send, beginning with the events that were held back. */
  void resume();

  /** Sends a text unchanged, whether it is an event or not. */
  void send(String text);
}
