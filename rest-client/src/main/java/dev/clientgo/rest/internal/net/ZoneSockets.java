package dev.clientgo.rest.internal.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;

/**
 * Makes sockets that use one network interface. A link-local address is a different machine on each
 * interface, and OkHttp does not support zones.
 */
public final class ZoneSockets extends UnconnectedSockets {

  private final String zone;

  public ZoneSockets(String zone) {
    this.zone = zone;
  }

  @Override
  Socket unconnected() {
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
      // No cause: an UnknownHostException would blame the host.
      throw new IOException("this machine has no network interface " + zone);
    }
  }
}
