package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.controller.finalizer.FinalizerException;
import dev.clientgo.controller.finalizer.FinalizerSet;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Eventually;
import dev.clientgo.testing.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Finalizers on a server; each test has a namespace-wide controller of ConfigMaps of its own. */
abstract class FinalizerContract {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String TABLES = "example.com/tables";
  private static final String BUCKET = "example.com/bucket";
  private static final String FOREIGN = "example.com/foreign";

  private final List<String> steps = Collections.synchronizedList(new ArrayList<>());
  private Manager manager;
  private ResourceClient<ConfigMap> maps;

  abstract RESTClient client();

  /** Returns a name that no other test has. */
  abstract String name();

  @BeforeEach
  void begin() {
    maps = client().resource(ConfigMap.TYPE).inNamespace("default");
    manager = Manager.create(client());
  }

  @AfterEach
  void end() {
    manager.close();
  }

  private void run(FinalizerSet<ConfigMap> finalizers, String name) throws InterruptedException {
    manager.add(
        Controller.builder(
                (request, context) ->
                    finalizers.reconcile(request, context, (object, c) -> live(object)))
            .forKind(ConfigMap.TYPE, Predicate.of(map -> name.equals(map.metadata().name())))
            .build());
    manager.start();
    assertThat(manager.awaitReady(LIMIT)).isTrue();
  }

  private Result live(ConfigMap object) throws InterruptedException {
    List<String> stored =
        maps.get(String.valueOf(object.metadata().name())).metadata().finalizers();
    assertThat(stored).as("on the server").isEqualTo(object.metadata().finalizers());
    steps.add("live " + stored);
    return Result.done();
  }

  private ObjectReconciler<ConfigMap> cleanup(String step) {
    return (object, context) -> {
      steps.add(step);
      return Result.done();
    };
  }

  private void create(String name, String... finalizers) throws InterruptedException {
    maps.create(
        ConfigMap.of("default", name, c -> c.editMetadata(m -> m.finalizers(List.of(finalizers)))));
  }

  private void awaitGone(String name) throws Exception {
    maps.await(name, Optional::isEmpty, LIMIT);
  }

  @Test
  void allAreThereBeforeTheReconciler_andCleanUpInOrder() throws Exception {
    String name = name();
    run(
        FinalizerSet.builder(ConfigMap.TYPE)
            .add(TABLES, cleanup("tables"))
            .add(BUCKET, cleanup("bucket"))
            .build(),
        name);

    create(name);
    Eventually.await("live", () -> !steps.isEmpty());
    assertThat(steps.get(0)).isEqualTo("live [" + TABLES + ", " + BUCKET + "]");
    maps.delete(name);
    awaitGone(name);

    assertThat(steps)
        .filteredOn(step -> !step.startsWith("live"))
        .containsExactly("tables", "bucket");
  }

  @Test
  void foreignFinalizers_stay_andTheReconcilerSeesNoObjectThatIsBeingDeleted() throws Exception {
    String name = name();
    run(FinalizerSet.of(ConfigMap.TYPE, TABLES, cleanup("tables")), name);
    create(name, FOREIGN);
    Eventually.await("live", () -> !steps.isEmpty());

    maps.delete(name);
    maps.await(name, map -> map.isEmpty() || !map.get().metadata().hasFinalizer(TABLES), LIMIT);

    assertThat(maps.get(name).metadata().finalizers()).containsExactly(FOREIGN);
    assertThat(steps).endsWith("tables").startsWith("live [" + FOREIGN + ", " + TABLES + "]");
    maps.edit(name, map -> map.with(c -> c.editMetadata(m -> m.finalizers(List.of()))));
    awaitGone(name);
  }

  /** The server would refuse a finalizer then; the object goes as it is. */
  @Test
  void objectThatIsBeingDeletedFromTheStart_getsNone() throws Exception {
    String name = name();
    create(name, FOREIGN);
    maps.delete(name);
    run(FinalizerSet.of(ConfigMap.TYPE, TABLES, cleanup("tables")), name);

    maps.edit(
        name, map -> map.with(c -> c.editMetadata(m -> m.annotations(Map.of("seen", "yes")))));
    maps.edit(name, map -> map.with(c -> c.editMetadata(m -> m.finalizers(List.of()))));
    awaitGone(name);

    assertThat(steps).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void allRun_errorsAreJoined_andOnlyThoseThatFailedRunAgain(Fault fault) throws Exception {
    String name = name();
    AtomicInteger attempts = new AtomicInteger();
    AtomicReference<Throwable> error = new AtomicReference<>();
    FinalizerSet<ConfigMap> finalizers =
        FinalizerSet.builder(ConfigMap.TYPE)
            .add(
                TABLES,
                (map, context) -> {
                  if (attempts.incrementAndGet() == 1) {
                    fault.fail();
                  }
                  return cleanup("tables").reconcile(map, context);
                })
            .add(BUCKET, cleanup("bucket"))
            .build();
    manager.add(
        Controller.builder(
                (request, context) -> {
                  try {
                    return finalizers.reconcile(request, context, (object, c) -> live(object));
                  } catch (FinalizerException e) {
                    error.compareAndSet(null, e);
                    throw e;
                  }
                })
            .forKind(ConfigMap.TYPE, Predicate.of(map -> name.equals(map.metadata().name())))
            .build());
    manager.start();
    create(name);
    Eventually.await("live", () -> !steps.isEmpty());

    maps.delete(name);
    awaitGone(name);

    assertThat(steps)
        .filteredOn(step -> !step.startsWith("live"))
        .containsExactly("bucket", "tables");
    assertThat(error.get())
        .hasMessageStartingWith(
            "finalizers of configmaps default/" + name + " have failed: example.com/tables (")
        .hasMessageContaining(
            fault == Fault.EXCEPTION ? "java.lang.IllegalStateException: a bug of the user" : "");
  }

  @Test
  void cleanupThatWaits_keepsItsFinalizer_andComesBack() throws Exception {
    String name = name();
    AtomicInteger attempts = new AtomicInteger();
    run(
        FinalizerSet.of(
            ConfigMap.TYPE,
            TABLES,
            (map, context) -> {
              steps.add("tables");
              return attempts.incrementAndGet() < 3
                  ? Result.requeueAfter(Duration.ofMillis(1))
                  : Result.done();
            }),
        name);
    create(name);
    Eventually.await("live", () -> !steps.isEmpty());

    maps.delete(name);
    awaitGone(name);

    assertThat(steps).filteredOn("tables"::equals).hasSize(3);
  }

  /** Another client changes the object between the cleanup and the patch. */
  @Test
  void conflict_isTriedAgainWithTheObjectOfTheServer() throws Exception {
    String name = name();
    run(
        FinalizerSet.of(
            ConfigMap.TYPE,
            TABLES,
            (map, context) -> {
              maps.edit(name, m -> m.with(c -> c.data(Map.of("a", "changed meanwhile"))));
              steps.add("tables");
              return Result.done();
            }),
        name);
    create(name);
    Eventually.await("live", () -> !steps.isEmpty());

    maps.delete(name);
    awaitGone(name);

    assertThat(steps).filteredOn("tables"::equals).hasSize(1);
  }

  @Test
  void names_areChecked() {
    assertThatThrownBy(() -> FinalizerSet.of(ConfigMap.TYPE, "no good", cleanup("x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the finalizer \"no good\"");
    assertThatThrownBy(
            () ->
                FinalizerSet.builder(ConfigMap.TYPE)
                    .add(TABLES, cleanup("x"))
                    .add(TABLES, cleanup("y")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was added before");
    assertThatThrownBy(() -> FinalizerSet.builder(ConfigMap.TYPE).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("call add");
  }
}
