package dev.clientgo.envtest;

import dev.clientgo.rest.RestConfig;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An API server for tests and first steps.
 *
 * <p>There are two: the embedded one runs in process and starts in milliseconds; {@link
 * KubeApiServer} is the real one. Both are held to the same suite of tests. Safe for use by many
 * threads.
 */
public interface ApiServer extends AutoCloseable {

  /** Returns the address, such as {@code https://127.0.0.1:6443}. */
  URI url();

  /**
   * Returns a kubeconfig, in YAML, with which a client is administrator. It needs no other files.
   */
  String kubeconfig();

  /** Returns how a client of this process connects to it as administrator. */
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

  /** Ends the server and frees what it holds. Does nothing the second time. */
  @Override
  void close();
}
