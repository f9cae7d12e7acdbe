package dev.clientgo.examples.lesson;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.envtest.KubeCluster;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API server of a lesson. */
public final class Cluster implements AutoCloseable {

  private final RestConfig config;
  private final String description;
  private final @Nullable ApiServer own;

  private Cluster(RestConfig config, String description, @Nullable ApiServer own) {
    this.config = config;
    this.description = description;
    this.own = own;
  }

  /** Starts an embedded server. */
  static Cluster embedded() {
    return own(EmbeddedApiServer.start(), "an embedded API server");
  }

  /** Starts a real kube-apiserver. */
  static Cluster kubeApiServer() throws InterruptedException {
    return own(KubeApiServer.start(), "a real kube-apiserver");
  }

  /** Starts a whole cluster. */
  static Cluster kubeCluster() throws InterruptedException {
    return own(KubeCluster.start(), "a cluster of processes");
  }

  private static Cluster own(ApiServer server, String description) {
    return new Cluster(server.restConfig(), description + " at " + server.url(), server);
  }

  /** Returns the cluster of a server that the caller has started and will close. */
  public static Cluster of(ApiServer server) {
    return own(server, "an API server");
  }

  /** Finds a cluster in the given kubeconfig, or as kubectl does. */
  static Cluster kubeconfig(@Nullable Path file, @Nullable String context) {
    RestConfig config = KubeConfigLoader.builder().file(file).context(context).build().load();
    return new Cluster(config, "the cluster at " + config.server(), null);
  }

  /** Returns the configuration of a client. */
  public RestConfig config() {
    return config;
  }

  /** Returns the configuration of a client whose connections a proxy can cut. */
  public RestConfig config(CuttingProxy proxy) {
    return config.toBuilder().server(proxy.url().toString()).build();
  }

  /** Returns whether the lesson started the server, so that it may create and delete objects. */
  public boolean isOwn() {
    return own != null;
  }

  /**
   * Checks that the lesson may create and delete objects as it likes.
   *
   * @throws LessonException if the server is not the lesson's own
   */
  public void requireOwn() {
    if (!isOwn()) {
      throw new LessonException(
          "this lesson creates and deletes objects, so it starts a server of its own: leave out"
              + " --kubeconfig and --context");
    }
  }

  /** Returns the embedded server, which can be made to fail, if that is the lesson's own. */
  public Optional<EmbeddedApiServer> embeddedServer() {
    return own instanceof EmbeddedApiServer server ? Optional.of(server) : Optional.empty();
  }

  /** Returns whether the lesson started the server, and pods run there. */
  public boolean runsPods() {
    return own instanceof KubeCluster;
  }

  /** Returns a description with the address. */
  @Override
  public String toString() {
    return description;
  }

  /** Stops the server if the lesson started it. */
  @Override
  public void close() {
    if (own != null) {
      own.close();
    }
  }
}
