package dev.clientgo.leaderelection;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import java.util.Map;

/**
 * Names the {@link Lease} that the candidates of an election compete for. Immutable.
 *
 * <p>A candidate needs the verbs {@code get}, {@code create} and {@code update} on the resource
 * {@code leases} of the group {@code coordination.k8s.io}.
 *
 * <p>Corresponds to client-go's {@code resourcelock.LeaseLock}. Unlike client-go: it holds no state
 * and no client, so electors can share it.
 *
 * @param namespace the namespace of the Lease
 * @param name the name of the Lease
 * @param labels the labels that a leader adds to the Lease when it writes it
 */
public record LeaseLock(String namespace, String name, Map<String, String> labels) {

  /**
   * Checks and copies its arguments.
   *
   * @throws IllegalArgumentException if the namespace or the name is empty
   */
  public LeaseLock {
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
    if (namespace.isEmpty() || name.isEmpty()) {
      throw new IllegalArgumentException(
          "a Lease needs a namespace and a name: \"" + namespace + "\", \"" + name + '"');
    }
    labels = Map.copyOf(labels);
  }

  /**
   * Returns the lock of a Lease without labels.
   *
   * @throws IllegalArgumentException if the namespace or the name is empty
   */
  public static LeaseLock of(String namespace, String name) {
    return new LeaseLock(namespace, name, Map.of());
  }

  /**
   * Returns a lock whose leader also sets these labels on the Lease, and keeps the other labels.
   */
  public LeaseLock withLabels(Map<String, String> labels) {
    return new LeaseLock(namespace, name, labels);
  }

  /** Returns metadata with the labels of this lock added. */
  ObjectMeta label(ObjectMeta metadata) {
    return metadata.with(m -> m.editLabels(all -> all.putAll(labels)));
  }

  /** Returns {@code namespace/name}. */
  @Override
  public String toString() {
    return namespace + '/' + name;
  }
}
