package dev.clientgo.controller;

import dev.clientgo.controller.internal.debug.DebugPage;
import dev.clientgo.controller.internal.http.HttpEndpoints.Page;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.controller.webhook.WebhookServer;
import dev.clientgo.leaderelection.LeaderElector;
import dev.clientgo.leaderelection.shard.ShardGroup;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The pages that a manager serves over HTTP: health, readiness, metrics and records. */
final class ManagerPages {

  private static final String TEXT = "text/plain; charset=utf-8";

  /** How long after the lease duration a leader or member that has not renewed is unhealthy. */
  private static final Duration ELECTION_TOLERANCE = Duration.ofSeconds(20);

  private final Manager manager;
  private final @Nullable LeaderElector elector;
  private final @Nullable WebhookServer webhooks;
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
    this.metrics = options.metrics;
    this.recorder = options.recorder;
    this.healthChecks = new LinkedHashMap<>(options.healthChecks);
    this.readyChecks = new LinkedHashMap<>(options.readyChecks);
  }

  /** Returns the pages by their path. */
  Map<String, Function<Map<String, String>, Page>> all() {
    Map<String, Function<Map<String, String>, Page>> pages = new LinkedHashMap<>();
    pages.put("/healthz", query -> checked(allHealthChecks()));
    pages.put("/readyz", query -> checked(allReadyChecks()));
    if (metrics instanceof PrometheusMetrics prometheus) {
      pages.put(
          "/metrics", query -> new Page(200, PrometheusMetrics.CONTENT_TYPE, prometheus.text()));
    }
    if (recorder != null) {
      pages.put("/debug/reconciles", new DebugPage(recorder.history())::page);
    }
    return pages;
  }

  private Map<String, HealthCheck> allHealthChecks() {
    Map<String, HealthCheck> all = new LinkedHashMap<>();
    all.put("manager", manager::throwFailure);
    LeaderElector election = elector;
    if (election != null) {
      all.put("leader-election", () -> checkRenewed(election));
    }
    manager.shards().ifPresent(group -> all.put("shard-group", () -> checkMember(group)));
    all.putAll(healthChecks);
    return all;
  }

  private static void checkMember(ShardGroup group) {
    Optional<String> problem = group.check(ELECTION_TOLERANCE);
    if (problem.isPresent()) {
      throw new IllegalStateException(problem.get());
    }
  }

  private static void checkRenewed(LeaderElector elector) {
    Optional<String> problem = elector.check(ELECTION_TOLERANCE);
    if (problem.isPresent()) {
      throw new IllegalStateException(problem.get());
    }
  }

  private Map<String, HealthCheck> allReadyChecks() {
    Map<String, HealthCheck> all = new LinkedHashMap<>();
    for (Controller controller : manager.controllers()) {
      all.put("controller-" + controller.name(), () -> checkReady(controller));
    }
    WebhookServer served = webhooks;
    if (served != null) {
      all.put("webhook-server", () -> checkServing(served));
    }
    all.putAll(readyChecks);
    return all;
  }

  private static void checkServing(WebhookServer webhooks) {
    if (!webhooks.isRunning()) {
      throw new IllegalStateException("the webhook server has not been started, or is closed");
    }
  }

  private static void checkReady(Controller controller) {
    ControllerState state = controller.state();
    if (state == ControllerState.FAILED) {
      throw controller.failure().orElseThrow();
    } else if (state != ControllerState.RUNNING && state != ControllerState.STANDBY) {
      throw new IllegalStateException(state + " " + controller.pending());
    }
  }

  /** Runs the checks: 200 if all pass, otherwise 500; a line for each either way. */
  @SuppressWarnings("InterruptedExceptionSwallowed") // Of a check: a failure like any other.
  private static Page checked(Map<String, HealthCheck> checks) {
    StringBuilder text = new StringBuilder();
    boolean well = true;
    for (Map.Entry<String, HealthCheck> check : checks.entrySet()) {
      try {
        check.getValue().check();
        text.append("[+]").append(check.getKey()).append(" ok\n");
      } catch (Exception e) {
        well = false;
        text.append("[-]").append(check.getKey()).append(" failed: ");
        text.append(e.getMessage() == null ? e.toString() : e.getMessage()).append('\n');
      }
    }
    text.append(well ? "ok\n" : "check failed\n");
    return new Page(well ? 200 : 500, TEXT, text.toString());
  }
}
