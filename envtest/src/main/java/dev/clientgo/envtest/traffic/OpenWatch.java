package dev.clientgo.envtest.traffic;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchEvent;

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

  /**
   * Sends an event, in the form that the client asked for. {@link WatchEvent.Failed} needs an
   * {@link dev.clientgo.apimachinery.status.ApiStatusException}; after it, the watch stays open
   * until {@link #end}.
   *
   * @throws IllegalArgumentException if a server cannot send it
   */
  void send(WatchEvent<Unstructured> event);

  /** Sends a text unchanged, whether it is an event or not. */
  void send(String text);
}
