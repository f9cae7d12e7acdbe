package dev.clientgo.envtest.internal.http;

import java.io.IOException;

/** The connection is to be broken here, because somebody asked for it. */
public final class ConnectionCutException extends IOException {

  private static final long serialVersionUID = 1;

  public ConnectionCutException() {
    super("the connection is cut on request");
  }
}
