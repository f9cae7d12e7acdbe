package dev.clientgo.rest.internal.auth;

import dev.clientgo.rest.config.PemSource;
import dev.clientgo.rest.config.RestConfig;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cluster, as passed to a credential plugin that asks for it.
 *
 * <p>Corresponds to {@code client.authentication.k8s.io}'s {@code Cluster}.
 *
 * @param config the additional data for plugins in the kubeconfig
 */
public record ExecCluster(RestConfig rest, @Nullable Object config) {

  public static ExecCluster of(RestConfig rest, @Nullable Object config) {
    return new ExecCluster(rest, config);
  }

  /** Returns the JSON tree. */
  public Map<String, Object> toTree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    String server = rest.address().toString();
    tree.put("server", server.replaceFirst("/$", ""));
    put(tree, "tls-server-name", rest.tlsServerName());
    put(tree, "insecure-skip-tls-verify", rest.insecure() ? true : null);
    PemSource authority = rest.certificateAuthority();
    put(tree, "certificate-authority-data", authority == null ? null : base64(authority));
    put(tree, "proxy-url", rest.proxy() == null ? null : rest.proxy().toString());
    put(tree, "disable-compression", rest.disableCompression() ? true : null);
    put(tree, "config", config);
    return tree;
  }

  private static String base64(PemSource authority) {
    return Base64.getEncoder().encodeToString(authority.read("certificate authority"));
  }

  private static void put(Map<String, Object> tree, String name, @Nullable Object value) {
    if (value != null) {
      tree.put(name, value);
    }
  }
}
