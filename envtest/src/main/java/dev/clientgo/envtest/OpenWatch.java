package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A watch that is open, seen from the server: what the client asked for, and what may happen to it.
 * Safe for use by many threads. All methods return at once; nothing happens if the watch has ended.
 */
public final class OpenWatch {

  private final ApiRequest request;
  private final WatchStream stream;

  OpenWatch(ApiRequest request, WatchStream stream) {
    this.request = request;
    this.stream = stream;
  }

  /** Returns the request that opened the watch. */
  public ApiRequest request() {
    return request;
  }

  /** Ends the watch as the server does when its time is up. */
  public void end() {
    stream.stop();
  }

  /** Sends half an event and breaks the connection. */
  public void cut() {
    stream.order(WatchStream::cut);
  }

  /** Sends nothing more, with the connection open, until {@link #resume}. */
  public void goSilent() {
    stream.setSilent(true);
  }

  /** Sends on, beginning with what was not sent meanwhile. */
  public void resume() {
    stream.setSilent(false);
  }

  /** Sends a text as it is, be it an event or not. */
  public void send(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    stream.order(sink -> sink.write(bytes));
  }

  /** Returns the request that opened the watch. */
  @Override
  public String toString() {
    return request.toString();
  }
}
