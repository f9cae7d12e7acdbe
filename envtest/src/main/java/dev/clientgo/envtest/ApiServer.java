package dev.clientgo.envtest;

import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

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

  /** Stops the server and frees its resources. Does nothing the second time. */
  @Override
  void close();
}
