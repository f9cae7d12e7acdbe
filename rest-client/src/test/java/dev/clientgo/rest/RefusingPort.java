package dev.clientgo.rest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port that refuses connections for as long as it is open: a socket holds it and never listens,
 * so that no other process can get it meanwhile.
 */
final class RefusingPort implements AutoCloseable {

  private final Socket holder = new Socket();

  RefusingPort() throws IOException {
    holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  int number() {
    return holder.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    holder.close();
  }
}
