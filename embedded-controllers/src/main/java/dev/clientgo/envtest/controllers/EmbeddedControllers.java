package dev.clientgo.envtest.controllers;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerState;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Request;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.controllers.internal.garbage.OwnerIndex;
import dev.clientgo.envtest.controllers.internal.pods.Alarm;
import dev.clientgo.envtest.controllers.pods.PodScript;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.config.WarningHandler;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * The built-in controllers of a cluster, running in this process against an API server that runs
 * alone: an {@link dev.clientgo.envtest.EmbeddedApiServer}, or a {@link
 * dev.clientgo.envtest.KubeApiServer}.
 *
 * <pre>{@code
 * try (EmbeddedApiServer server = EmbeddedApiServer.start();
 *     EmbeddedControllers controllers = EmbeddedControllers.start(server)) {
 *   …
 * }
 * }</pre>
 *
 * <p>All of {@link BuiltInController} run, unless the {@linkplain #builder builder} chooses others.
 * They act on the events of the server, and by the {@linkplain Builder#clock clock} where time
 * matters: with a {@link dev.clientgo.clock.FakeClock}, a test decides how time passes. Connections
 * break and are made again in real time, whatever the clock.
 *
 * <p>To the server the controllers are the client {@code kube-controller-manager}, in managed
 * fields, too. A test that counts requests can leave out those with this user agent.
 *
 * <p>Safe for use by many threads. Corresponds to {@code kube-controller-manager}.
 */
public final class EmbeddedControllers implements AutoCloseable {

  private static final String USER_AGENT = "kube-controller-manager/embedded";
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration LONGEST_WATCH = Duration.ofDays(3650);
  private static final Duration POLL = Duration.ofMillis(2);

  private final Set<BuiltInController> running;
  private final RESTClient client;
  private final Manager manager;
  private final Alarm alarm;

  private EmbeddedControllers(Builder settings) {
    running = Collections.unmodifiableSet(EnumSet.copyOf(settings.controllers));
    client =
        RESTClient.builder(settings.config.toBuilder().userAgent(USER_AGENT).build())
            .warningHandler(WarningHandler.NONE)
            .build();
    // Only controllers act by the clock: a connection that breaks must not wait for the test.
    // A server with that clock would end all watches each five minutes of it.
    ReflectorOptions realTime = ReflectorOptions.builder().minWatchTimeout(LONGEST_WATCH).build();
    manager =
        Manager.builder(client)
            .clock(settings.clock)
            .reportFieldFights(false) // The counts in a status go up and down while pods start.
            .informers(
                factory ->
                    factory
                        .options(realTime)
                        .configureAll(
                            informer -> informer.indexer(OwnerIndex.NAME, OwnerIndex.FUNCTION)))
            .build();
    alarm = Alarm.start(settings.clock, this::enqueue);
  }

  /** Starts all controllers, and returns when they run. */
  public static EmbeddedControllers start(ApiServer server) throws InterruptedException {
    return builder(server).start();
  }

  /** Returns a builder of controllers against a server. */
  public static Builder builder(ApiServer server) {
    return builder(server.restConfig());
  }

  /** Returns a builder of controllers against the server of a configuration. */
  public static Builder builder(RestConfig config) {
    return new Builder(config);
  }

  /** Returns the controllers that run. */
  public Set<BuiltInController> running() {
    return running;
  }

  private void enqueue(String controller, Request request) {
    manager.controllers().stream()
        .filter(each -> each.name().equals(controller))
        .forEach(each -> each.enqueue(request));
  }

  private void run(PodScript pods) throws InterruptedException {
    ControllerSetup setup = new ControllerSetup("", client, alarm, pods);
    for (BuiltInController each : running) {
      manager.add(each.create(setup));
    }
    manager.start();
    try {
      Poll.every(POLL)
          .immediately()
          .atMost(START_TIMEOUT)
          .until(() -> manager.awaitReady(Duration.ZERO));
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "not running after "
              + START_TIMEOUT
              + ": "
              + notRunning()
              + "; "
              + manager.informerHealth(),
          e);
    }
  }

  private List<Controller> notRunning() {
    return manager.controllers().stream()
        .filter(controller -> controller.state() != ControllerState.RUNNING)
        .toList();
  }

  /** Ends the controllers, and all their threads. Does nothing the second time. */
  @Override
  public void close() {
    alarm.close();
    manager.close();
    client.close();
  }

  /** Builds and starts {@link EmbeddedControllers}. Not safe for use by many threads. */
  public static final class Builder {

    private final RestConfig config;
    private final Set<BuiltInController> controllers = EnumSet.allOf(BuiltInController.class);
    private Clock clock = Clock.system();
    private PodScript pods = PodScript.standard();

    private Builder(RestConfig config) {
      this.config = requireNonNull(config, "config");
    }

    /**
     * Sets the clock by which controllers act: cron jobs, deadlines, backoffs, timestamps. Give the
     * same one to the embedded server. Default: the system clock.
     */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /** Sets how pods run. Default: {@link PodScript#standard}. */
    public Builder pods(PodScript pods) {
      this.pods = requireNonNull(pods, "pods");
      return this;
    }

    /** Chooses these controllers and no others. */
    public Builder only(BuiltInController first, BuiltInController... others) {
      controllers.retainAll(EnumSet.of(first, others));
      return this;
    }

    /** Leaves controllers out. */
    public Builder without(BuiltInController... others) {
      controllers.removeAll(List.of(others));
      return this;
    }

    /**
     * Starts the controllers, and returns when they run.
     *
     * @throws dev.clientgo.controller.CacheSyncException if the server forbids to watch a kind that
     *     a controller needs
     * @throws IllegalStateException if they do not run after a minute; the message has their state
     * @throws InterruptedException if the thread is interrupted
     */
    public EmbeddedControllers start() throws InterruptedException {
      EmbeddedControllers started = new EmbeddedControllers(this);
      boolean running = false;
      try {
        started.run(pods);
        running = true;
        return started;
      } finally {
        if (!running) {
          started.close();
        }
      }
    }
  }
}
