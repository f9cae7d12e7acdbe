package dev.clientgo.envtest;

import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An API server for tests and first steps.
 *
 * <p>There are two: {@link EmbeddedApiServer} runs in this process and starts in milliseconds;
 * {@link KubeApiServer} is the real one. One suite of tests runs against both. Safe for use by many
 * threads.
 */
public interface ApiServer extends AutoCloseable {

  /** Returns the address, such as {@code https://127.0.0.1:6443}. */
  URI url();

  /**
   * Returns a kubeconfig, in YAML, that makes a client an administrator. It does not refer to
   * files.
   */
  String kubeconfig();

  /** Returns the configuration with which a client of this process connects as an administrator. */
  default RestConfig restConfig() {
    return KubeConfig.parse(kubeconfig()).restConfig();
  }

  /**
   * Returns the kubeconfig of another user, who may do what the roles and bindings in the server
   * permit. A user in the group {@code system:masters} may do everything.
   *
   * @param user the name, such as {@code system:serviceaccount:default:web}
   * @param groups the groups; {@code system:authenticated} is added
   */
  String kubeconfig(String user, List<String> groups);

  /** Returns the configuration with which another user connects, see {@link #kubeconfig}. */
  default RestConfig restConfig(String user, List<String> groups) {
    return KubeConfig.parse(kubeconfig(user, groups)).restConfig();
  }

  /**
   * Returns the configuration with which a program in a pod of a service account connects. The
   * account need not exist.
   */
  default RestConfig serviceAccount(String namespace, String name) {
    return restConfig(
        "system:serviceaccount:" + namespace + ":" + name,
        List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace));
  }

  /**
   * Writes the kubeconfig to a file.
   *
   * @throws UncheckedIOException if the file cannot be written
   */
  default void writeKubeconfig(Path file) {
    try {
      Files.writeString(file, kubeconfig());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the kubeconfig to " + file, e);
    }
  }

  /**
   * Installs definitions of custom resources, or replaces those of the same name, and waits until
   * the server serves all their versions.
   *
   * <pre>{@code
   * server.installCrds(Path.of("config/crd"));
   * }</pre>
   *
   * @param paths YAML or JSON files with definitions, or folders of such files
   * @throws UncheckedIOException if a file cannot be read
   * @throws IllegalArgumentException if a file has an object of another kind
   * @throws dev.clientgo.apimachinery.errors.CodecException if a file is not YAML
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server refuses a definition
   * @throws IllegalStateException if a definition is not served within 30 seconds; the message has
   *     its conditions
   */
  default void installCrds(Path... paths) throws InterruptedException {
    try (RESTClient client = RESTClient.create(restConfig())) {
      new CrdInstaller(client).install(List.of(paths));
    }
  }

  /**
   * Deletes a namespace with all that is in it, as the controllers of a cluster would; neither
   * server runs them. Finalizers do not hold back the deletion.
   *
   * @return whether the namespace existed
   * @throws IllegalArgumentException if it is one that each cluster has, such as {@code default}
   */
  default boolean deleteNamespace(String name) throws InterruptedException {
    try (RESTClient client = Cleanup.client(restConfig())) {
      return new Cleanup(client).deleteNamespace(name);
    }
  }

  /**
   * Deletes what tests have made: namespaces, objects, and the definitions of custom resources.
   * Finalizers do not hold back the deletion. Clients stay connected, and their watches report the
   * deletions.
   *
   * <p>The real server has its own objects and keeps all that are like them: those in {@code
   * kube-system}, {@code kube-public} and {@code kube-node-lease}, cluster roles and their
   * bindings, priority classes, the configuration of flow control, API services, IP addresses and
   * service CIDRs. A reset takes it about a second. The embedded server also clears its faults, its
   * reactors and its record of requests.
   *
   * @throws IllegalStateException if a definition is not deleted within 30 seconds
   */
  default void reset() throws InterruptedException {
    try (RESTClient client = Cleanup.client(restConfig())) {
      new Cleanup(client).reset();
    }
  }

  /** Stops the server and frees its resources. Does nothing the second time. */
  @Override
  void close();
}
