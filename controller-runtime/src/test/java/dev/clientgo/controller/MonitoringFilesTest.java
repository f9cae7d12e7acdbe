package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The alerts and the dashboard in {@code docs/monitoring} ask for metrics that a manager has. */
final class MonitoringFilesTest {

  private static final Path FOLDER = Path.of("../docs/monitoring");

  private static final Pattern METRIC =
      Pattern.compile(
          "\\b(?:controller_runtime|workqueue|reflector|informer|leader_election|rest_client)_\\w+");

  private static Set<String> names(String file) throws IOException {
    return METRIC
        .matcher(Files.readString(FOLDER.resolve(file)))
        .results()
        .map(MatchResult::group)
        .map(name -> name.replaceFirst("_bucket$", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void files_nameMetricsThatExist() throws Exception {
    PrometheusMetrics metrics = PrometheusMetrics.create();
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig());
        Manager manager =
            Manager.builder(client)
                .metrics(metrics)
                .leaderElection(LeaseLock.of("default", "monitored"))
                .build()) {
      client.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "x", map -> {}));
      manager.add(
          Controller.builder((request, context) -> Result.done()).forKind(ConfigMap.TYPE).build());
      manager.start();
      assertThat(manager.awaitReady(Duration.ofSeconds(60))).isTrue();

      Set<String> known =
          metrics
              .text()
              .lines()
              .filter(line -> line.startsWith("# TYPE "))
              .map(line -> line.split(" ", -1)[2])
              .collect(Collectors.toSet());
      assertThat(known).containsAll(names("alerts.yaml")).containsAll(names("dashboard.json"));
      assertThat(names("alerts.yaml")).hasSizeGreaterThan(8);
      assertThat(names("dashboard.json")).hasSizeGreaterThan(8);
    }
  }
}
