package dev.clientgo.envtest.internal.access;

import dev.clientgo.rest.certificates.CertificateAuthority;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a kubeconfig with one cluster, one user and one context, without references to files. */
public final class KubeConfigText {

  private KubeConfigText() {}

  /** Returns the kubeconfig of a client with a certificate. */
  public static String withCertificate(
      URI server, String caPem, CertificateAuthority.Identity client, String name) {
    return text(
        server,
        caPem,
        name,
        "    client-certificate-data: %s\n    client-key-data: %s\n"
            .formatted(base64(client.certificatePem()), base64(client.privateKeyPem())));
  }

  /** Returns the kubeconfig of a client with a bearer token; the CA is null for plain HTTP. */
  public static String withToken(URI server, @Nullable String caPem, String token, String name) {
    return text(server, caPem, name, "    token: " + token + "\n");
  }

  /** Returns the kubeconfig of a user whom the client impersonates, with the token of another. */
  public static String impersonating(
      URI server, @Nullable String caPem, String token, String user, List<String> groups) {
    StringBuilder as = new StringBuilder("    as: " + quoted(user) + "\n");
    if (!token.isEmpty()) {
      as.insert(0, "    token: " + token + "\n");
    }
    if (!groups.isEmpty()) {
      as.append("    as-groups:\n");
      groups.forEach(group -> as.append("    - ").append(quoted(group)).append('\n'));
    }
    return text(server, caPem, "envtest", as.toString());
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static String text(URI server, @Nullable String caPem, String name, String user) {
    String ca = caPem == null ? "" : "    certificate-authority-data: " + base64(caPem) + "\n";
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: %1$s
      cluster:
        server: %2$s
    %3$susers:
    - name: %1$s
      user:
    %4$scontexts:
    - name: %1$s
      context:
        cluster: %1$s
        user: %1$s
        namespace: default
    current-context: %1$s
    """
        .formatted(name, server, ca, user);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
