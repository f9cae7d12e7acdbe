package dev.clientgo.examples.guide;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.rest.certificates.CertificateAuthority;
import dev.clientgo.rest.config.PemSource;
import dev.clientgo.rest.config.RestConfig;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Locale;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 by hand, over a socket: sends requests as text, and prints what the server answers. It
 * uses nothing of the library but the certificates of a configuration.
 */
final class RawConnection implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 30_000;

  private final Socket socket;
  private final InputStream in;
  private final String host;
  private final PrintWriter out;

  RawConnection(RestConfig config, PrintWriter out) throws IOException, GeneralSecurityException {
    URI server = config.server();
    socket = sockets(config).createSocket(server.getHost(), server.getPort());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
    host = server.getHost() + ":" + server.getPort();
    this.out = out;
  }

  /** Returns what makes the sockets: with TLS, they show the certificate of the user. */
  private static SocketFactory sockets(RestConfig config) throws GeneralSecurityException {
    if (!config.isTls()) {
      return SocketFactory.getDefault();
    }
    X509Certificate user = certificate(config.clientCertificate());
    String key = new String(pem(config.clientKey()), US_ASCII).replaceAll("-----[^-]+-----", "");
    byte[] der = Base64.getMimeDecoder().decode(key);
    KeyPair keys =
        new KeyPair(
            user.getPublicKey(),
            KeyFactory.getInstance(user.getPublicKey().getAlgorithm())
                .generatePrivate(new PKCS8EncodedKeySpec(der)));
    return new CertificateAuthority.Identity(user, keys)
        .socketFactory(certificate(config.certificateAuthority()));
  }

  private static X509Certificate certificate(@Nullable PemSource source)
      throws GeneralSecurityException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem(source)));
  }

  private static byte[] pem(@Nullable PemSource source) {
    return requireNonNull(source, "a server with TLS needs certificates").read("certificate");
  }

  /** Sends a GET, reads the whole response, and returns its body. */
  String get(String path) throws IOException {
    int length = send(path);
    String body;
    if (length >= 0) {
      body = new String(in.readNBytes(length), UTF_8);
    } else {
      StringBuilder chunks = new StringBuilder();
      for (String chunk = chunk(); !chunk.isEmpty(); chunk = chunk()) {
        chunks.append(chunk);
      }
      body = chunks.toString();
    }
    out.println("< " + shortened(body));
    return body;
  }

  /** Sends the GET of a watch; its body comes in chunks, as long as the watch is open. */
  void watch(String path) throws IOException {
    send(path);
    out.println("< Transfer-Encoding: chunked");
  }

  /** Sends a GET, reads the head of the response, and returns the length of the body or -1. */
  private int send(String path) throws IOException {
    out.println("> GET " + path.replaceAll("continue=.*", "continue=…") + " HTTP/1.1");
    String request =
        "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nAccept: application/json\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    out.println("< " + line());
    int length = -1;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String name = header.substring(0, header.indexOf(':')).toLowerCase(Locale.ROOT);
      if (name.equals("content-length")) {
        length = Integer.parseInt(header.substring(name.length() + 1).strip());
      }
    }
    return length;
  }

  /** Reads and prints a chunk; the server sends one for each event of a watch. */
  void printChunk() throws IOException {
    String chunk = chunk();
    out.println("< a chunk of " + chunk.getBytes(UTF_8).length + " bytes");
    if (!chunk.isEmpty()) {
      out.println("<   " + shortened(chunk));
    }
  }

  /** Reads a chunk: its length in hexadecimal, an end of line, the content, an end of line. */
  private String chunk() throws IOException {
    byte[] content = in.readNBytes(Integer.parseInt(line(), 16));
    line();
    return new String(content, UTF_8);
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the server has closed the connection");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(US_ASCII);
  }

  /** Leaves out what no two runs have in common, and what would fill the screen. */
  private static String shortened(String json) {
    return json.strip()
        .replaceAll("\"uid\":\"[^\"]*\",", "")
        .replaceAll(",\"creationTimestamp\":\"[^\"]*\"", "")
        .replaceAll(",\"managedFields\":\\[.*?\\}\\]", "")
        .replaceAll("\"continue\":\"[^\"]*\"", "\"continue\":\"…\"");
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
