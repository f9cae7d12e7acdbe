package dev.clientgo.spring;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings {@code clientgo.…} of an application. An unknown one keeps it from starting.
 *
 * @param kubeconfig the file that says where the server is; by default those of KUBECONFIG,
 *     ~/.kube/config, or in a pod its service account
 * @param context the context of the kubeconfig; by default its current one
 * @param namespaces the namespaces of the controllers; by default all
 * @param syncTimeout how long the start waits for the caches, 2 minutes by default; then the
 *     application does not start. With 0 it does not wait
 * @param maxStaleness after which time without a word of the server about a cache the application
 *     is not well, 5 minutes by default
 * @param leaderElection the lease of which one replica runs the controllers; without its name all
 *     do
 * @param exitOnFailure whether the application context is closed if the manager fails, so that the
 *     process ends and its environment starts it again; true by default. The liveness state is
 *     broken either way
 */
@ConfigurationProperties(value = "clientgo", ignoreUnknownFields = false)
public record ClientGoProperties(
    @Nullable Path kubeconfig,
    @Nullable String context,
    @DefaultValue List<String> namespaces,
    @DefaultValue("2m") Duration syncTimeout,
    @DefaultValue("5m") Duration maxStaleness,
    @DefaultValue LeaderElection leaderElection,
    @DefaultValue("true") boolean exitOnFailure) {

  /** Creates an instance, as Spring does. */
  public ClientGoProperties {
    if (syncTimeout.isNegative()) {
      throw new IllegalArgumentException("clientgo.sync-timeout is negative: " + syncTimeout);
    }
  }

  /**
   * The lease of a leader election.
   *
   * @param name the name of the lease; by default there is no election
   * @param namespace its namespace; by default that of the kubeconfig or the pod
   */
  public record LeaderElection(@Nullable String name, @Nullable String namespace) {

    /** Creates an instance, as Spring does. */
    public LeaderElection {
      if (name == null && namespace != null) {
        throw new IllegalArgumentException(
            "there is no election without clientgo.leader-election.name, but its namespace is "
                + namespace);
      }
    }
  }
}
