package dev.clientgo.leaderelection;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;
import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.internal.LeaseClient;
import dev.clientgo.leaderelection.internal.LeaseThreads;
import dev.clientgo.leaderelection.internal.LeaseTimings;
import dev.clientgo.leaderelection.internal.Observation;
import dev.clientgo.rest.RESTClient;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One candidate in an election, in which at most one candidate leads at a time.
 *
 * <pre>{@code
 * LeaseLock lock = LeaseLock.of("shop", "my-controller");
 * try (LeaderElector elector =
 *     LeaderElector.builder(client, lock, LeaderElector.uniqueIdentity())
 *         .onStartedLeading(term -> runControllers(term.client()))
 *         .onStoppedLeading(() -> System.out.println("no longer the leader"))
 *         .build()) {
 *   elector.run();
 * }
 * }</pre>
 *
 * <p>The candidates compete for a Lease. The leader renews it every retry period, 2 s. If it has
 * not succeeded for the renew deadline, 10 s, it stops leading, and {@link #run} returns; most
 * programs exit then, and are restarted. The others try to take the Lease when it has not changed
 * for the lease duration, 15 s. They measure this from the moment at which they saw the last
 * change, by their own clock, so the clocks of the machines may show different times.
 *
 * <p><b>Writes.</b> The work of the leader should use the client of its {@link LeadershipTerm},
 * which cannot write after the leadership has ended. Caches need not wait: start informers before
 * {@code run}, and they are warm when this process begins to lead.
 *
 * <p>The elector sends its requests over its own connections, made with the options of the client.
 * {@link #run} can be called again after it has returned. Safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code leaderelection.LeaderElector}. Unlike client-go: a term that
 * has ended never resumes, even if the Lease can be renewed again, and a leader that sees another
 * holder stops at once.
 */
public final class LeaderElector implements AutoCloseable {

  /** How long {@link #close} waits for callbacks. */
  private static final Duration CALLBACK_TIMEOUT = Duration.ofSeconds(10);

  private final RESTClient client;
  private final ElectionSettings settings;
  private final String name;
  private final Clock clock;
  private final LeaseThreads threads;
  private final LeaseReports reports;
  private final ElectionDriver driver;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition returned;

  @GuardedBy("lock")
  private boolean running;

  /** The thread of {@link #run}. */
  @GuardedBy("lock")
  private @Nullable Thread runner;

  @GuardedBy("lock")
  private boolean closed;

  /** Why an election that {@link #start} began has ended; empty if it still runs or was closed. */
  private volatile String ended = "";

  private LeaderElector(Builder builder, ElectionSettings settings, LeaderCallbacks callbacks) {
    this.client = builder.client;
    this.settings = settings;
    this.name = builder.name == null ? settings.lock().name() : builder.name;
    this.clock = builder.clock;
    returned = clock.newCondition(lock);
    this.threads = new LeaseThreads(builder.threadFactory, clock);
    reports = new LeaseReports(settings, name, builder.metrics, builder.events, clock);
    reports.leading(false);
    this.driver =
        new ElectionDriver(settings, client, callbacks, reports, clock, builder.random, threads);
  }

  /**
   * Returns a builder.
   *
   * @param client reaches the server; the caller closes it, after the elector
   * @param lock names the Lease
   * @param identity identifies this candidate; must be unique. See {@link #uniqueIdentity}.
   */
  public static Builder builder(RESTClient client, LeaseLock lock, String identity) {
    return new Builder(client, lock, identity);
  }

  /** Returns a new identity: the host name, which in a pod is the name of the pod, and a UUID. */
  public static String uniqueIdentity() {
    return hostName() + '_' + UUID.randomUUID();
  }

  private static String hostName() {
    String name = System.getenv("HOSTNAME");
    if (name != null && !name.isEmpty()) {
      return name;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  /**
   * Competes for the Lease, leads, and returns when this process no longer leads or the elector was
   * closed. {@link Builder#onStoppedLeading} has run then.
   *
   * @throws InterruptedException if the thread is interrupted; this ends the term as {@link #close}
   *     does. A second interruption ends the attempt to give the Lease back.
   * @throws IllegalStateException if the elector is running or closed
   */
  public void run() throws InterruptedException {
    begin();
    elect();
  }

  /**
   * Does what {@link #run} does, in a thread of the elector, and returns at once. An error that
   * {@code run} would throw is logged. If the election ends before {@link #close}, {@link #check}
   * and {@link #problem} explain why.
   *
   * @throws IllegalStateException if the elector is running or closed
   */
  public void start() {
    begin();
    try {
      threads.start(this::electInThread);
    } catch (RuntimeException | Error e) {
      setRunner(null);
      throw e;
    }
  }

  private void electInThread() {
    String reason = "the term has ended";
    try {
      elect();
    } catch (InterruptedException e) {
      reason = "its thread was interrupted";
    } catch (Throwable e) {
      reason = CrashLog.text(e);
      CrashLog.log(
          LeaseReports.LOG, ERROR, "The leader election has ended: lease=" + settings.lock(), e);
    }
    lock.lock();
    try {
      if (!closed && !running) { // It may be running again.
        ended = this + " does not compete any more: " + reason;
      }
    } finally {
      lock.unlock();
    }
  }

  private void begin() {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the elector is closed: " + this);
      }
      if (running) {
        throw new IllegalStateException("the elector is running: " + this);
      }
      running = true;
      ended = "";
    } finally {
      lock.unlock();
    }
  }

  private void elect() throws InterruptedException {
    setRunner(Thread.currentThread());
    String namespace = settings.lock().namespace();
    try (LeaseClient requests =
        new LeaseClient(client, "leader-election", settings.timings(), namespace)) {
      driver.run(requests);
    } finally {
      setRunner(null);
    }
  }

  /** Sets the thread that runs the election; without one, the election does not run. */
  private void setRunner(@Nullable Thread thread) {
    lock.lock();
    try {
      runner = thread;
      running = thread != null;
      returned.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether this process leads. */
  public boolean isLeader() {
    LeadershipTerm term = driver.election().term();
    return term != null && !term.isOver();
  }

  /** Returns the current term; empty if this process does not lead. */
  public Optional<LeadershipTerm> term() {
    return Optional.ofNullable(driver.election().term()).filter(term -> !term.isOver());
  }

  /**
   * Returns the identity of the leader as last seen; empty if none was seen, or the Lease was given
   * back. For people to read.
   */
  public String leader() {
    return driver.election().observed().holder();
  }

  /** Returns the lock. */
  public LeaseLock lock() {
    return settings.lock();
  }

  /** Returns the identity of this candidate. */
  public String identity() {
    return settings.identity();
  }

  /**
   * Returns why this candidate cannot compete: three or more of its requests about the Lease have
   * failed in a row, or the election that {@link #start} began has ended. Empty if it leads or
   * waits for another holder. For a readiness check: the reason may disappear without a restart.
   */
  public Optional<String> problem() {
    return ended.isEmpty() ? reports.problem() : Optional.of(ended);
  }

  /**
   * Returns why this process is unhealthy, so that a restart may help. Empty if it is healthy. The
   * reasons are:
   *
   * <ul>
   *   <li>It holds the Lease as last seen, but has not renewed it for longer than the lease
   *       duration and a tolerance.
   *   <li>Its requests have failed for that long before they reached the server, for example
   *       because a certificate file is missing.
   *   <li>A callback has failed three times in a row.
   *   <li>The election that {@link #start} began has ended.
   * </ul>
   *
   * <p>Corresponds to client-go's {@code leaderelection.HealthzAdaptor}.
   */
  public Optional<String> check(Duration tolerance) {
    Optional<String> broken =
        ended.isEmpty()
            ? reports.broken(settings.timings().leaseDuration().plus(tolerance))
            : Optional.of(ended);
    if (broken.isPresent()) {
      return broken;
    }
    Observation observed = driver.election().observed();
    if (!driver.election().isHolder()) {
      return Optional.empty();
    }
    Duration age = Duration.ofNanos(clock.nanoTime() - observed.since());
    return age.compareTo(settings.timings().leaseDuration().plus(tolerance)) > 0
        ? Optional.of(
            "failed election to renew leadership on lease "
                + name
                + ": last renewed "
                + age
                + " ago")
        : Optional.empty();
  }

  /**
   * Ends the term, gives the Lease back if {@link Builder#releaseOnCancel} is set, and waits until
   * {@link #run} has returned and the threads of the callbacks have ended, but no longer than 10 s
   * for the callbacks. A callback may call this; it is not waited for. If the calling thread is
   * interrupted, it stops waiting, and stays interrupted. A second call does nothing.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    driver.stop();
    try {
      awaitReturn();
      List<String> left = threads.join(CALLBACK_TIMEOUT);
      if (!left.isEmpty()) {
        LeaseReports.LOG.log(
            WARNING,
            "Callbacks did not return when the elector was closed; their threads are left behind:"
                + " threads="
                + left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitReturn() throws InterruptedException {
    if (threads.containCurrent()) {
      return;
    }
    lock.lockInterruptibly();
    try {
      while (running && runner != Thread.currentThread()) {
        returned.await();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return '"' + settings.identity() + "\" for the lease " + settings.lock();
  }

  /** Builds a {@link LeaderElector}. Not safe for use by many threads. */
  public static final class Builder {

    private final RESTClient client;
    private final LeaseLock lock;
    private final String identity;
    private Duration leaseDuration = LeaseTimings.LEASE_DURATION;
    private Duration renewDeadline = LeaseTimings.RENEW_DEADLINE;
    private Duration retryPeriod = LeaseTimings.RETRY_PERIOD;
    private boolean releaseOnCancel;
    private @Nullable String name;
    private LeaderElectionMetrics metrics = LeaderElectionMetrics.NONE;
    private BiConsumer<Lease, String> events = (lease, message) -> {};
    private LeadershipTerm.@Nullable Work onStartedLeading;
    private @Nullable Runnable onStoppedLeading;
    private Consumer<String> onNewLeader = identity -> {};
    private Clock clock = Clock.system();
    private RandomGenerator random = new java.util.Random();
    private ThreadFactory threadFactory = DaemonThreads.platform("leader-election-");

    private Builder(RESTClient client, LeaseLock lock, String identity) {
      this.client = requireNonNull(client, "client");
      this.lock = requireNonNull(lock, "lock");
      this.identity = requireNonNull(identity, "identity");
    }

    /** Sets the work of the leader. Required. */
    public Builder onStartedLeading(LeadershipTerm.Work work) {
      this.onStartedLeading = requireNonNull(work, "work");
      return this;
    }

    /**
     * Sets the function that runs in the thread of {@link LeaderElector#run}, before that returns:
     * also if this process never led. The term has ended then, and the work has been interrupted,
     * but may not have ended. Required.
     */
    public Builder onStoppedLeading(Runnable callback) {
      this.onStoppedLeading = requireNonNull(callback, "callback");
      return this;
    }

    /**
     * Sets the function that receives the identity of the leader when it is not the one last seen;
     * this process can be the leader too. The identity is empty if the Lease was given back. Calls
     * come one after the other, in threads of the elector.
     */
    public Builder onNewLeader(Consumer<String> callback) {
      this.onNewLeader = requireNonNull(callback, "callback");
      return this;
    }

    /**
     * Sets how long the other candidates wait after the last renewal before they take the Lease; 15
     * s by default. A Lease counts whole seconds; fractions are cut off.
     */
    public Builder leaseDuration(Duration leaseDuration) {
      this.leaseDuration = requireNonNull(leaseDuration, "leaseDuration");
      return this;
    }

    /** Sets how long a leader tries to renew the Lease before it gives up; 10 s by default. */
    public Builder renewDeadline(Duration renewDeadline) {
      this.renewDeadline = requireNonNull(renewDeadline, "renewDeadline");
      return this;
    }

    /**
     * Sets the time between renewals; 2 s by default. A candidate that does not lead waits for one
     * to 2.2 times as long between its attempts, at random.
     */
    public Builder retryPeriod(Duration retryPeriod) {
      this.retryPeriod = requireNonNull(retryPeriod, "retryPeriod");
      return this;
    }

    /**
     * Sets whether the Lease is given back when the term ends, so that the next leader need not
     * wait; false by default. It is given back only after the work has returned; if that takes
     * longer than the renew deadline, the Lease is left to expire.
     */
    public Builder releaseOnCancel(boolean releaseOnCancel) {
      this.releaseOnCancel = releaseOnCancel;
      return this;
    }

    /** Sets the name of the election in metrics and health; the name of the Lease by default. */
    public Builder name(String name) {
      this.name = requireNonNull(name, "name");
      return this;
    }

    /** Sets the receiver of metrics; none by default. */
    public Builder metrics(LeaderElectionMetrics metrics) {
      this.metrics = requireNonNull(metrics, "metrics");
      return this;
    }

    /**
     * Sets the function that records an event about the Lease, with a message such as {@code web-0
     * became leader}; none by default. In client-go, the type of such an event is {@code Normal}
     * and its reason {@code LeaderElection}. The function must be quick; the elector calls it while
     * it holds the Lease, and logs and ignores its exceptions.
     */
    public Builder events(BiConsumer<Lease, String> events) {
      this.events = requireNonNull(events, "events");
      return this;
    }

    /** Sets the clock, for tests. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /** Sets the source of the random part of pauses, for tests. */
    public Builder random(RandomGenerator random) {
      this.random = requireNonNull(random, "random");
      return this;
    }

    /**
     * Sets the factory of the threads, including the threads of the callbacks. By default they are
     * platform daemon threads. Virtual threads can lose the Lease: they wait while other virtual
     * threads of the program compute or are pinned.
     */
    public Builder threadFactory(ThreadFactory threadFactory) {
      this.threadFactory = requireNonNull(threadFactory, "threadFactory");
      return this;
    }

    /**
     * Returns the elector, without sending a request or starting a thread.
     *
     * @throws IllegalArgumentException unless leaseDuration &gt; renewDeadline &gt; 1.2 ×
     *     retryPeriod &gt; 0, the lease duration is at least one second, and the identity is not
     *     empty
     * @throws IllegalStateException if a required callback is missing
     */
    public LeaderElector build() {
      ElectionSettings settings =
          new ElectionSettings(
              lock,
              identity,
              new LeaseTimings(leaseDuration, renewDeadline, retryPeriod),
              releaseOnCancel);
      return new LeaderElector(this, settings, callbacks());
    }

    private LeaderCallbacks callbacks() {
      LeadershipTerm.Work work = onStartedLeading;
      Runnable stopped = onStoppedLeading;
      if (work == null || stopped == null) {
        throw new IllegalStateException(
            "onStartedLeading and onStoppedLeading are required; "
                + (work == null ? "onStartedLeading" : "onStoppedLeading")
                + " is not set");
      }
      return new LeaderCallbacks(work, stopped, onNewLeader);
    }
  }
}
