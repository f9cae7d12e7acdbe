package dev.clientgo.kubectl;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.Retry;
import dev.clientgo.rest.Scale;
import org.jspecify.annotations.Nullable;

/**
 * Changes the number of replicas through the scale subresource, which deployments, stateful sets,
 * replica sets and many custom resources have.
 *
 * <pre>{@code
 * Scaler.of(deployments).scale("web", 5);
 * Scaler.of(deployments).ifCurrently(3).scale("web", 5);
 * }</pre>
 *
 * <p>Immutable, safe for use by many threads. Corresponds to {@code k8s.io/kubectl/pkg/scale}.
 */
public final class Scaler {

  private final ResourceClient<?> resource;
  private final @Nullable Integer current;

  private Scaler(ResourceClient<?> resource, @Nullable Integer current) {
    this.resource = requireNonNull(resource, "resource");
    this.current = current;
  }

  /** Returns what scales the objects of a client, which must be that of one namespace. */
  public static <T extends KubernetesObject> Scaler of(ResourceClient<T> resource) {
    return new Scaler(resource, null);
  }

  /** Scales only if so many replicas are wanted at the time, as {@code --current-replicas} does. */
  public Scaler ifCurrently(int replicas) {
    return new Scaler(resource, replicas);
  }

  /**
   * Sets the number of replicas that are wanted. A conflict with another client is retried.
   *
   * @return the scale as the server stored it
   * @throws IllegalStateException if another number of replicas is wanted now than was expected
   */
  public Scale scale(String name, int replicas) throws InterruptedException {
    if (replicas < 0) {
      throw new IllegalArgumentException("the number of replicas must not be negative");
    }
    return Retry.onConflict()
        .run(
            () -> {
              Scale now = resource.scale().get(name);
              if (current != null && now.replicas() != current) {
                throw new IllegalStateException(
                    name + " has " + now.replicas() + " replicas, not " + current);
              }
              return resource.scale().update(name, now.withReplicas(replicas));
            });
  }
}
