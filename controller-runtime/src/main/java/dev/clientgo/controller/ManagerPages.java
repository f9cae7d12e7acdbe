package dev.clientgo.controller;

import dev.clientgo.cache.InformerHealth.ReflectorState;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.internal.debug.DebugPage;
import dev.clientgo.controller.internal.http.CertificatePoller;
import dev.clientgo.controller.internal.http.HttpEndpoints;
import dev.clientgo.controller.internal.http.HttpEndpoints.Access;
import dev.clientgo.controller.internal.http.HttpEndpoints.Page;
import dev.clientgo.controller.internal.http.ReviewedAccess;
import dev.clientgo.controller.internal.metrics.GuardedMetrics;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.controller.webhook.WebhookServer;
import dev.clientgo.leaderelection.LeaderElector;
import dev.clientgo.rest.RESTClient;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The pages that a manager serves over HTTP: health, readiness, metrics and records. */
final class ManagerPages {

  private static final Logger LOG = System.getLogger(Manager.class.getName());

  private static final String TEXT = "text/plain; charset=utf-8";

  /** How long after the lease duration a leader or member that has not renewed is unhealthy. */
  private static final Duration ELECTION_TOLERANCE = Duration.ofSeconds(20);

  private final Manager manager;
  private final @Nullable LeaderElector elector;
  private final @Nullable WebhookServer webhooks;
  private final ManagerBuilder options;
  private final MetricsRegistry metrics;
  private final @Nullable DebugRecorder recorder;
  private final Map<String, HealthCheck> healthChecks;
  private final Map<String, HealthCheck> readyChecks;

  ManagerPages(
      Manager manager,
      @Nullable LeaderElector elector,
      @Nullable WebhookServer webhooks,
      ManagerBuilder options) {
    this.manager = manager;
    this.elector = elector;
    this.webhooks = webhooks;
    this.options = options;
    this.metrics = options.metrics;
    this.recorder = options.recorder;
    this.healthChecks = new LinkedHashMap<>(options.healthChecks);
    this.readyChecks = new LinkedHashMap<>(options.readyChecks);
    add(Map.of("caches", () -> checkCaches(options.maxStaleness)), readyChecks);
  }

  /** Returns the pages for probes, which anyone may read, by their path. */
  Map<String, Function<Map<String, String>, Page>> probes() {
    return Map.of(
        "/healthz", query -> checked(allHealthChecks(), /* reasons= */ false),
        "/readyz", query -> checked(allReadyChecks(), /* reasons= */ false));
  }

  /** Serves the pages for those who run the program; the client reviews who may read them. */
  HttpEndpoints serveAll(InetSocketAddress address, RESTClient client) {
    Path certificates = options.metricsCertificates;
    ReviewedAccess reviewed = new ReviewedAccess(client, options.clock);
    // A role of the server lets each user get /healthz and /readyz, but there they give no reasons.
    Access access =
        (authorization, method, path) ->
            reviewed.refusal(authorization, method, path.endsWith("z") ? "/metrics" : path);
    return HttpEndpoints.start(
        address,
        all(),
        options.clock,
        certificates == null
            ? null
            : CertificatePoller.ofDirectory("metrics", certificates, options.clock, metrics),
        options.authorizesMetrics ? access : Access.OPEN);
  }

  private Map<String, Function<Map<String, String>, Page>> all() {
    Map<String, Function<Map<String, String>, Page>> pages = new LinkedHashMap<>();
    pages.put("/healthz", query -> checked(allHealthChecks(), /* reasons= */ true));
    pages.put("/readyz", query -> checked(allReadyChecks(), /* reasons= */ true));
    if (metrics instanceof PrometheusMetrics prometheus) {
      pages.put(
          "/metrics", query -> new Page(200, PrometheusMetrics.CONTENT_TYPE, prometheus.text()));
    }
    if (recorder != null) {
      pages.put("/debug/reconciles", new DebugPage(recorder.history())::page);
    }
    IncidentRecorder incidents = options.incidents;
    if (incidents != null) {
      pages.put(
          "/debug/incident",
          query -> new Page(200, "application/octet-stream", incidents.toByteArray()));
    }
    return pages;
  }

  private Map<String, HealthCheck> allHealthChecks() {
    Map<String, HealthCheck> all = new LinkedHashMap<>();
    all.put("manager", this::checkManager);
    LeaderElector election = elector;
    if (election != null) {
      all.put("leader-election", () -> throwProblem(election.check(ELECTION_TOLERANCE)));
    }
    manager
        .shards()
        .ifPresent(
            group -> all.put("shard-group", () -> throwProblem(group.check(ELECTION_TOLERANCE))));
    add(healthChecks, all);
    return all;
  }

  private void checkManager() {
    manager.throwFailure();
    for (Controller controller : manager.controllers()) {
      throwProblem(controller.problem(/* alsoFunctions= */ false)); // A restart mends no function.
    }
  }

  private static void throwProblem(Optional<String> problem) {
    if (problem.isPresent()) {
      throw new IllegalStateException(problem.get());
    }
  }

  private Map<String, HealthCheck> allReadyChecks() {
    Map<String, HealthCheck> all = new LinkedHashMap<>();
    for (Controller controller : manager.controllers()) {
      all.put("controller-" + controller.name(), () -> checkReady(controller));
    }
    manager
        .works()
        .forEach((name, work) -> all.put("runnable-" + name, () -> throwProblem(work.problem())));
    if (metrics instanceof GuardedMetrics guarded) {
      all.put("metrics", () -> throwProblem(guarded.problem()));
    }
    manager
        .shards()
        .ifPresent(g -> all.put("shard-group", () -> throwProblem(manager.shardObstacle())));
    LeaderElector election = elector;
    if (election != null) {
      all.put("leader-election", () -> throwProblem(election.problem()));
    }
    WebhookServer served = webhooks;
    if (served != null) {
      all.put("webhook-server", () -> checkServing(served));
    }
    add(readyChecks, all);
    return all;
  }

  /** Adds checks; two of one name both count. */
  private static void add(Map<String, HealthCheck> more, Map<String, HealthCheck> all) {
    more.forEach(
        (name, check) ->
            all.merge(
                name,
                check,
                (one, other) ->
                    () -> {
                      one.check();
                      other.check();
                    }));
  }

  /** Throws if an informer has ended, refuses all objects, is too old, or its handler hangs. */
  private void checkCaches(@Nullable Duration maxStaleness) {
    Duration limit = maxStaleness == null ? ChronoUnit.FOREVER.getDuration() : maxStaleness;
    manager
        .informerHealth()
        .forEach(
            (name, health) -> {
              Duration age = health.age().orElse(Duration.ZERO); // Its controller is not ready.
              if (health.state() == ReflectorState.STOPPED
                  || health.omitted().isAll()
                  || age.compareTo(limit) > 0
                  || health.handlers().stream().anyMatch(each -> each.problem().isPresent())) {
                throw new IllegalStateException(
                    "the cache of " + name + " " + health.problem(limit).orElseThrow());
              }
            });
  }

  private static void checkServing(WebhookServer webhooks) {
    if (!webhooks.isRunning()) {
      throw new IllegalStateException(
          "the webhook server has not been started, is closed, or its webhooks have held all its"
              + " threads for a minute"
              + webhooks.certificateProblem().map("; "::concat).orElse(""));
    }
  }

  private static void checkReady(Controller controller) {
    ControllerState state = controller.state();
    if (state == ControllerState.FAILED) {
      throw controller.failure().orElseThrow();
    } else if (state != ControllerState.RUNNING && state != ControllerState.STANDBY) {
      throw new IllegalStateException(state + " " + controller.pending());
    }
    throwProblem(controller.problem(/* alsoFunctions= */ true));
  }

  /** Returns the message of an error, whose text may be code of the user that fails, too. */
  private static String reason(Throwable error) {
    try {
      return error.getMessage() == null ? CrashLog.text(error) : error.getMessage();
    } catch (Throwable e) {
      return CrashLog.text(error);
    }
  }

  /** Returns why the manager is not healthy, by the name of the check. */
  Map<String, String> healthProblems() {
    return problems(allHealthChecks());
  }

  /** Returns why the manager is not ready, by the name of the check. */
  Map<String, String> readyProblems() {
    return problems(allReadyChecks());
  }

  private static Map<String, String> problems(Map<String, HealthCheck> checks) {
    Map<String, String> problems = new LinkedHashMap<>();
    checks.forEach(
        (name, check) -> {
          try {
            check.check();
          } catch (Throwable e) { // An Error too: a failure like any other.
            if (e instanceof InterruptedException) {
              Thread.currentThread().interrupt(); // The caller's thread, perhaps.
            }
            LOG.log(Level.DEBUG, "{0} failed: {1}", name, CrashLog.text(e));
            problems.put(name, reason(e));
          }
        });
    return problems;
  }

  /**
   * Runs the checks: 200 if all pass, otherwise 500; a line for each either way. A reason may name
   * hosts, objects and users.
   */
  private static Page checked(Map<String, HealthCheck> checks, boolean reasons) {
    Map<String, String> problems = problems(checks);
    StringBuilder text = new StringBuilder();
    for (String name : checks.keySet()) {
      String reason = problems.get(name);
      if (reason == null) {
        text.append("[+]").append(name).append(" ok\n");
      } else {
        text.append("[-]").append(name).append(" failed: ");
        text.append(reasons ? reason : "reason withheld").append('\n');
      }
    }
    text.append(problems.isEmpty() ? "ok\n" : "check failed\n");
    return new Page(problems.isEmpty() ? 200 : 500, TEXT, text.toString());
  }
}
