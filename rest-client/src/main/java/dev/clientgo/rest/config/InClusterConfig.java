package dev.clientgo.rest.config;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.internal.text.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that Kubernetes gives to each pod: the address of the API server in the
 * environment, and the credentials of the pod's service account in files.
 *
 * <p>Corresponds to client-go's {@code rest.InClusterConfig}.
 */
public final class InClusterConfig {

  private static final Path SERVICE_ACCOUNT =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private InClusterConfig() {}

  /**
   * Returns the configuration of the pod that this program runs in. Clients read the token again
   * when it is rotated.
   *
   * @throws ConfigException if the program does not run in a pod, or has no service account
   */
  public static RestConfig load() {
    return load(System.getenv(), SERVICE_ACCOUNT);
  }

  /** Returns whether this program runs in a pod that has a service account. */
  public static boolean isPossible() {
    return isPossible(System.getenv(), SERVICE_ACCOUNT);
  }

  static boolean isPossible(Map<String, String> env, Path serviceAccount) {
    return !get(env, "KUBERNETES_SERVICE_HOST").isEmpty()
        && !get(env, "KUBERNETES_SERVICE_PORT").isEmpty()
        && Files.isRegularFile(serviceAccount.resolve("token"));
  }

  static RestConfig load(Map<String, String> env, Path serviceAccount) {
    String host = get(env, "KUBERNETES_SERVICE_HOST");
    String port = get(env, "KUBERNETES_SERVICE_PORT");
    if (host.isEmpty() || port.isEmpty()) {
      String missing =
          (host.isEmpty() ? "KUBERNETES_SERVICE_HOST" : "")
              + (host.isEmpty() && port.isEmpty() ? " and " : "")
              + (port.isEmpty() ? "KUBERNETES_SERVICE_PORT" : "");
      throw new ConfigException(
          "this program does not run in a pod: "
              + missing
              + (host.isEmpty() && port.isEmpty() ? " are" : " is")
              + " not set");
    }
    Path token = serviceAccount.resolve("token");
    RestConfig.Builder config =
        RestConfig.builder("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port)
            .bearerToken(readToken(token))
            .bearerTokenFile(token);
    // As in client-go, a pod may have a token without a certificate authority.
    Path authority = serviceAccount.resolve("ca.crt");
    if (Files.isReadable(authority)) {
      config.certificateAuthority(authority);
    }
    String namespace = namespace(env, serviceAccount.resolve("namespace"));
    return namespace == null ? config.build() : config.namespace(namespace).build();
  }

  private static String readToken(Path file) {
    String token;
    try {
      token = ConfigFile.readToken(file).strip();
    } catch (IOException e) {
      throw new ConfigException(
          "this pod has no service account token: cannot read " + file + ": " + e.getMessage(), e);
    }
    if (token.isEmpty()) {
      throw new ConfigException("the service account token of this pod is empty: " + file);
    }
    return token;
  }

  private static @Nullable String namespace(Map<String, String> env, Path file) {
    String override = get(env, "POD_NAMESPACE");
    if (!override.isEmpty()) {
      return override;
    }
    try {
      String namespace = ConfigFile.readToken(file).strip();
      return namespace.isEmpty() ? null : namespace;
    } catch (IOException e) {
      return null;
    }
  }

  private static String get(Map<String, String> env, String name) {
    return env.getOrDefault(name, "");
  }
}
