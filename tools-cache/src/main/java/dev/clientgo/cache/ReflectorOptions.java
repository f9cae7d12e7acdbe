package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.cache.internal.reflector.ReflectorSettings;
import dev.clientgo.cache.internal.threads.SharedThreads;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link Reflector}: how it talks to the server, its clock, its random numbers and
 * its threads. The defaults are client-go's and suit nearly every program.
 *
 * <p>Informers whose options come from the same options, by {@link #toBuilder} without another
 * clock or another factory of threads, share their threads and timers. Those of a {@link
 * SharedInformerFactory} do.
 *
 * <p>Immutable. Corresponds to client-go's {@code tools/cache.ReflectorOptions}.
 */
public final class ReflectorOptions {

  private static final Logger LOG = System.getLogger(ReflectorOptions.class.getName());

  /** Sets client-go's feature gate {@code WatchListClient} from outside of a program. */
  private static final String WATCH_LIST_VARIABLE = "KUBE_FEATURE_WatchListClient";

  /** The default of {@link Builder#minWatchTimeout}: five minutes. */
  public static final Duration DEFAULT_MIN_WATCH_TIMEOUT = Duration.ofMinutes(5);

  /** The default of {@link Builder#initialEventsTimeout}: ten seconds. */
  public static final Duration DEFAULT_INITIAL_EVENTS_TIMEOUT = Duration.ofSeconds(10);

  /**
   * The default waits after failures: from 0.8 s, doubled each time, to 30 s. Each wait is random
   * between one and two times that length.
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
  private final SharedThreads threads;

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
    this.threads = builder.threads();
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
    builder.threads = threads;
    return builder;
  }

  String name() {
    return name;
  }

  boolean useWatchList() {
    return useWatchList;
  }

  long watchListPageSize() {
    return watchListPageSize;
  }

  /** Returns what the states of the Reflector need. */
  ReflectorSettings settings() {
    return new ReflectorSettings(
        name,
        minWatchTimeout,
        initialEventsTimeout,
        maxInternalErrorRetryDuration,
        () -> backoff.delaysWithReset(clock, random, BACKOFF_RESET),
        clock,
        random);
  }

  /** Returns whether the environment allows streaming lists, which it does unless it says false. */
  static boolean isWatchListEnabled(Map<String, String> environment) {
    String value = environment.getOrDefault(WATCH_LIST_VARIABLE, "true");
    return switch (value) {
      case "1", "t", "T", "true", "TRUE", "True" -> true;
      case "0", "f", "F", "false", "FALSE", "False" -> false;
      default -> {
        LOG.log(
            Level.WARNING,
            "{0} should be true or false, not {1}; lists are streamed",
            WATCH_LIST_VARIABLE,
            value);
        yield true;
      }
    };
  }

  /** Returns the clock. */
  public Clock clock() {
    return clock;
  }

  /** Returns the threads that informers with these options, or copies of them, share. */
  SharedThreads threads() {
    return threads;
  }

  /** Builds {@link ReflectorOptions}. Not safe for use by many threads. */
  public static final class Builder {

    private String name = "reflector";
    private boolean useWatchList = isWatchListEnabled(System.getenv());
    private Duration initialEventsTimeout = DEFAULT_INITIAL_EVENTS_TIMEOUT;
    private long watchListPageSize;
    private Duration minWatchTimeout = DEFAULT_MIN_WATCH_TIMEOUT;
    private Duration maxInternalErrorRetryDuration = Duration.ZERO;
    private Clock clock = Clock.system();
    private RandomGenerator random = new Random();
    private ThreadFactory threadFactory = DaemonThreads.named("informer-");

    /** Those of the options copied; null if there are none, or they no longer fit. */
    private @Nullable SharedThreads threads;

    private Backoff backoff = DEFAULT_BACKOFF;

    private Builder() {}

    /** Sets the name in logs and of threads. Default: {@code reflector}. */
    public Builder name(String name) {
      this.name = requireNonNull(name, "name");
      return this;
    }

    /**
     * Sets whether to read the collection as the first events of a watch, if the server supports
     * that. It takes less memory of the server than a list. Default: true, unless the environment
     * variable {@code KUBE_FEATURE_WatchListClient} is {@code false}; set that if a server or proxy
     * cannot handle such streams.
     *
     * <p>Corresponds to client-go's feature gate {@code WatchListClient}.
     */
    public Builder useWatchList(boolean useWatchList) {
      this.useWatchList = useWatchList;
      return this;
    }

    /**
     * Sets how long the server may be silent before it ends the initial events of a stream. After
     * that time the collection is listed, because some servers and proxies accept such a stream and
     * never end it. Default: {@link #DEFAULT_INITIAL_EVENTS_TIMEOUT}. Unlike client-go, which only
     * warns.
     */
    public Builder initialEventsTimeout(Duration initialEventsTimeout) {
      this.initialEventsTimeout = positive(initialEventsTimeout, "initialEventsTimeout");
      return this;
    }

    /**
     * Sets the number of objects in one page of a list. The server reads paginated lists from etcd,
     * which costs it much more than its cache, so set this only with good reason. Default: zero,
     * which asks for pages of 500 objects if a server with a watch cache ignores the limit, and for
     * everything at once otherwise.
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
     * Sets the shortest time for which the server is asked to keep a watch open; the longest is
     * twice that. Default: {@link #DEFAULT_MIN_WATCH_TIMEOUT}, which replaces a shorter time, to
     * spare the server.
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
     * once. After that time the collection is listed. Default: zero.
     */
    public Builder maxInternalErrorRetryDuration(Duration maxInternalErrorRetryDuration) {
      this.maxInternalErrorRetryDuration =
          requireNonNull(maxInternalErrorRetryDuration, "maxInternalErrorRetryDuration");
      return this;
    }

    /**
     * Sets the waits after failures. They begin again two minutes after the last reset, and after a
     * watch that lived for a second and brought events. Default: {@link #DEFAULT_BACKOFF}.
     */
    public Builder backoff(Backoff backoff) {
      this.backoff = requireNonNull(backoff, "backoff");
      return this;
    }

    /** Sets the clock. Default: the system's. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      this.threads = null;
      return this;
    }

    /**
     * Sets the random numbers for waits and timeouts, so that many clients do not act at the same
     * time. It must be safe for use by many threads if the options are used more than once.
     * Default: {@link Random}.
     */
    public Builder random(RandomGenerator random) {
      this.random = requireNonNull(random, "random");
      return this;
    }

    /** Sets the factory of threads. Default: daemon threads, virtual on Java 21 and later. */
    public Builder threadFactory(ThreadFactory threadFactory) {
      this.threadFactory = requireNonNull(threadFactory, "threadFactory");
      this.threads = null;
      return this;
    }

    private SharedThreads threads() {
      return threads == null ? new SharedThreads(clock, threadFactory) : threads;
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
