package dev.clientgo.events;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.validation.NameRule;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.events.correlation.CorrelatorOptions;
import dev.clientgo.events.correlation.EventCorrelator;
import dev.clientgo.events.internal.recording.CorrelatedEvents;
import dev.clientgo.events.internal.recording.EventFactory;
import dev.clientgo.events.internal.recording.EventPipeline;
import dev.clientgo.events.internal.recording.EventSeriesCache;
import dev.clientgo.events.internal.recording.Occurrence.Reporter;
import dev.clientgo.events.internal.writing.Counters;
import dev.clientgo.events.internal.writing.EventLog;
import dev.clientgo.events.internal.writing.EventSink;
import dev.clientgo.events.internal.writing.EventWriter;
import dev.clientgo.events.internal.writing.WriteQueue;
import dev.clientgo.kubernetes.events.v1.Event;
import dev.clientgo.rest.RESTClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sends the events of its recorders to a server, in separate threads.
 *
 * <pre>{@code
 * try (EventBroadcaster broadcaster = EventBroadcaster.create(client)) {
 *   EventRecorder events = broadcaster.recorder("foo-controller");
 *   events.normal(foo, "Created", "CreateDeployment", "created %s", name);
 * } // waits up to 5 s for the events that are still on their way
 * }</pre>
 *
 * <p>A program needs one broadcaster for each client, and any number of recorders. Recording an
 * event takes a few microseconds and no request: at most 1000 events wait for up to 8 threads,
 * which run only while there are events to send. If the queue is full, an event is dropped, counted
 * and logged.
 *
 * <p><b>Repetitions</b> of an event are counted: the first creates an object, the second makes it a
 * series, which is one more request. Further ones only count in memory. The count is written every
 * 30 minutes, after 6 minutes without a repetition, and on {@link #flush} and {@link #close()}. So
 * 10,000 repetitions within half an hour are one object and at most three requests.
 *
 * <p><b>Failures.</b> If the server cannot be reached, an event is sent up to 12 times, 10 to 12.5
 * s apart. An answer of the server is final. What fails is logged once a minute at most.
 *
 * <p>The user needs the permission to {@code create} and {@code patch} events of {@code
 * events.k8s.io}; for {@link #coreV1} those of the core group.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code events.EventBroadcaster}.
 */
public final class EventBroadcaster implements AutoCloseable {

  /** How long {@link #close()} waits for events that are on their way: {@value} s. */
  public static final int CLOSE_SECONDS = 5;

  private static final int THREADS = 8;
  private static final int MAX_INSTANCE_BYTES = 128;
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final double JITTER = 0.25;

  private final EventPipeline pipeline;
  private final WriteQueue queue;
  private final Counters counters;
  private final EventLog log;

  /** Makes the name of an instance of the name of its controller. */
  private final UnaryOperator<String> instances;

  private EventBroadcaster(
      EventPipeline pipeline,
      WriteQueue queue,
      Counters counters,
      EventLog log,
      UnaryOperator<String> instances) {
    this.pipeline = pipeline;
    this.queue = queue;
    this.counters = counters;
    this.log = log;
    this.instances = instances;
  }

  /** Returns a broadcaster of events of {@code events.k8s.io/v1}, which all servers have. */
  public static EventBroadcaster create(RESTClient client) {
    return builder(client).build();
  }

  /**
   * Returns a broadcaster of events of {@code core/v1}, the older API.
   *
   * <p>It leaves out the action and the related object, as client-go's {@code tools/record} does.
   * It counts repetitions in another way: see {@link dev.clientgo.events.correlation}. One thread
   * sends.
   */
  public static EventBroadcaster coreV1(RESTClient client) {
    return builder(client).coreV1(CorrelatorOptions.DEFAULTS).build();
  }

  /** Returns a builder. */
  public static Builder builder(RESTClient client) {
    requireNonNull(client, "client");
    return new Builder(
        EventSink.of(client, Event.TYPE),
        EventSink.of(client, dev.clientgo.kubernetes.core.v1.Event.TYPE));
  }

  /** Builds an {@link EventBroadcaster}. Not safe for use by many threads. */
  public static final class Builder {

    private final EventSink<Event> sink;
    private final EventSink<dev.clientgo.kubernetes.core.v1.Event> coreSink;
    private @Nullable CorrelatorOptions correlation;
    private @Nullable String instance;
    private Clock clock = Clock.system();
    private RandomGenerator random = new Random();
    private @Nullable ThreadFactory threadFactory;

    Builder(EventSink<Event> sink, EventSink<dev.clientgo.kubernetes.core.v1.Event> coreSink) {
      this.sink = sink;
      this.coreSink = coreSink;
    }

    /** Sends events of {@code core/v1}, correlated with these options. */
    public Builder coreV1(CorrelatorOptions options) {
      this.correlation = requireNonNull(options, "options");
      return this;
    }

    /**
     * Sets the {@code reportingInstance} of the events, such as the name of the pod. By default it
     * is the name of the controller, a dash and the name of this machine; events of {@code core/v1}
     * have none.
     *
     * @throws IllegalArgumentException if it has not 1 to 128 bytes
     */
    public Builder reportingInstance(String instance) {
      int length = instance.getBytes(StandardCharsets.UTF_8).length;
      if (length == 0 || length > MAX_INSTANCE_BYTES) {
        throw new IllegalArgumentException(
            "the reporting instance must have 1 to 128 bytes, not " + length);
      }
      this.instance = instance;
      return this;
    }

    /** Sets the clock; by default that of the machine. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /** Sets the source of the random part of pauses between attempts. */
    public Builder random(RandomGenerator random) {
      this.random = requireNonNull(random, "random");
      return this;
    }

    /** Sets the factory of the threads that send events; by default they are daemons. */
    public Builder threadFactory(ThreadFactory threadFactory) {
      this.threadFactory = requireNonNull(threadFactory, "threadFactory");
      return this;
    }

    /** Returns the broadcaster. It starts a thread when the first event is recorded. */
    public EventBroadcaster build() {
      Counters counters = new Counters();
      EventLog log = new EventLog(clock);
      EventFactory factory = new EventFactory(clock);
      CorrelatorOptions options = correlation;
      if (options == null) {
        WriteQueue queue = new WriteQueue(THREADS, threads("event-writer-"), clock, counters, log);
        EventWriter writer = new EventWriter(queue, tries -> jittered(), counters, log);
        return new EventBroadcaster(
            new EventSeriesCache(
                factory, sink, writer, queue, threads("event-series-"), clock, counters, log),
            queue,
            counters,
            log,
            instances(EventBroadcaster::onThisMachine));
      }
      WriteQueue queue = new WriteQueue(1, threads("event-writer-"), clock, counters, log);
      EventWriter writer = new EventWriter(queue, this::firstRandom, counters, log);
      return new EventBroadcaster(
          new CorrelatedEvents(
              EventCorrelator.create(options, clock),
              factory,
              coreSink,
              writer,
              queue,
              counters,
              log),
          queue,
          counters,
          log,
          instances(controller -> ""));
    }

    private ThreadFactory threads(String prefix) {
      return threadFactory == null ? DaemonThreads.named(prefix) : threadFactory;
    }

    private UnaryOperator<String> instances(UnaryOperator<String> fallback) {
      String chosen = instance;
      return chosen == null ? fallback : controller -> chosen;
    }

    /** Many clients whose server was away do not all come back at the same moment. */
    private Duration jittered() {
      return Duration.ofNanos((long) (PAUSE.toNanos() * (1 + JITTER * random.nextDouble())));
    }

    private Duration firstRandom(int tries) {
      return tries == 1 ? Duration.ofNanos((long) (PAUSE.toNanos() * random.nextDouble())) : PAUSE;
    }
  }

  /**
   * Returns the recorder of a controller.
   *
   * @param controller the name of the controller, such as {@code foo-controller} or {@code
   *     example.com/foo-controller}
   * @throws IllegalArgumentException if it is not a qualified name, which the server demands
   */
  public EventRecorder recorder(String controller) {
    NameRule.LABEL_KEY.require("the name of the controller", controller);
    Reporter reporter = new Reporter(controller, instances.apply(controller), Map.of());
    return new PipelineRecorder(pipeline, reporter, counters, log);
  }

  private static String onThisMachine(String controller) {
    byte[] bytes = (controller + "-" + HostName.find()).getBytes(StandardCharsets.UTF_8);
    return new String(bytes, 0, Math.min(bytes.length, MAX_INSTANCE_BYTES), StandardCharsets.UTF_8);
  }

  /** Returns what became of the events so far. */
  public Stats stats() {
    return new Stats(
        counters.recorded.sum(),
        counters.sent.sum(),
        counters.dropped.sum(),
        counters.filtered.sum(),
        counters.failed.sum());
  }

  /**
   * Waits until all events that were recorded before this call are written, with the counts of
   * their repetitions, or have failed.
   *
   * @return false if some are still on their way after the timeout
   */
  public boolean flush(Duration timeout) throws InterruptedException {
    pipeline.writeCounts();
    return queue.awaitIdle(timeout);
  }

  /** Closes as {@link #close(Duration)} does, with a timeout of {@value #CLOSE_SECONDS} s. */
  @Override
  public void close() {
    close(Duration.ofSeconds(CLOSE_SECONDS));
  }

  /**
   * Writes the events that are on their way, and ends all threads. Each event gets one more
   * attempt; those that remain after the timeout are given up. An interrupt has the effect of the
   * timeout, and the thread stays interrupted. Events that are recorded later are dropped. Does
   * nothing the second time.
   *
   * @return whether all events that were on their way have left in time; {@link #stats} counts
   *     those that have failed
   */
  public boolean close(Duration timeout) {
    queue.beginClose();
    boolean isFlushed = false;
    try {
      isFlushed = flush(timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      queue.close();
      pipeline.close();
    }
    return isFlushed;
  }

  /**
   * What became of the events of an {@link EventBroadcaster} since it was created. Each number only
   * grows, so a metrics library can export it as a counter.
   *
   * @param recorded the calls of recorders
   * @param sent the requests that the server has accepted; repetitions need few or none
   * @param dropped the events that found the queue full, or the broadcaster closed
   * @param filtered the events that the spam filter of {@code core/v1} held back
   * @param failed the events that are invalid, that the server has refused, or that could not be
   *     sent
   */
  public record Stats(long recorded, long sent, long dropped, long filtered, long failed) {}
}
