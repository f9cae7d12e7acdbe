package dev.clientgo.rest.internal.net;

import java.net.Socket;

/** Makes sockets that connect to the server itself, or to a proxy for HTTP. */
public final class DirectSockets extends UnconnectedSockets {

  @Override
  Socket unconnected() {
    return new Socket();
  }
}
