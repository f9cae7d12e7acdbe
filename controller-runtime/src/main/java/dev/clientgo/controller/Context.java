package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.internal.incident.Tape;
import dev.clientgo.events.EventRecorder;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One call of a reconciler: its client, its views of the caches, its recorder of events, its
 * controller, its priority and its earlier failures.
 *
 * <p>A context is valid during one call of {@link Reconciler#reconcile}. Safe for use by many
 * threads.
 */
public final class Context {

  private final String controller;
  private final Request request;
  private final long reconcileId;
  private final int priority;
  private final int failures;
  private final Client client;
  private final EventRecorder events;

  /** Throws if this process no longer leads, or no longer owns the object. */
  private final Runnable leadership;

  /** Applies children with a client. */
  private final Function<Client, Children.Runner> childrenRunner;

  private final LongSupplier seeds;

  /** By resource and codec, which stands for the type of the objects. */
  private final ConcurrentMap<Object, ResourceView<?>> views = new ConcurrentHashMap<>(2);

  Context(
      String controller,
      Request request,
      long reconcileId,
      int priority,
      int failures,
      Client client,
      EventRecorder events,
      Runnable leadership,
      Function<Client, Children.Runner> childrenRunner,
      LongSupplier seeds) {
    this.controller = requireNonNull(controller, "controller");
    this.request = request;
    this.reconcileId = reconcileId;
    this.priority = priority;
    this.failures = failures;
    this.client = client;
    this.events = events;
    this.leadership = leadership;
    this.childrenRunner = childrenRunner;
    this.seeds = seeds;
  }

  /** Returns this context with all that the reconciler reads and writes by it on a tape. */
  Context on(Tape tape) {
    return new Context(
        controller,
        request,
        reconcileId,
        priority,
        failures,
        client.on(tape),
        events,
        () -> tape.value("checkLeadership", "", this::checked),
        childrenRunner,
        seeds);
  }

  private String checked() {
    leadership.run();
    return "";
  }

  /** Returns the name of the controller. */
  public String controller() {
    return controller;
  }

  /**
   * Returns the number of this call among those of the controller, for logs. Corresponds to
   * controller-runtime's {@code ReconcileIDFromContext}.
   */
  public long reconcileId() {
    return reconcileId;
  }

  /**
   * Returns a logger that adds {@code controller}, {@code namespace}, {@code name} and {@code
   * reconcileId} to each message, as {@code key=value}; with {@link Clusters} also {@code cluster}.
   *
   * <p>Corresponds to {@code log.FromContext}.
   *
   * @param log receives the messages
   */
  public System.Logger logger(System.Logger log) {
    return FieldLogger.of(requireNonNull(log, "log"), controller, request, reconcileId);
  }

  /** Returns the priority of the request; events of the first list have -100, others 0. */
  public int priority() {
    return priority;
  }

  /** Returns how often in a row this request has failed before. */
  public int failures() {
    return failures;
  }

  /** Returns the client that reads from the caches, with own writes, and writes to the server. */
  public Client client() {
    return client;
  }

  /**
   * Returns the objects of a kind, in all namespaces, as they are when this reconcile first calls
   * this for the kind. Later calls for the same kind return the same state, so all that a reconcile
   * reads in it agrees.
   *
   * <p>Own writes made before that first call are in it, those made after it are not. The views of
   * two kinds are taken one after the other, so they may be of different moments.
   *
   * <p>The first read of a kind that no controller watches begins to watch it, and waits until its
   * cache is filled.
   *
   * @throws CacheSyncException if the cache is not filled in time
   */
  public <T extends KubernetesObject> ResourceView<T> view(ResourceType<T> type)
      throws InterruptedException {
    Object key = List.of(type.resource(), type.codec());
    ResourceView<T> pinned = pinned(key);
    if (pinned != null) {
      return pinned;
    }
    ResourceView<T> taken = client.resource(type).view();
    views.putIfAbsent(key, taken); // Another thread of the reconcile may have been faster.
    return requireNonNull(pinned(key), "view");
  }

  @SuppressWarnings("unchecked") // The key has the codec, which makes objects of one type.
  private <T extends KubernetesObject> @Nullable ResourceView<T> pinned(Object key) {
    return (ResourceView<T>) views.get(key);
  }

  /**
   * Returns the time now, by the clock of the client. An {@linkplain IncidentRecorder incident} has
   * it, so a replay reads the same time.
   */
  public Instant now() {
    return Instant.parse(
        client.tape().value("now", "", () -> client.uncached().clock().now().toString()));
  }

  /**
   * Returns random numbers, other ones at each call. An {@linkplain IncidentRecorder incident} has
   * their seed, so a replay gets the same numbers. Not for secrets: they can be guessed.
   */
  public RandomGenerator random() {
    return new Random(
        Long.parseLong(client.tape().value("random", "", () -> Long.toString(seeds.getAsLong()))));
  }

  /**
   * Returns the recorder of the events that this controller writes about objects:
   *
   * <pre>{@code
   * context.events().normal(foo, "Created", "CreateDeployment", "created the deployment %s", name);
   * }</pre>
   *
   * <p>The name of the controller is the {@code reportingController} of the events. If the server
   * refuses the name, dashes stand for its characters that are not letters, digits, dots,
   * underscores or dashes. Recording never blocks and never throws. {@link Manager#close} sends
   * what is still on its way.
   *
   * <p>Corresponds to controller-runtime's {@code GetEventRecorder}.
   */
  public EventRecorder events() {
    return events;
  }

  /**
   * Returns the objects that an owner should have, to be applied as a set; see {@link Children}.
   * The owner is an object of the kind that the controller is {@linkplain ControllerBuilder#forKind
   * for}, as it was read.
   *
   * @throws IllegalArgumentException if the name of the controller has a dot, or is no value of a
   *     label
   */
  public Children children(KubernetesObject owner) {
    return Children.of(childrenRunner.apply(client), controller, owner, "");
  }

  /** Returns one of several sets of an owner; a set never touches the children of the others. */
  public Children children(KubernetesObject owner, String set) {
    return Children.of(childrenRunner.apply(client), controller, owner, set);
  }

  /**
   * Returns if this process still leads and owns the object of the request; call it before an
   * action that is not a request, which no fence would stop. Always returns if the controller works
   * without {@linkplain ManagerBuilder#leaderElection leadership} and {@linkplain
   * ManagerBuilder#shards shards}.
   *
   * @throws dev.clientgo.leaderelection.LeadershipLostException if another process may lead
   * @throws dev.clientgo.leaderelection.shard.ShardLostException if another replica may own the
   *     object
   */
  public void checkLeadership() {
    leadership.run();
  }

  @Override
  public String toString() {
    return "Context[controller=" + controller + ", reconcileId=" + reconcileId + "]";
  }
}
