package dev.clientgo.rest.internal.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.util.List;
import okhttp3.Dns;

/**
 * Makes sockets that connect through a SOCKS 5 proxy with a password (RFC 1928, RFC 1929). The JDK
 * supports such proxies too, but with one password for the whole program.
 */
final class Socks5Sockets extends UnconnectedSockets {

  /**
   * Gives each name a placeholder address, so that the proxy resolves it; the proxy may know more
   * names than this machine.
   */
  static final Dns BY_PROXY = name -> List.of(InetAddress.getByAddress(name, new byte[4]));

  private static final byte VERSION = 5;
  private static final byte BY_PASSWORD = 2;
  private static final byte IPV4 = 1;
  private static final byte NAME = 3;
  private static final byte IPV6 = 4;

  /** The protocol has one byte for a length. */
  private static final int MAX_LENGTH = 255;

  private final String host;
  private final int port;
  private final byte[] user;
  private final byte[] password;

  /**
   * Creates a factory.
   *
   * @param userInfo name and password as in a URL, separated by a colon
   * @throws ConfigException if one of them is too long or too short for the protocol
   */
  Socks5Sockets(String host, int port, String userInfo) {
    int colon = userInfo.indexOf(':');
    this.host = host;
    this.port = port;
    this.user = checked("user name", colon < 0 ? userInfo : userInfo.substring(0, colon), 1);
    this.password = checked("password", colon < 0 ? "" : userInfo.substring(colon + 1), 0);
  }

  private byte[] checked(String what, String encoded, int min) {
    byte[] bytes = decoded(encoded).getBytes(UTF_8);
    if (bytes.length < min || bytes.length > MAX_LENGTH) {
      throw new ConfigException(
          "the "
              + what
              + " for the SOCKS proxy "
              + host
              + " has "
              + bytes.length
              + " bytes; SOCKS 5 carries "
              + min
              + " to "
              + MAX_LENGTH);
    }
    return bytes;
  }

  private static String decoded(String userInfo) {
    // In a URL, unlike in a form, a plus sign is not a space.
    return URLDecoder.decode(userInfo.replace("+", "%2B"), UTF_8);
  }

  @Override
  Socket unconnected() {
    return new Tunnel();
  }

  private final class Tunnel extends Socket {

    @Override
    public void connect(SocketAddress endpoint, int timeout) throws IOException {
      InetSocketAddress proxy = new InetSocketAddress(host, port);
      if (proxy.isUnresolved()) {
        throw new UnknownHostException(host);
      }
      super.connect(proxy, timeout);
      int before = getSoTimeout();
      setSoTimeout(timeout);
      try {
        authenticate();
        tunnel((InetSocketAddress) endpoint);
      } catch (IOException e) {
        close();
        throw e;
      }
      setSoTimeout(before);
    }

    private void authenticate() throws IOException {
      send(VERSION, (byte) 1, BY_PASSWORD);
      DataInputStream in = new DataInputStream(getInputStream());
      byte version = in.readByte();
      if (version != VERSION || in.readByte() != BY_PASSWORD) {
        throw new SocketException(
            version == VERSION
                ? "SOCKS: it takes no password"
                : "SOCKS: the responder is not a SOCKS 5 proxy");
      }
      byte[] message = new byte[3 + user.length + password.length];
      message[0] = 1;
      message[1] = (byte) user.length;
      System.arraycopy(user, 0, message, 2, user.length);
      message[2 + user.length] = (byte) password.length;
      System.arraycopy(password, 0, message, 3 + user.length, password.length);
      send(message);
      in.readByte();
      if (in.readByte() != 0) {
        throw new SocketException("SOCKS: it does not accept the user name and the password");
      }
    }

    private void tunnel(InetSocketAddress server) throws IOException {
      byte[] address = address(server);
      byte[] request = new byte[5 + address.length];
      request[0] = VERSION;
      request[1] = 1;
      System.arraycopy(address, 0, request, 3, address.length);
      request[3 + address.length] = (byte) (server.getPort() >> 8);
      request[4 + address.length] = (byte) server.getPort();
      send(request);
      DataInputStream in = new DataInputStream(getInputStream());
      in.readByte();
      int answer = in.readByte();
      if (answer != 0) {
        throw new SocketException("SOCKS: " + reason(answer));
      }
      in.readByte();
      in.readFully(new byte[length(in) + 2]);
    }

    private int length(DataInputStream in) throws IOException {
      return switch (in.readByte()) {
        case IPV4 -> 4;
        case IPV6 -> 16;
        case NAME -> in.readUnsignedByte();
        default -> throw new SocketException("SOCKS: its response is malformed");
      };
    }

    private void send(byte... message) throws IOException {
      OutputStream out = getOutputStream();
      out.write(message);
      out.flush();
    }
  }

  /** Returns the type of the address and the address. */
  private static byte[] address(InetSocketAddress server) {
    InetAddress known = server.getAddress();
    boolean isName = known == null || known.isAnyLocalAddress();
    byte[] bytes = isName ? server.getHostString().getBytes(US_ASCII) : known.getAddress();
    byte[] address = new byte[bytes.length + (isName ? 2 : 1)];
    address[0] = isName ? NAME : bytes.length == 4 ? IPV4 : IPV6;
    if (isName) {
      address[1] = (byte) bytes.length;
    }
    System.arraycopy(bytes, 0, address, address.length - bytes.length, bytes.length);
    return address;
  }

  private static String reason(int answer) {
    return switch (answer) {
      case 2 -> "its rules do not allow it";
      case 3 -> "the network cannot be reached";
      case 4 -> "the host cannot be reached";
      case 5 -> "the connection is refused";
      default -> "it responds with error " + answer;
    };
  }
}
