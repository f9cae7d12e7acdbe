package dev.clientgo.conformance;

/** A response that stays open: chunks of HTTP, or messages of a WebSocket. */
interface ServerStream {

  /** Sends a text. That the client is away is no error. */
  void send(String text);

  /** Ends the response as an API server does whose time for a watch is up. */
  void end();

  /** Breaks the connection. */
  void cut();

  /** Keeps the connection open, but sends nothing more and answers nothing. */
  void silence();
}
