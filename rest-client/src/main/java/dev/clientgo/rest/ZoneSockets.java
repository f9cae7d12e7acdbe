package dev.clientgo.rest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;

/**
 * Makes sockets that reach an address by one interface of this machine: one that is link-local
 * means another machine at each interface, and OkHttp does not know of zones.
 */
final class ZoneSockets extends UnconnectedSockets {

  private final String zone;

  ZoneSockets(String zone) {
    this.zone = zone;
  }

  @Override
  public Socket createSocket() {
    return new Socket() {
      @Override
      public void connect(SocketAddress address, int timeout) throws IOException {
        super.connect(inZone((InetSocketAddress) address), timeout);
      }
    };
  }

  private SocketAddress inZone(InetSocketAddress address) throws IOException {
    String host = address.getAddress().getHostAddress() + "%" + zone;
    try {
      return new InetSocketAddress(InetAddress.getByName(host), address.getPort());
    } catch (UnknownHostException e) {
      // No cause: it is not the host that is unknown.
      throw new IOException("this machine has no network interface " + zone);
    }
  }
}
