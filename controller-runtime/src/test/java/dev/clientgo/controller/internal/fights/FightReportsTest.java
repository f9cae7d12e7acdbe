package dev.clientgo.controller.internal.fights;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.debug.FieldFight;
import dev.clientgo.controller.internal.events.EventRecorders;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Fault;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A fight over a field is told although a function of the user that hears of it fails. */
final class FightReportsTest {

  private static final FieldFight FIGHT =
      new FieldFight(
          "configmaps",
          new ObjectName("default", "x"),
          "data.a",
          new FieldFight.Writer("helm", false, "1"),
          new FieldFight.Writer("operator", true, "2"),
          6,
          Duration.ofMinutes(10));

  @ParameterizedTest
  @EnumSource(Fault.class)
  void fight_isToldAndCounted_whateverListenerAndRecorderThrow(Fault fault) {
    PrometheusMetrics metrics = PrometheusMetrics.create();
    try (CapturedLog log = CapturedLog.of(Controller.class)) {
      EventRecorders recorders =
          EventRecorders.of(
              component -> {
                fault.fail();
                throw new AssertionError("does not come so far");
              });
      FightReports reports = new FightReports(metrics, recorders, fight -> fault.fail());

      reports.accept(FIGHT, ConfigMap.of("default", "x", map -> {}));

      assertThat(log.contains("The recorder of events has failed")).isTrue();
      assertThat(log.contains("The listener of fights over fields has failed")).isTrue();
      assertThat(log.contains("data.a of configmaps default/x")).isTrue();
      assertThat(
              metrics.value(
                  "controller_runtime_field_fights_total", Map.of("resource", "configmaps")))
          .isEqualTo(1);
    }
  }
}
