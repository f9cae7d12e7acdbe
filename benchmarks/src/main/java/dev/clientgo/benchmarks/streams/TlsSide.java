package dev.clientgo.benchmarks.streams;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The floor of {@link Streams} for a JVM: the same output of a command, read by a plain TLS socket
 * of the JDK in one thread, without this library. The frames of WebSocket are not removed; the
 * process writes as many bytes as the command does.
 */
final class TlsSide {

  private TlsSide() {}

  /** Runs {@code SERVER CA CERTIFICATE KEY BYTES}: the URL, three PEM files and a number. */
  public static void main(String[] arguments) throws IOException, GeneralSecurityException {
    CertificateFactory certificates = CertificateFactory.getInstance("X.509");
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("server", certificates.generateCertificate(read(arguments[1])));
    String key = new String(read(arguments[3]).readAllBytes(), US_ASCII).replaceAll("-----.*", "");
    store.setKeyEntry(
        "client",
        KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key))),
        new char[0],
        new Certificate[] {certificates.generateCertificate(read(arguments[2]))});
    KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
    keys.init(store, new char[0]);
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(store);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    URI server = URI.create(arguments[0]);
    long bytes = Long.parseLong(arguments[4]);
    String request =
        String.join(
            "\r\n",
            "GET /api/v1/namespaces/default/pods/p/exec?stdout=true&command=head&command=-c&command="
                + bytes
                + "&command=/dev/zero HTTP/1.1",
            "Host: " + server.getAuthority(),
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Protocol: v4.channel.k8s.io",
            "",
            "");
    try (var socket = tls.getSocketFactory().createSocket(server.getHost(), server.getPort());
        OutputStream out = new FileOutputStream(FileDescriptor.out)) {
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      byte[] buffer = new byte[32 * 1024];
      for (long left = bytes; left > 0; ) {
        int read = socket.getInputStream().read(buffer, 0, (int) Math.min(left, buffer.length));
        if (read < 0) {
          throw new IOException("the connection ended " + left + " bytes too early");
        }
        out.write(buffer, 0, read);
        left -= read;
      }
    }
  }

  private static InputStream read(String file) throws IOException {
    return new ByteArrayInputStream(Files.readAllBytes(Path.of(file)));
  }
}
