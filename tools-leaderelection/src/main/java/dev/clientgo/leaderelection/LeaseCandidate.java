package dev.clientgo.leaderelection;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;
import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.wait.DelayFunction;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.Clock;
import dev.clientgo.leaderelection.internal.LeaseThreads;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Offers this process to the server as a leader: coordinated election, in which the server chooses
 * among the candidates and writes its choice into the Lease.
 *
 * <pre>{@code
 * LeaseLock lock = LeaseLock.of("shop", "my-controller");
 * String identity = System.getenv("HOSTNAME"); // The name of the LeaseCandidate, too.
 * try (LeaseCandidate candidate =
 *         LeaseCandidate.of(client, lock, identity, "1.4.0", "1.4.0", "OldestEmulationVersion");
 *     LeaderElector elector =
 *         LeaderElector.builder(client, lock, identity).coordinated(true)....build()) {
 *   candidate.start();
 *   elector.run();
 * }
 * }</pre>
 *
 * <p>It creates the object {@code LeaseCandidate} if it is missing, and renews it every five
 * minutes, and at once when the server asks for a sign of life ({@code pingTime}). It needs the
 * verbs {@code get}, {@code list}, {@code watch}, {@code create} and {@code update} on {@code
 * leasecandidates} of {@code coordination.k8s.io}, and a server with the feature gate {@code
 * CoordinatedLeaderElection} that serves {@code coordination.k8s.io/v1beta1}.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code
 * leaderelection.LeaseCandidate}.
 */
public final class LeaseCandidate implements AutoCloseable {

  private static final System.Logger LOGGER = System.getLogger(LeaseCandidate.class.getName());

  /** The kind is not one of the built-in ones of {@code kubernetes}: servers do not serve it. */
  private static final ResourceType<Unstructured> TYPE =
      Unstructured.type(
          new GroupVersionKind("coordination.k8s.io", "v1beta1", "LeaseCandidate"),
          "leasecandidates",
          true);

  private static final Duration PERIOD = Duration.ofMinutes(5);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private static final Backoff BACKOFF =
      Backoff.builder(Duration.ofMillis(100))
          .factor(2)
          .jitter(1)
          .steps(10)
          .cap(Duration.ofMinutes(1))
          .build();

  private final ResourceClient<Unstructured> candidates;
  private final String name;
  private final Map<String, String> spec;
  private final Clock clock;
  private final LeaseThreads threads;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;

  @GuardedBy("lock")
  private boolean pinged;

  @GuardedBy("lock")
  private boolean closed;

  private LeaseCandidate(
      RESTClient client, LeaseLock lock, String name, Map<String, String> spec, Clock clock) {
    this.candidates = client.resource(TYPE).inNamespace(lock.namespace());
    this.name = requireNonNull(name, "name");
    this.spec = spec;
    this.clock = clock;
    changed = clock.newCondition(this.lock);
    threads = new LeaseThreads(clock.threads("lease-candidate-"), clock);
  }

  /**
   * Returns a candidate, without sending a request or starting a thread.
   *
   * @param client reaches the server; the caller closes it after the candidate
   * @param lock names the Lease, and the namespace of the candidate
   * @param name the name of the candidate, which is the identity of its {@link LeaderElector}
   * @param binaryVersion the version of the program, such as {@code 1.4.0}
   * @param emulationVersion the version that it behaves like
   * @param strategy how to choose, such as {@code OldestEmulationVersion}
   */
  public static LeaseCandidate of(
      RESTClient client,
      LeaseLock lock,
      String name,
      String binaryVersion,
      String emulationVersion,
      String strategy) {
    return of(client, lock, name, binaryVersion, emulationVersion, strategy, Clock.system());
  }

  static LeaseCandidate of(
      RESTClient client,
      LeaseLock lock,
      String name,
      String binaryVersion,
      String emulationVersion,
      String strategy,
      Clock clock) {
    Map<String, String> spec =
        Map.of(
            "leaseName", lock.name(),
            "binaryVersion", binaryVersion,
            "emulationVersion", emulationVersion,
            "strategy", strategy);
    return new LeaseCandidate(client, lock, name, spec, clock);
  }

  /** Calls {@link #run} in a thread of its own, and returns at once. */
  public void start() {
    threads.start(
        () -> {
          try {
            run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // The thread ends.
          } catch (RuntimeException e) {
            LOGGER.log(ERROR, "The lease candidate has ended. name=" + name, e);
          }
        });
  }

  /**
   * Creates and renews the candidate until this is closed. Errors of the server are logged, and the
   * request is made again after a backoff.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public void run() throws InterruptedException {
    ListWatch<Unstructured> own =
        ListWatch.of(candidates::list, candidates::watch)
            .filtered(
                options -> options.toBuilder().fieldSelector("metadata.name=" + name).build());
    try (SharedIndexInformer<Unstructured> informer =
        SharedIndexInformer.builder(own).type(TYPE).build()) {
      informer.addEventHandler(
          new ResourceEventHandler<>() {
            @Override
            public void onUpdate(Unstructured before, Unstructured after) {
              if (isPinged(after)) {
                ping();
              }
            }
          });
      informer.start();
      DelayFunction delays = BACKOFF.delays(new Random());
      while (!isClosed()) {
        Duration pause = PERIOD;
        try {
          renew();
          delays = BACKOFF.delays(new Random());
        } catch (KubernetesException e) {
          LOGGER.log(WARNING, "The lease candidate cannot be renewed. name={0} error={1}", name, e);
          pause = delays.next();
        }
        awaitPing(pause);
      }
    }
  }

  private static boolean isPinged(Unstructured candidate) {
    Optional<MicroTime> ping = candidate.nestedString("spec", "pingTime").map(MicroTime::parse);
    Optional<MicroTime> renewed = candidate.nestedString("spec", "renewTime").map(MicroTime::parse);
    return ping.isPresent() && (renewed.isEmpty() || ping.get().isAfter(renewed.get()));
  }

  private void renew() throws InterruptedException {
    String now = MicroTime.now(clock).toString();
    Optional<Unstructured> found = candidates.find(name);
    if (found.isPresent()) {
      candidates.update(found.get().with(now, "spec", "renewTime"));
      return;
    }
    Unstructured created =
        Unstructured.of(Map.of("spec", spec))
            .withType(TYPE.kind().groupVersion().toString(), TYPE.kind().kind())
            .withMetadata(ObjectMeta.of(m -> m.namespace(candidates.namespace()).name(name)));
    candidates.create(created.with(now, "spec", "renewTime"));
  }

  private void ping() {
    lock.lock();
    try {
      pinged = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the server asks for a sign of life, a time has passed, or this is closed. */
  private void awaitPing(Duration timeout) throws InterruptedException {
    long start = clock.nanoTime();
    lock.lockInterruptibly();
    try {
      while (!pinged
          && !closed
          && clock.await(lock, changed, timeout.minusNanos(clock.nanoTime() - start))) {
        // Woken early: look again.
      }
      pinged = false;
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends {@link #run}, and waits for the thread that {@link #start} has started, 10 s at most. The
   * object stays on the server, which removes it some time after its last renewal.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      List<String> left = threads.join(CLOSE_TIMEOUT);
      if (!left.isEmpty()) {
        LOGGER.log(WARNING, "A lease candidate is left behind when it is closed. threads=" + left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
