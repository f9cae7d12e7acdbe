package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.predicate.Predicate;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls a {@link Reconciler} for each object of a kind, whenever the object, an object that it
 * owns, or another object that concerns it has changed.
 *
 * <pre>{@code
 * Controller foos =
 *     Controller.builder(new FooReconciler())
 *         .forKind(Foo.TYPE)
 *         .owns(Deployment.TYPE)
 *         .watches(Secret.TYPE, secret -> foosThatUse(secret))
 *         .workers(4)
 *         .build();
 * manager.add(foos);
 * }</pre>
 *
 * <p><b>Guarantees.</b> An object is never with two workers at once. Many events before a reconcile
 * become one request; an event during a reconcile causes a second reconcile. A request is never
 * lost: a reconcile that fails is tried again, after 5 ms at first, twice as long each time, and
 * 1000 s at most. Workers begin when the caches are filled. The objects of the first list and those
 * of resyncs have priority -100, so that changes go before them.
 *
 * <p>A {@link Manager} starts and ends it. A controller cannot be restarted: build a new one. Safe
 * for use by many threads.
 *
 * <p>Corresponds to controller-runtime's {@code controller.Controller} and {@code
 * builder.ControllerManagedBy}.
 */
public final class Controller {

  /** The default of {@link ControllerBuilder#cacheSyncTimeout}: two minutes. */
  public static final Duration DEFAULT_CACHE_SYNC_TIMEOUT = Duration.ofMinutes(2);

  /*
   * The lock guards the state, and is never held while something is waited for.
   */

  private final ControllerOptions options;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private ControllerState state = ControllerState.NEW;

  @GuardedBy("lock")
  private @Nullable RuntimeException failure;

  /** Null before the start and after the end. */
  private volatile @Nullable ControllerRun run;

  /** Whether the workers have started; until then, requests wait in {@link #early}. */
  @GuardedBy("lock")
  private boolean accepts;

  @GuardedBy("lock")
  private final Set<Request> early = new LinkedHashSet<>();

  Controller(ControllerOptions options) {
    this.options = options;
  }

  /** Returns a builder of controllers that call the reconciler. */
  public static ControllerBuilder builder(Reconciler reconciler) {
    return new ControllerBuilder(reconciler);
  }

  /** Returns the name, which labels metrics and log lines. */
  public String name() {
    return options.name();
  }

  /** Returns the state. */
  public ControllerState state() {
    lock.lock();
    try {
      return state;
    } finally {
      lock.unlock();
    }
  }

  /** Returns why the controller has failed; empty if it has not. */
  public Optional<RuntimeException> failure() {
    lock.lock();
    try {
      return Optional.ofNullable(failure);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a request to the queue, for causes that no watch shows: a timer, a webhook, another
   * system. A request that comes before the workers have started waits for them. Does nothing if
   * the controller is closed or has failed, or if the object belongs to {@linkplain
   * ManagerBuilder#shards another replica}.
   *
   * <p>Corresponds to controller-runtime's {@code source.Channel}.
   */
  public void enqueue(Request request) {
    requireNonNull(request, "request");
    ControllerRun current;
    lock.lock();
    try {
      if (!accepts) {
        if (state != ControllerState.CLOSED && state != ControllerState.FAILED) {
          early.add(request);
        }
        return;
      }
      current = run;
    } finally {
      lock.unlock();
    }
    if (current != null) {
      current.enqueue(request);
    }
  }

  /**
   * Begins to watch one more kind while the controller is running, such as one that a
   * CustomResourceDefinition has just defined. Returns before the cache is filled.
   *
   * <p>Corresponds to controller-runtime's {@code Controller.Watch}.
   *
   * @param map finds the requests for an object that has changed
   * @throws IllegalStateException if the controller is not running
   * @throws InterruptedException if the thread is interrupted
   */
  public <T extends KubernetesObject> void watch(ResourceType<T> type, MapFunction<T> map)
      throws InterruptedException {
    requireNonNull(type, "type");
    requireNonNull(map, "map");
    ControllerRun current = run;
    boolean running = state() == ControllerState.RUNNING || isWorker();
    if (current == null || !running) {
      throw new IllegalStateException(
          "the controller " + name() + " is not running: give its builder the kinds to watch");
    }
    current.watch(
        new ControllerOptions.Watch<>(
            type, ControllerOptions.reading(map), Predicate.everything(), /* isPrimary= */ false));
  }

  /**
   * Ends to watch a kind, and forgets its cache, unless another controller uses it. Call it when
   * the server no longer has the kind. Does nothing if this does not watch it.
   */
  public void unwatch(ResourceType<?> type) {
    ControllerRun current = run;
    if (current != null) {
      current.unwatch(type);
    }
  }

  @Override
  public String toString() {
    return "Controller[name=" + name() + ", state=" + state() + "]";
  }

  // ---- lifecycle, for the manager

  /**
   * Starts the controller and returns at once.
   *
   * @param changed receives this when it has reached another state
   * @throws IllegalStateException if it was started before
   */
  void start(Environment environment, Consumer<Controller> changed) {
    lock.lock();
    try {
      if (state != ControllerState.NEW) {
        throw new IllegalStateException(
            "the controller "
                + name()
                + " was started before and cannot start again: build a new one");
      }
      state = ControllerState.SYNCING;
      try {
        ControllerRun started = new ControllerRun(options, environment, new RunListener(changed));
        run = started;
        started.start();
      } catch (Throwable e) { // Of the user's thread factory, or no memory for a thread.
        state = ControllerState.FAILED;
        failure = ControllerRun.failure(name(), e);
        throw e;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Begins to end the controller: no worker begins another reconcile. */
  void shutDown() {
    lock.lock();
    try {
      state = ControllerState.CLOSED;
    } finally {
      lock.unlock();
    }
    ControllerRun current = run;
    if (current != null) {
      current.shutDown();
    }
  }

  /**
   * Ends the controller, after {@link #shutDown}.
   *
   * @param grace how long reconciles may take before they are interrupted
   * @return whether all reconciles have ended
   */
  boolean close(Duration grace) {
    shutDown();
    ControllerRun current = run;
    boolean ended = current == null || current.close(grace);
    run = null;
    return ended;
  }

  ControllerOptions options() {
    return options;
  }

  /** Returns whether the calling thread is one of this controller's workers or pollers. */
  boolean isWorker() {
    ControllerRun current = run;
    return current != null && current.containsCurrentThread();
  }

  /** Returns the kinds whose caches are not filled yet, and why. */
  String pending() {
    ControllerRun current = run;
    return current == null ? "" : current.pending();
  }

  /** Returns the {@link ControllerRun#problem}, if this is started. */
  Optional<String> problem(boolean alsoFunctions) {
    return Optional.ofNullable(run).flatMap(current -> current.problem(alsoFunctions));
  }

  /** Moves to the states that the run reaches, unless the controller is closed. */
  private final class RunListener implements ControllerRun.Listener {

    private final Consumer<Controller> manager;

    RunListener(Consumer<Controller> manager) {
      this.manager = manager;
    }

    @Override
    public boolean moveTo(ControllerState next, @Nullable RuntimeException error) {
      lock.lock();
      try {
        if (state == ControllerState.CLOSED) {
          return false;
        }
        state = next;
        failure = error;
        return true;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public boolean isClosed() {
      return state() == ControllerState.CLOSED;
    }

    @Override
    public void accept() {
      List<Request> waited;
      lock.lock();
      try {
        accepts = true;
        waited = List.copyOf(early);
        early.clear();
      } finally {
        lock.unlock();
      }
      waited.forEach(Controller.this::enqueue);
    }

    @Override
    public void changed() {
      manager.accept(Controller.this);
    }
  }
}
