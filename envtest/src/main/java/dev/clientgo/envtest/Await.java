package dev.clientgo.envtest;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.HandlerOptions;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.Lister;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.ResourceEventHandlerRegistration;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Waits in a test until objects are as they should be.
 *
 * <pre>{@code
 * import static dev.clientgo.envtest.Await.await;
 *
 * await(informer).until("3 pods run", pods -> pods.list().stream().filter(this::runs).count() == 3);
 * await(client.resource(Pod.TYPE)).untilDeleted("default/web-1");
 * }</pre>
 *
 * <p>{@link #await(SharedIndexInformer)} looks at the cache of an informer, so that the code under
 * test sees the same in its lister. {@link #await(ResourceClient)} looks at the server, through its
 * own list and watch. A condition is tested at the start and after each change, in the thread that
 * waits. Nothing polls.
 *
 * <p>If the time is up, the wait fails with an {@link AssertionError} that has the objects and, in
 * {@link dev.clientgo.cache.InformerHealth}, the last error between the informer and the server.
 * The time is real time, whatever the clock of the informer.
 *
 * <p>Needs {@code tools-cache} on the class path, which does not come with {@code envtest}.
 * Immutable, safe for use by many threads.
 *
 * @param <T> the type of the objects
 */
public final class Await<T extends KubernetesObject> {

  /** How long to wait by default: 30 seconds. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  private static final int MAX_OBJECTS_SHOWN = 10;
  private static final int MAX_OBJECT_LENGTH = 500;

  /** Gives an informer to a wait. */
  private interface Source<T extends KubernetesObject> {
    void lend(Wait<T> wait) throws InterruptedException;
  }

  /** What to do with an informer. */
  private interface Wait<T extends KubernetesObject> {
    void on(SharedIndexInformer<T> informer) throws InterruptedException;
  }

  private final Source<T> source;
  private final Duration timeout;

  private Await(Source<T> source, Duration timeout) {
    this.source = source;
    this.timeout = timeout;
  }

  /** Waits on the cache of an informer, which must have been started. */
  public static <T extends KubernetesObject> Await<T> await(SharedIndexInformer<T> informer) {
    requireNonNull(informer, "informer");
    return new Await<>(wait -> wait.on(informer), DEFAULT_TIMEOUT);
  }

  /** Waits on the objects of the server, in the namespace of the client or in all. */
  public static <T extends KubernetesObject> Await<T> await(ResourceClient<T> client) {
    requireNonNull(client, "client");
    return new Await<>(
        wait -> {
          try (SharedIndexInformer<T> informer =
              SharedIndexInformer.builder(ListWatch.<T>of(client::list, client::watch))
                  .type(client.type())
                  .name("await " + client)
                  .build()) {
            informer.start();
            wait.on(informer);
          }
        },
        DEFAULT_TIMEOUT);
  }

  /** Sets how long to wait; {@link #DEFAULT_TIMEOUT} by default. */
  public Await<T> within(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("the time must not be negative, is " + time);
    }
    return new Await<>(source, time);
  }

  /**
   * Waits until the objects meet a condition.
   *
   * @param description what is waited for, for the error
   * @throws AssertionError if they do not meet it in time
   * @throws IllegalStateException if the informer has not been started
   * @throws InterruptedException if the thread is interrupted
   */
  public void until(String description, Predicate<? super Lister<T>> condition)
      throws InterruptedException {
    source.lend(informer -> new Waiter<>(informer, timeout).run(description, condition));
  }

  /**
   * Waits until an assertion about the objects holds, that is, throws no {@link AssertionError}.
   * The last error is the cause of the one that this throws.
   *
   * <pre>{@code
   * await(informer).untilAsserted(pods -> assertThat(pods.list()).hasSize(3));
   * }</pre>
   *
   * @throws AssertionError if it does not hold in time
   * @throws IllegalStateException if the informer has not been started
   * @throws InterruptedException if the thread is interrupted
   */
  public void untilAsserted(Consumer<? super Lister<T>> assertion) throws InterruptedException {
    AssertionError[] last = new AssertionError[1];
    try {
      until(
          "the assertion holds",
          objects -> {
            try {
              assertion.accept(objects);
              return true;
            } catch (AssertionError e) {
              last[0] = e;
              return false;
            }
          });
    } catch (AssertionError e) {
      if (last[0] != null && last[0] != e) {
        e.initCause(last[0]);
      }
      throw e;
    }
  }

  /**
   * Waits until an object exists, and returns it.
   *
   * @param name the name, such as {@code "default/web-1"}, or {@code "node-1"} for an object
   *     without a namespace
   * @throws AssertionError if it does not exist in time
   * @throws IllegalStateException if the informer has not been started
   * @throws InterruptedException if the thread is interrupted
   */
  public T untilFound(String name) throws InterruptedException {
    return untilFound(name, "it exists", object -> true);
  }

  /**
   * Waits until an object exists and meets a condition, and returns it.
   *
   * @param name the name, such as {@code "default/web-1"}, or {@code "node-1"} for an object
   *     without a namespace
   * @param description what is waited for, for the error
   * @throws AssertionError if it does not meet the condition in time
   * @throws IllegalStateException if the informer has not been started
   * @throws InterruptedException if the thread is interrupted
   */
  public T untilFound(String name, String description, Predicate<? super T> condition)
      throws InterruptedException {
    ObjectName key = ObjectName.parse(name);
    Found<T> found = new Found<>();
    until(
        name + ": " + description,
        objects -> {
          found.object = objects.find(key).filter(condition).orElse(null);
          return found.object != null;
        });
    return requireNonNull(found.object, "found");
  }

  /**
   * Waits until an object does not exist, or no longer.
   *
   * @param name the name, such as {@code "default/web-1"}, or {@code "node-1"} for an object
   *     without a namespace
   * @throws AssertionError if it still exists when the time is up
   * @throws IllegalStateException if the informer has not been started
   * @throws InterruptedException if the thread is interrupted
   */
  public void untilDeleted(String name) throws InterruptedException {
    ObjectName key = ObjectName.parse(name);
    until(name + ": it is deleted", objects -> objects.find(key).isEmpty());
  }

  /** The result of one wait, written and read by the thread that waits. */
  private static final class Found<T> {
    private @Nullable T object;
  }

  /** One wait. The informer wakes it; the condition is tested without a lock. */
  private static final class Waiter<T extends KubernetesObject> implements ResourceEventHandler<T> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final SharedIndexInformer<T> informer;
    private final Duration timeout;
    private final Deadline deadline;

    @GuardedBy("lock")
    private long changes;

    Waiter(SharedIndexInformer<T> informer, Duration timeout) {
      this.informer = informer;
      this.timeout = timeout;
      this.deadline = Clock.system().deadline(timeout);
    }

    void run(String description, Predicate<? super Lister<T>> condition)
        throws InterruptedException {
      if (!informer.awaitSynced(timeout)) {
        throw failure(description, "the informer has not synced");
      }
      ResourceEventHandlerRegistration registration =
          informer.addEventHandler(this, HandlerOptions.builder().name("await").build());
      try {
        Lister<T> lister = informer.lister();
        long seen = changes();
        while (!condition.test(lister)) {
          Optional<Long> next = awaitChange(seen);
          if (next.isEmpty()) {
            if (condition.test(lister)) {
              return;
            }
            throw failure(description, contents(lister.list()));
          }
          seen = next.get();
        }
      } finally {
        informer.removeEventHandler(registration);
      }
    }

    private long changes() {
      lock.lock();
      try {
        return changes;
      } finally {
        lock.unlock();
      }
    }

    /** Waits for a change after those seen, and returns their number; empty if the time is up. */
    private Optional<Long> awaitChange(long seen) throws InterruptedException {
      lock.lockInterruptibly();
      try {
        while (changes == seen) {
          if (informer.isStopped() || !deadline.await(lock, changed)) {
            return Optional.empty();
          }
        }
        return Optional.of(changes);
      } finally {
        lock.unlock();
      }
    }

    private void wake() {
      lock.lock();
      try {
        changes++;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void onAdd(T object, boolean isInInitialList) {
      wake();
    }

    @Override
    public void onUpdate(T oldObject, T newObject) {
      wake();
    }

    @Override
    public void onDelete(DeletedObject<T> deleted) {
      wake();
    }

    private AssertionError failure(String description, String state) {
      return new AssertionError(
          "not within %s: %s%n%s%n%s".formatted(timeout, description, state, informer.health()));
    }

    private String contents(List<T> objects) {
      String shown =
          objects.stream()
              .limit(MAX_OBJECTS_SHOWN)
              .map(object -> "\n  " + ObjectName.of(object) + ": " + shortened(object.toString()))
              .collect(Collectors.joining());
      int more = objects.size() - MAX_OBJECTS_SHOWN;
      return informer.name()
          + " has "
          + objects.size()
          + (objects.size() == 1 ? " object" : " objects")
          + shown
          + (more > 0 ? "\n  and " + more + " more" : "");
    }

    private static String shortened(String text) {
      return text.length() <= MAX_OBJECT_LENGTH ? text : text.substring(0, MAX_OBJECT_LENGTH) + "…";
    }
  }
}
