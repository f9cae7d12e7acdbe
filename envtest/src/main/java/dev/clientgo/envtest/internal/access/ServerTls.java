package dev.clientgo.envtest.internal.access;

import dev.clientgo.clock.Clock;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;

/**
 * What a server needs to speak TLS.
 *
 * @param authorityPem the certificate that clients are to trust
 * @param sockets makes the sockets of connections
 */
public record ServerTls(String authorityPem, SSLSocketFactory sockets) {

  /** Makes an authority, and a certificate for the loopback interface. */
  public static ServerTls create(Clock clock) {
    CertificateAuthority authority = CertificateAuthority.create(clock, "envtest-ca");
    CertificateAuthority.Identity identity = authority.issueServer("envtest");
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      Certificate[] chain = {identity.certificate()};
      keys.setKeyEntry("server", identity.privateKey(), new char[0], chain);
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, new char[0]);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, new SecureRandom());
      return new ServerTls(authority.certificatePem(), context.getSocketFactory());
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JDK cannot speak TLS", e);
    }
  }
}
