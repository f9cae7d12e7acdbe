package dev.clientgo.envtest.internal.http;

import java.io.IOException;

/** A test has asked to break the connection at this point. */
public final class ConnectionCutException extends IOException {

  private static final long serialVersionUID = 1;

  public ConnectionCutException() {
    super("the connection is cut on request");
  }
}
