package dev.clientgo.envtest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** The credentials in the kubeconfig of a test server, read without this library's own loader. */
record KubeConfigSecrets(String kubeconfig) {

  static KubeConfigSecrets of(String kubeconfig) {
    return new KubeConfigSecrets(kubeconfig);
  }

  Optional<String> token() {
    return value("token");
  }

  Optional<X509TrustManager> trust() {
    return data("certificate-authority-data").map(KubeConfigSecrets::trust);
  }

  SSLSocketFactory sockets(X509TrustManager trust) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          data("client-certificate-data").isPresent() ? keys().getKeyManagers() : null,
          new TrustManager[] {trust},
          null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private KeyManagerFactory keys() throws GeneralSecurityException, IOException {
    byte[] pem = data("client-key-data").orElseThrow();
    String base64 = new String(pem, java.nio.charset.StandardCharsets.US_ASCII);
    byte[] der = Base64.getMimeDecoder().decode(base64.replaceAll("-----.*-----", ""));
    PrivateKey key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
    Certificate[] chain = {certificate(data("client-certificate-data").orElseThrow())};
    KeyStore store = emptyStore();
    store.setKeyEntry("client", key, new char[0], chain);
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return factory;
  }

  private static X509TrustManager trust(byte[] pem) {
    try {
      KeyStore store = emptyStore();
      store.setCertificateEntry("ca", certificate(pem));
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return Arrays.stream(factory.getTrustManagers())
          .filter(X509TrustManager.class::isInstance)
          .map(X509TrustManager.class::cast)
          .findFirst()
          .orElseThrow();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    return store;
  }

  private static Certificate certificate(byte[] pem) throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(pem));
  }

  private Optional<byte[]> data(String field) {
    return value(field).map(Base64.getDecoder()::decode);
  }

  private Optional<String> value(String field) {
    Matcher matcher = Pattern.compile("\\b" + field + ": (\\S+)").matcher(kubeconfig);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
