package dev.clientgo.leaderelection.shard;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.leaderelection.LeaderElector;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.leaderelection.internal.LeaseTimings;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * One member of a group of replicas that share the objects of a program: each object belongs to at
 * most one member at a time, and each of N members has about one in N objects.
 *
 * <pre>{@code
 * try (ShardGroup group =
 *     ShardGroup.builder(client, LeaseLock.of("shop", "my-controller-shards")).build()) {
 *   group.addListener(listener); // Looks at all objects of the slots that this member takes.
 *   group.start();
 *   ...
 *   Optional<ShardWork> work = group.begin(uid, () -> {});
 * }
 * }</pre>
 *
 * <p>The hash of its uid puts each object into one of a fixed number of slots, and each slot has
 * one owner. Each member renews its own Lease every retry period, 2 s. The Lease of the group
 * records the owners; it is written only when slots change hands.
 *
 * <p><b>Guarantees.</b> Two members never act for a slot at the same time, even if members pause,
 * die, or lose their connection, or if answers of the server are lost. To act means to begin work,
 * and to write through {@link ShardWork#fence}. If a member joins or leaves, only the slots move
 * that must. The former owner first ends the work that it has begun in a slot. If a member dies,
 * others own its slots after the lease duration, 15 s, from its last renewal, and a few requests.
 * The same holds if it is cut off from the server for that long; it stops acting before.
 *
 * <p>All members need the same number of slots. A member needs the verbs {@code get}, {@code list},
 * {@code watch}, {@code create}, {@code update} and {@code delete} on the resource {@code leases}
 * of the group {@code coordination.k8s.io}. Safe for use by many threads.
 */
public final class ShardGroup implements AutoCloseable {

  /** The default of {@link Builder#slots}. */
  public static final int DEFAULT_SLOTS = 256;

  /** How long {@link #close} waits for threads. */
  private static final Duration THREAD_TIMEOUT = Duration.ofSeconds(10);

  private final ShardSettings settings;
  private final Clock clock;
  private final ShardDriver driver;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private boolean started;

  @GuardedBy("lock")
  private boolean closed;

  private ShardGroup(Builder builder, ShardSettings settings) {
    this.settings = settings;
    clock = builder.clock;
    driver =
        new ShardDriver(builder.client, settings, clock, builder.random, builder.threadFactory);
  }

  /**
   * Returns a builder.
   *
   * @param client reaches the server; the caller closes it, after the group
   * @param group names the Lease of the group, at most 63 characters; the names of the members'
   *     Leases begin with it
   */
  public static Builder builder(RESTClient client, LeaseLock group) {
    return new Builder(client, group);
  }

  /** Adds a listener. A listener that is added before {@link #start} is called for all slots. */
  public void addListener(ShardListener listener) {
    driver.addListener(requireNonNull(listener, "listener"));
  }

  /** Removes a listener. The listener may still receive a change that is on its way. */
  public void removeListener(ShardListener listener) {
    driver.removeListener(listener);
  }

  /**
   * Joins the group, and returns at once.
   *
   * @throws IllegalStateException if it was started or closed before
   */
  public void start() {
    lock.lock();
    try {
      if (started || closed) {
        throw new IllegalStateException(
            "the member was " + (closed ? "closed" : "started") + " before: " + this);
      }
      started = true;
      driver.start();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the Lease of the group. */
  public LeaseLock group() {
    return settings.group();
  }

  /** Returns the identity of this member. */
  public String identity() {
    return settings.identity();
  }

  // ---- objects

  /** Returns the slot of the object with that uid. */
  public int slotOf(String uid) {
    return settings.slots().of(uid);
  }

  /** Returns the number of slots, of all members together. */
  public int slotCount() {
    return settings.slots().count();
  }

  /** Returns the selector of the objects of some slots, for an informer that follows only these. */
  public ShardSelector selector(Collection<Integer> slots) {
    return settings.slots().selector(slots);
  }

  /** Returns the slots that this member owns, without those that it is giving away. */
  public SortedSet<Integer> slots() {
    return driver.slots();
  }

  /** Returns whether the object with that uid belongs to this member now. */
  public boolean owns(String uid) {
    Optional<ShardWork> work = begin(uid, () -> {});
    work.ifPresent(ShardWork::close);
    return work.isPresent();
  }

  /**
   * Begins work on an object. The caller must close it: until then, the object goes to another
   * member only if this one has lost its Lease, or has given up waiting.
   *
   * @param uid the uid of the object
   * @param onLost runs once if the object goes to another member before the work is closed, in a
   *     thread of the group; writes are refused by then
   * @return empty if the object does not belong to this member, or will soon go to another member
   */
  public Optional<ShardWork> begin(String uid, Runnable onLost) {
    return driver.begin(requireNonNull(uid, "uid"), requireNonNull(onLost, "onLost"));
  }

  // ---- the state

  /** Returns whether this member has renewed its Lease in time. It may still own no slot. */
  public boolean isMember() {
    return driver.isMember();
  }

  /** Returns the members as this one sees them, for people to read. */
  public List<ShardMember> members() {
    return driver.members();
  }

  /** Returns why this member cannot take part; empty if it can. */
  public Optional<RuntimeException> failure() {
    return Optional.ofNullable(driver.refusal());
  }

  /**
   * Returns why this member is unhealthy: it cannot take part, a listener throws again and again,
   * or it was a member and has not renewed its Lease for longer than the lease duration and a
   * tolerance. Empty if it is healthy.
   */
  public Optional<String> check(Duration tolerance) {
    RuntimeException refusal = driver.refusal();
    if (refusal != null) {
      return Optional.of(String.valueOf(refusal.getMessage()));
    }
    Optional<String> crashes = driver.crashes();
    Long renewBy = driver.renewBy();
    if (renewBy == null || crashes.isPresent()) {
      return crashes;
    }
    Duration late = Duration.ofNanos(clock.nanoTime() - renewBy);
    Duration allowed =
        settings
            .timings()
            .leaseDuration()
            .minus(settings.timings().renewDeadline())
            .plus(tolerance);
    return late.compareTo(allowed) > 0
        ? Optional.of(
            "the member \""
                + settings.identity()
                + "\" of the shard group "
                + settings.group()
                + " could not renew its Lease, and stopped "
                + late
                + " ago")
        : Optional.empty();
  }

  /**
   * Returns why this member can own no slots now, and what to do: it could not write its Lease in
   * time, cannot watch the Leases, is not {@link #ready} or leaves. Empty if it can.
   */
  public Optional<String> obstacle() {
    return driver.obstacle();
  }

  /**
   * Sets whether this process can work on objects; true by default. A member that is not ready
   * joins, but owns no slots: call this with false before {@link #start}, and with true when the
   * caches are filled. If it is set to false later, the member gives its slots away as one that
   * leaves.
   */
  public void ready(boolean ready) {
    driver.ready(ready);
  }

  // ---- the end

  /**
   * Begins to leave the group, and returns at once: begins no further work, and gives each slot to
   * another member as soon as its work has ended.
   */
  public void leave() {
    driver.leave();
  }

  /** Leaves the group as {@link #close(Duration)} does, within the renew deadline, 10 s. */
  @Override
  public void close() {
    close(settings.timings().renewDeadline());
  }

  /**
   * Leaves the group: waits for work that has begun, gives all slots to other members, and deletes
   * the Lease of this one. If the time is up before, writes are refused at once, and the Lease is
   * left to expire. If the calling thread is interrupted, the same holds, and it stays interrupted.
   * A second call does nothing.
   */
  public void close(Duration timeout) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      if (!started) {
        driver.close(Duration.ZERO);
        return;
      }
    } finally {
      lock.unlock();
    }
    driver.leave();
    try {
      driver.awaitLeft(timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    driver.close(THREAD_TIMEOUT);
  }

  @Override
  public String toString() {
    return '"' + settings.identity() + "\" of the shard group " + settings.group();
  }

  /** Builds a {@link ShardGroup}. Not safe for use by many threads. */
  public static final class Builder {

    private final RESTClient client;
    private final LeaseLock group;
    private String identity = LeaderElector.uniqueIdentity();
    private int slots = DEFAULT_SLOTS;
    private Duration leaseDuration = LeaseTimings.LEASE_DURATION;
    private Duration renewDeadline = LeaseTimings.RENEW_DEADLINE;
    private Duration retryPeriod = LeaseTimings.RETRY_PERIOD;
    private Clock clock = Clock.system();
    private RandomGenerator random = new java.util.Random();
    private ThreadFactory threadFactory = DaemonThreads.platform("shard-group-");

    private Builder(RESTClient client, LeaseLock group) {
      this.client = requireNonNull(client, "client");
      this.group = requireNonNull(group, "group");
    }

    /**
     * Sets the identity of this member. Two members must never have the same identity at the same
     * time. If it stays the same after a restart, the process gets the same slots again. Default:
     * the host name, which in a pod is the name of the pod, and a UUID.
     */
    public Builder identity(String identity) {
      this.identity = requireNonNull(identity, "identity");
      return this;
    }

    /**
     * Sets the number of slots, a power of two up to 4096; all members need the same. With more
     * slots the objects are spread more evenly; with 256, most of 10 members differ from a tenth of
     * the objects by less than a fifth of that. Default: 256.
     */
    public Builder slots(int slots) {
      this.slots = slots;
      return this;
    }

    /**
     * Sets how long after the last renewal of a member the others take its slots; 15 s by default.
     * A Lease counts whole seconds; fractions are cut off.
     */
    public Builder leaseDuration(Duration leaseDuration) {
      this.leaseDuration = requireNonNull(leaseDuration, "leaseDuration");
      return this;
    }

    /**
     * Sets how long a member tries to renew its Lease before it stops; 10 s by default. Work in a
     * slot that moves may also take that long before its writes are refused.
     */
    public Builder renewDeadline(Duration renewDeadline) {
      this.renewDeadline = requireNonNull(renewDeadline, "renewDeadline");
      return this;
    }

    /** Sets the time between renewals; 2 s by default. */
    public Builder retryPeriod(Duration retryPeriod) {
      this.retryPeriod = requireNonNull(retryPeriod, "retryPeriod");
      return this;
    }

    /** Sets the clock, for tests. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /** Sets the source of the names of Leases and of random pauses, for tests. */
    public Builder random(RandomGenerator random) {
      this.random = requireNonNull(random, "random");
      return this;
    }

    /**
     * Sets the factory of the threads. By default they are platform daemon threads, which renew the
     * Lease in time even while virtual threads compute or are pinned.
     */
    public Builder threadFactory(ThreadFactory threadFactory) {
      this.threadFactory = requireNonNull(threadFactory, "threadFactory");
      return this;
    }

    /**
     * Returns a member that has not joined, without sending a request or starting a thread.
     *
     * @throws IllegalArgumentException unless leaseDuration &gt; renewDeadline &gt; 1.2 ×
     *     retryPeriod &gt; 0, the lease duration is at least one second, the number of slots is a
     *     power of two up to 4096, the identity is not empty, and the name of the group is at most
     *     63 characters long
     */
    public ShardGroup build() {
      return new ShardGroup(
          this,
          new ShardSettings(
              group,
              identity,
              new LeaseTimings(leaseDuration, renewDeadline, retryPeriod),
              new Slots(slots)));
    }
  }
}
