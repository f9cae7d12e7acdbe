package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.wait.DelayFunction;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/**
 * How a {@link Reflector} talks to the server, and where it gets time, chance and threads from. The
 * defaults are client-go's and right for nearly everybody.
 *
 * <p>Immutable. Corresponds to client-go's {@code tools/cache.ReflectorOptions}.
 */
public final class ReflectorOptions {

  /** The shortest time after which the server is asked to end a watch: five minutes. */
  public static final Duration DEFAULT_MIN_WATCH_TIMEOUT = Duration.ofMinutes(5);

  /** How long the server may be silent before it ends the initial events: ten seconds. */
  public static final Duration DEFAULT_INITIAL_EVENTS_TIMEOUT = Duration.ofSeconds(10);

  /**
   * How long to wait after a failure: from 0.8 seconds to half a minute, doubled each time, and up
   * to twice as long by chance.
   */
  public static final Backoff DEFAULT_BACKOFF =
      Backoff.builder(Duration.ofMillis(800))
          .factor(2)
          .jitter(1)
          .steps(38)
          .cap(Duration.ofSeconds(30))
          .build();

  private static final Duration BACKOFF_RESET = Duration.ofMinutes(2);

  private final String name;
  private final boolean useWatchList;
  private final Duration initialEventsTimeout;
  private final long watchListPageSize;
  private final Duration minWatchTimeout;
  private final Duration maxInternalErrorRetryDuration;
  private final Backoff backoff;
  private final Clock clock;
  private final RandomGenerator random;
  private final ThreadFactory threadFactory;

  private ReflectorOptions(Builder builder) {
    this.name = builder.name;
    this.useWatchList = builder.useWatchList;
    this.initialEventsTimeout = builder.initialEventsTimeout;
    this.watchListPageSize = builder.watchListPageSize;
    this.minWatchTimeout = builder.minWatchTimeout;
    this.maxInternalErrorRetryDuration = builder.maxInternalErrorRetryDuration;
    this.backoff = builder.backoff;
    this.clock = builder.clock;
    this.random = builder.random;
    this.threadFactory = builder.threadFactory;
  }

  /** Returns a builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the defaults. */
  public static ReflectorOptions defaults() {
    return builder().build();
  }

  /** Returns a builder that starts with these options. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.name = name;
    builder.useWatchList = useWatchList;
    builder.initialEventsTimeout = initialEventsTimeout;
    builder.watchListPageSize = watchListPageSize;
    builder.minWatchTimeout = minWatchTimeout;
    builder.maxInternalErrorRetryDuration = maxInternalErrorRetryDuration;
    builder.backoff = backoff;
    builder.clock = clock;
    builder.random = random;
    builder.threadFactory = threadFactory;
    return builder;
  }

  String name() {
    return name;
  }

  boolean useWatchList() {
    return useWatchList;
  }

  Duration initialEventsTimeout() {
    return initialEventsTimeout;
  }

  long watchListPageSize() {
    return watchListPageSize;
  }

  Duration minWatchTimeout() {
    return minWatchTimeout;
  }

  Duration maxInternalErrorRetryDuration() {
    return maxInternalErrorRetryDuration;
  }

  /** Returns the waits after failures, from the first one on. */
  DelayFunction delays() {
    return backoff.delaysWithReset(clock, random, BACKOFF_RESET);
  }

  /** Returns the clock. */
  public Clock clock() {
    return clock;
  }

  RandomGenerator random() {
    return random;
  }

  ThreadFactory threadFactory() {
    return threadFactory;
  }

  /** Builds {@link ReflectorOptions}. Not safe for use by many threads. */
  public static final class Builder {

    private String name = "reflector";
    private boolean useWatchList = WatchListClient.isEnabled(System.getenv());
    private Duration initialEventsTimeout = DEFAULT_INITIAL_EVENTS_TIMEOUT;
    private long watchListPageSize;
    private Duration minWatchTimeout = DEFAULT_MIN_WATCH_TIMEOUT;
    private Duration maxInternalErrorRetryDuration = Duration.ZERO;
    private Clock clock = Clock.system();
    private RandomGenerator random = new Random();
    private ThreadFactory threadFactory = DaemonThreads.named("informer-");
    private Backoff backoff = DEFAULT_BACKOFF;

    private Builder() {}

    /** Sets what it is called in logs and in the names of threads. Default: {@code reflector}. */
    public Builder name(String name) {
      this.name = requireNonNull(name, "name");
      return this;
    }

    /**
     * Sets whether the initial state is streamed, as the first events of a watch, where the server
     * supports it. That costs the server less memory than a list. Default: true, unless the
     * environment variable {@code KUBE_FEATURE_WatchListClient} is {@code false}.
     *
     * <p>Corresponds to client-go's feature gate {@code WatchListClient}.
     */
    public Builder useWatchList(boolean useWatchList) {
      this.useWatchList = useWatchList;
      return this;
    }

    /**
     * Sets how long the server may be silent before it ends the initial events of a stream. After
     * that the state is listed instead. Some servers and proxies accept such a stream and never end
     * it. Default: {@link #DEFAULT_INITIAL_EVENTS_TIMEOUT}. Unlike client-go, which only warns.
     */
    public Builder initialEventsTimeout(Duration initialEventsTimeout) {
      this.initialEventsTimeout = positive(initialEventsTimeout, "initialEventsTimeout");
      return this;
    }

    /**
     * Sets how many objects to ask for at once in a list. The server answers paginated lists from
     * etcd, which costs it much more than from its cache, so set this only with good reason.
     * Default: zero, which means pages of {@link Pager#DEFAULT_PAGE_SIZE} where the server may
     * ignore that, and everything at once where it would not.
     */
    public Builder watchListPageSize(long watchListPageSize) {
      if (watchListPageSize < 0) {
        throw new IllegalArgumentException(
            "watchListPageSize must not be negative: " + watchListPageSize);
      }
      this.watchListPageSize = watchListPageSize;
      return this;
    }

    /**
     * Sets the shortest time after which the server is asked to end a watch; the longest is twice
     * that. Default: {@link #DEFAULT_MIN_WATCH_TIMEOUT}; less is ignored, to spare the server.
     */
    public Builder minWatchTimeout(Duration minWatchTimeout) {
      requireNonNull(minWatchTimeout, "minWatchTimeout");
      this.minWatchTimeout =
          minWatchTimeout.compareTo(DEFAULT_MIN_WATCH_TIMEOUT) > 0
              ? minWatchTimeout
              : DEFAULT_MIN_WATCH_TIMEOUT;
      return this;
    }

    /**
     * Sets for how long a watch that ends with an internal error of the server is opened again at
     * once, instead of listing. Default: zero.
     */
    public Builder maxInternalErrorRetryDuration(Duration maxInternalErrorRetryDuration) {
      this.maxInternalErrorRetryDuration =
          requireNonNull(maxInternalErrorRetryDuration, "maxInternalErrorRetryDuration");
      return this;
    }

    /**
     * Sets how long to wait after a failure; the wait is reset every two minutes. Default: {@link
     * #DEFAULT_BACKOFF}.
     */
    public Builder backoff(Backoff backoff) {
      this.backoff = requireNonNull(backoff, "backoff");
      return this;
    }

    /** Sets the clock. Default: that of the machine. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Sets what delays and timeouts are drawn from, so that many clients do not act at the same
     * time. It must be safe for use by many threads if the options are used more than once.
     */
    public Builder random(RandomGenerator random) {
      this.random = requireNonNull(random, "random");
      return this;
    }

    /** Sets what makes threads. Default: daemons, which are virtual from Java 21 on. */
    public Builder threadFactory(ThreadFactory threadFactory) {
      this.threadFactory = requireNonNull(threadFactory, "threadFactory");
      return this;
    }

    private static Duration positive(Duration duration, String name) {
      if (duration.isNegative() || duration.isZero()) {
        throw new IllegalArgumentException(name + " must be positive: " + duration);
      }
      return duration;
    }

    /** Returns the options built. */
    public ReflectorOptions build() {
      return new ReflectorOptions(this);
    }
  }
}
