package dev.clientgo.examples;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.rest.RestConfig;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The API server that a lesson talks to. */
public final class Cluster implements AutoCloseable {

  private final RestConfig config;
  private final String description;
  private final @Nullable ApiServer own;

  private Cluster(RestConfig config, String description, @Nullable ApiServer own) {
    this.config = config;
    this.description = description;
    this.own = own;
  }

  /** Starts a server in this process. */
  static Cluster embedded() {
    return ours(EmbeddedApiServer.start(), "an embedded API server");
  }

  /** Starts the real server. */
  static Cluster kubeApiServer() throws InterruptedException {
    return ours(KubeApiServer.start(), "a real kube-apiserver");
  }

  private static Cluster ours(ApiServer server, String description) {
    return new Cluster(server.restConfig(), description + " at " + server.url(), server);
  }

  /** Finds a server as kubectl does, or in the given file. */
  static Cluster kubeconfig(@Nullable Path file, @Nullable String context) {
    RestConfig config = KubeConfigLoader.builder().file(file).context(context).build().load();
    return new Cluster(config, "the cluster at " + config.server(), null);
  }

  /** Returns how to connect to it. */
  public RestConfig config() {
    return config;
  }

  /** Returns whether the lesson started it, and may create and delete objects as it likes. */
  public boolean isOurs() {
    return own != null;
  }

  /** Returns what it is and where, for people. */
  @Override
  public String toString() {
    return description;
  }

  /** Ends the server if the lesson started it. */
  @Override
  public void close() {
    if (own != null) {
      own.close();
    }
  }
}
