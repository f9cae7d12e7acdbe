package dev.clientgo.remotecommand.internal.tar;

import java.io.IOException;

/** Bytes that are no archive, or one that uses what this reader refuses. */
public final class TarFormatException extends IOException {

  private static final long serialVersionUID = 1;

  TarFormatException(String message) {
    super(message);
  }
}
