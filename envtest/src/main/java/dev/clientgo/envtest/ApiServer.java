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
   * Returns a kubeconfig, in YAML, that makes a client an administrator. It refers to no other
   * files.
   */
  String kubeconfig();

  /** Returns the configuration with which a client of this process connects as an administrator. */
  default RestConfig restConfig() {
    return KubeConfig.parse(kubeconfig()).restConfig();
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

  /** Stops the server and frees its resources. Does nothing the second time. */
  @Override
  void close();
}
