package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The settings that a builder refuses, and its error messages. */
final class ControllerBuilderTest {

  private final ControllerBuilder builder = Controller.builder((request, context) -> null);

  @Test
  void name_isTheKindInLowerCase() {
    assertThat(builder.forKind(Deployment.TYPE).build().name()).isEqualTo("deployment");
    assertThat(builder.named("other").build().name()).isEqualTo("other");
  }

  @Test
  void controllers_ofOneBuilder_areIndependent() {
    builder.forKind(Pod.TYPE);

    assertThat(builder.build()).isNotSameAs(builder.build());
    assertThat(builder.build().state()).isEqualTo(ControllerState.NEW);
  }

  @Test
  void mistakes_areToldWithWhatToDo() {
    assertThatThrownBy(builder::build)
        .hasMessageContaining("call forKind(…), watches(…), polls(…), or channel()");
    assertThatThrownBy(() -> builder.owns(Pod.TYPE)).hasMessageContaining("forKind before owns");
    builder.watches(Pod.TYPE, MapFunction.self());
    assertThatThrownBy(builder::build).hasMessageContaining("call named(…)");
    builder.forKind(Deployment.TYPE);
    assertThatThrownBy(() -> builder.forKind(Pod.TYPE))
        .hasMessageContaining("this one is for deployments.apps: use watches(…)");
    assertThatThrownBy(() -> builder.sharded(false).shardedCache(true).build())
        .hasMessageContaining("remove sharded(false)");
    assertThatThrownBy(
            () ->
                Controller.builder((request, context) -> Result.done())
                    .watches(Pod.TYPE, MapFunction.self())
                    .shardedCache(true)
                    .build())
        .hasMessageContaining("shardedCache(true)")
        .hasMessageContaining("call forKind(…)");
    assertThatThrownBy(() -> builder.workers(0)).hasMessageContaining("at least one worker: 0");
    assertThatThrownBy(() -> builder.workers(3, 2)).hasMessageContaining("the least: 2 < 3");
    assertThatThrownBy(() -> builder.maxRetries(-1)).hasMessageContaining("maxRetries");
    assertThatThrownBy(() -> builder.polls(Duration.ZERO, client -> null))
        .hasMessageContaining("period must be positive");
    assertThatThrownBy(() -> builder.minReconcileInterval(Duration.ZERO))
        .hasMessageContaining("minReconcileInterval must be positive");
    assertThatThrownBy(() -> builder.maxReconcileInterval(Duration.ofSeconds(-1)))
        .hasMessageContaining("maxReconcileInterval must be positive");
    assertThatThrownBy(() -> builder.named(" ")).hasMessageContaining("blank");
    assertThatThrownBy(() -> builder.reconcileTimeout(Duration.ZERO))
        .hasMessageContaining("reconcileTimeout must be positive");
    assertThatThrownBy(() -> builder.cacheSyncTimeout(Duration.ofSeconds(-1)))
        .hasMessageContaining("cacheSyncTimeout must be positive");
    assertThatThrownBy(() -> Result.requeueAfter(Duration.ofSeconds(-1)))
        .hasMessageContaining("must not be negative");
  }

  @Test
  void result_comparesByValue() {
    assertThat(Result.requeueAfter(Duration.ZERO)).isEqualTo(Result.done());
    assertThat(Result.requeueAfter(Duration.ofSeconds(1)).withPriority(3))
        .isEqualTo(Result.requeueAfter(Duration.ofSeconds(1)).withPriority(3))
        .hasToString("requeue after PT1S with priority 3");
    assertThat(Result.done()).hasToString("done").isNotEqualTo(Result.done().withPriority(1));
  }
}
