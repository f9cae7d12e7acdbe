package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.controller.debug.FieldFight;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.events.FakeRecorder;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two writers of one field, and a controller that wakes itself. */
abstract class FightContract {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final List<FieldFight> fights = new CopyOnWriteArrayList<>();
  private final FakeRecorder events = FakeRecorder.create();

  abstract RESTClient client();

  /** Returns a name that no other test has. */
  abstract String name();

  private Manager manager(String name, Reconciler reconciler) {
    Manager manager =
        Manager.builder(client()).events(any -> events).onFieldFight(fights::add).build();
    manager.add(
        Controller.builder(reconciler)
            .forKind(ConfigMap.TYPE, Predicate.of(map -> name.equals(map.metadata().name())))
            .named("keeper")
            .build());
    manager.start();
    return manager;
  }

  private ResourceClient<ConfigMap> maps() {
    return client().resource(ConfigMap.TYPE).inNamespace("default");
  }

  private static ConfigMap map(String name, String value) {
    return ConfigMap.of("default", name, c -> c.data(Map.of("a", value)));
  }

  @Test
  void twoWriters_areNamed_withFieldAndValues() throws Exception {
    String name = name();
    maps().create(map(name, "first"));
    PatchOptions stranger = PatchOptions.builder().fieldManager("stranger").build();
    try (Manager manager =
        manager(
            name,
            (request, context) -> {
              context.client().resource(ConfigMap.TYPE).apply(map(name, "ours"));
              return Result.done();
            })) {
      assertThat(manager.awaitReady(LIMIT)).isTrue();
      for (int i = 0; i < 20 && fights.isEmpty(); i++) {
        maps()
            .await(
                name,
                found -> found.isPresent() && "ours".equals(found.get().data().get("a")),
                LIMIT);
        maps().edit(name, c -> c.with(b -> b.data(Map.of("a", "theirs"))), stranger);
      }
      Eventually.await("a fight", () -> !fights.isEmpty());
      events.await("FieldFight", LIMIT);
    }

    FieldFight fight = fights.get(0);
    assertThat(fight.field()).isEqualTo("data.a");
    assertThat(fight.object().name()).isEqualTo(name);
    assertThat(List.of(fight.last(), fight.other()))
        .containsExactlyInAnyOrder(
            new FieldFight.Writer("keeper (Apply)", true, "\"ours\""),
            new FieldFight.Writer("stranger (Update)", false, "\"theirs\""));
  }

  /** A status that counts other objects, which change one by one, and the controller keeps up. */
  @Test
  void countOfOtherObjects_isNoFight() throws Exception {
    String name = name();
    maps().create(map(name, "0"));
    try (Manager manager =
        Manager.builder(client()).events(any -> events).onFieldFight(fights::add).build()) {
      manager.add(
          Controller.builder(
                  (request, context) -> {
                    CachedResource<ConfigMap> all =
                        context.client().resource(ConfigMap.TYPE).inNamespace("default");
                    String count = String.valueOf(all.list(Selector.parse("of=" + name)).size());
                    all.apply(map(name, count));
                    return Result.done();
                  })
              .named("counter")
              .watches(
                  ConfigMap.TYPE,
                  object ->
                      object.metadata().name().startsWith(name)
                          ? List.of(new Request("default", name))
                          : List.of())
              .build());
      manager.start();
      assertThat(manager.awaitReady(LIMIT)).isTrue();
      for (int i = 1; i <= 20; i++) {
        maps()
            .create(
                map(name + "-" + i, "1")
                    .with(b -> b.editMetadata(m -> m.labels(Map.of("of", name)))));
        String wanted = String.valueOf(i);
        maps()
            .await(
                name,
                found -> found.isPresent() && wanted.equals(found.get().data().get("a")),
                LIMIT);
      }
    }

    assertThat(fights).isEmpty();
  }

  @Test
  void controllerThatWakesItself_isTold() throws Exception {
    String name = name();
    AtomicInteger count = new AtomicInteger();
    maps().create(map(name, "first"));
    try (Manager manager =
        manager(
            name,
            (request, context) -> {
              if (fights.isEmpty()) {
                context
                    .client()
                    .resource(ConfigMap.TYPE)
                    .apply(map(name, "at " + count.incrementAndGet()));
              }
              return Result.done();
            })) {
      Eventually.await("a fight", () -> !fights.isEmpty());
      assertThat(manager.awaitReady(LIMIT)).isTrue();
    }

    assertThat(fights.get(0).isWithItself()).isTrue();
    assertThat(fights.get(0).field()).isEqualTo("data.a");
    assertThat(count).hasValueLessThan(100);
  }
}
