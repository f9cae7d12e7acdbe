package dev.clientgo.envtest;

import java.io.IOException;

/** The connection is to be broken here, because somebody asked for it. */
final class CutException extends IOException {

  private static final long serialVersionUID = 1;

  CutException() {
    super("the connection is cut on request");
  }
}
