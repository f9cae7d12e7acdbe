package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.internal.cache.OwnWrites;
import dev.clientgo.controller.internal.cache.ReconcileWrites;
import dev.clientgo.controller.internal.incident.Tape;
import dev.clientgo.leaderelection.shard.ShardWork;
import dev.clientgo.rest.RESTClient;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads from the caches of a manager, and writes to the server. A read sees all earlier writes of
 * this process, without waiting for the watch.
 *
 * <pre>{@code
 * CachedResource<Deployment> deployments = context.client().resource(Deployment.TYPE);
 * Optional<Deployment> known = deployments.find(request);
 * if (known.isEmpty()) {
 *   deployments.create(newDeployment(foo)); // A second find would return it.
 * }
 * }</pre>
 *
 * <p>The first read of a kind that no controller watches begins to watch it, and waits until its
 * cache is filled. A cache may be a little older than the server; only the writes of this client
 * are always in it. {@link #uncached} reads from the server.
 *
 * <p>Safe for use by many threads. Corresponds to controller-runtime's {@code client.Client}.
 * Unlike there, own writes are visible at once.
 */
public final class Client {

  private final ClientScope scope;
  private final RESTClient rest;
  private final @Nullable ReconcileWrites writes;

  /** Null if the caller must choose one. */
  private final @Nullable String fieldManager;

  /** The object that is being reconciled; null if replicas do not share it. */
  private final @Nullable OwnObject own;

  /** Stands between this and the caches. */
  private final Tape tape;

  /**
   * The object of a reconcile.
   *
   * @param work knows whether the object still belongs to this replica
   */
  record OwnObject(ObjectName name, ShardWork work) {}

  /** Creates an instance; it notes its writes in {@code writes}, if given. */
  Client(
      ClientScope scope,
      RESTClient rest,
      @Nullable ReconcileWrites writes,
      @Nullable String fieldManager,
      @Nullable OwnObject own) {
    this(scope, rest, writes, fieldManager, own, Tape.NONE);
  }

  private Client(
      ClientScope scope,
      RESTClient rest,
      @Nullable ReconcileWrites writes,
      @Nullable String fieldManager,
      @Nullable OwnObject own,
      Tape tape) {
    this.scope = requireNonNull(scope, "scope");
    this.rest = requireNonNull(rest, "rest");
    this.writes = writes;
    this.fieldManager = fieldManager;
    this.own = own;
    this.tape = tape;
  }

  /** Returns this client with all its reads and writes on a tape. */
  Client on(Tape other) {
    return new Client(scope, other.client(rest), writes, fieldManager, own, other);
  }

  Tape tape() {
    return tape;
  }

  /** Returns the client of a kind, in all namespaces that the manager follows. */
  public <T extends KubernetesObject> CachedResource<T> resource(ResourceType<T> type) {
    return new CachedResource<>(this, rest.resource(type));
  }

  /**
   * Returns this client with another field manager, which owns the fields that {@link
   * CachedResource#apply} sets. It should be unique in the cluster, and stay the same in later
   * versions of the program. By default it is the name of the controller; {@link Manager#client}
   * has none.
   *
   * <p>Corresponds to controller-runtime's {@code client.WithFieldOwner}.
   *
   * @throws IllegalArgumentException if the name is empty, has more than 128 characters, or has
   *     characters that cannot be printed
   */
  public Client withFieldManager(String fieldManager) {
    ApplyOptions.of(fieldManager); // Checks the name.
    return new Client(scope, rest, writes, fieldManager, own, tape);
  }

  /** Returns how this client applies configurations. */
  ApplyOptions applyOptions() {
    if (fieldManager == null) {
      throw new IllegalStateException(
          "this client has no field manager, under which to own the fields: call"
              + " withFieldManager(…) of the client");
    }
    return ApplyOptions.of(fieldManager).force();
  }

  /**
   * Returns an object that the cache of its kind does not have, because it belongs to another
   * replica: from the server.
   *
   * <p>It never returns the object of the reconcile, which is gone if the cache lacks it. A
   * different object may now have its name, and belong to another replica.
   *
   * @throws dev.clientgo.leaderelection.shard.ShardLostException if the object of the reconcile now
   *     belongs to another replica
   */
  <T extends KubernetesObject> Optional<T> findOutsideOfShard(ResourceType<T> type, ObjectName name)
      throws InterruptedException {
    if (!scope.isOfShard(type)) {
      return Optional.empty();
    }
    if (own != null && own.name.equals(name)) {
      own.work.check();
      return Optional.empty();
    }
    return scope.lookUp(type, name);
  }

  ClientScope scope() {
    return scope;
  }

  /** Notes a write that caches will show. */
  void note(List<OwnWrites<?>> caches, KubernetesObject object, boolean isDeletion) {
    if (writes != null) {
      writes.add(caches, object, isDeletion);
    }
  }

  /**
   * Returns the client without caches. The caches show its writes only when the watch delivers
   * them.
   *
   * <p>Corresponds to controller-runtime's {@code APIReader}.
   */
  public RESTClient uncached() {
    return rest;
  }
}
