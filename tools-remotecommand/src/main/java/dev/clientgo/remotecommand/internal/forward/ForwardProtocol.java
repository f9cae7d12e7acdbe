package dev.clientgo.remotecommand.internal.forward;

import java.io.IOException;

/** How the bytes and the error of one connection travel in the messages of a WebSocket. */
interface ForwardProtocol {

  /** Receives the parts of a connection. */
  interface Receiver {
    /** The pod has sent bytes. */
    void data(byte[] bytes, int offset, int length) throws IOException;

    /** The pod has ended the connection. */
    void dataEnd();

    /** The node has sent a part of the text of an error. */
    void error(byte[] bytes, int offset, int length);

    /** No text of an error follows. */
    void errorEnd();

    /** The node has given up the connection. */
    void reset(String reason);
  }

  /** Asks for the connection. */
  void open() throws IOException;

  /** Sends bytes to the pod; waits while the server does not read them. */
  void send(byte[] bytes, int offset, int length) throws IOException;

  /** Returns whether the pod can be told that nothing follows. */
  boolean canEndOutput();

  /** Signals to the pod that nothing follows. */
  void endOutput() throws IOException;

  /**
   * Signals to the server that nothing follows and that the answer does not matter, unless another
   * thread is sending.
   *
   * @return whether the signal was sent
   */
  boolean leave() throws IOException;

  /** Sends a ping, unless another thread is sending; returns whether it was sent. */
  boolean ping() throws IOException;

  /** Passes on a part of a message. */
  void received(boolean first, byte[] bytes, int offset, int length, Receiver receiver)
      throws IOException;

  /** Returns whether the pod has ended the connection if the server closes the WebSocket. */
  boolean endsWithWebSocket();
}
