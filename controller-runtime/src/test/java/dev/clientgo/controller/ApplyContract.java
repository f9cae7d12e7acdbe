package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.managedfields.ManagedFields;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Eventually;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Applies of a reconciler that would loop if they were sent each time. */
abstract class ApplyContract {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final PrometheusMetrics metrics = PrometheusMetrics.create();
  private Manager manager;
  private Client client;
  private CachedResource<ConfigMap> maps;
  private ResourceClient<ConfigMap> others;

  abstract RESTClient client();

  /** Returns a name that no other test has. */
  abstract String name();

  /** A reconciler lends its client, so that the tests can apply step by step. */
  @BeforeEach
  void begin() throws InterruptedException {
    BlockingQueue<Client> clients = new ArrayBlockingQueue<>(1);
    String trigger = name();
    others = client().resource(ConfigMap.TYPE).inNamespace("default");
    others.create(ConfigMap.of("default", trigger, c -> {}));
    manager = Manager.builder(client()).metrics(metrics).build();
    manager.add(
        Controller.builder(
                (request, context) -> {
                  clients.offer(context.client());
                  return Result.done();
                })
            .forKind(ConfigMap.TYPE)
            .named("applier")
            .build());
    manager.start();
    client = clients.poll(30, TimeUnit.SECONDS);
    assertThat(client).isNotNull();
    maps = client.resource(ConfigMap.TYPE).inNamespace("default");
  }

  @AfterEach
  void end() {
    manager.close();
  }

  private static ConfigMap configuration(String name, String value) {
    return ConfigMap.of("default", name, c -> c.data(Map.of("a", value)));
  }

  private double applies(String result) {
    return metrics.value(
        "controller_runtime_applies_total", Map.of("controller", "applier", "result", result));
  }

  /** Waits until the cache has what other clients have written. */
  private void awaitCache(String name) throws InterruptedException {
    String version = others.get(name).metadata().resourceVersion();
    Eventually.await(
        "the cache",
        () -> {
          try {
            // It may have seen the deletion and not yet the creation that followed.
            return maps.find(name)
                .filter(map -> version.equals(map.metadata().resourceVersion()))
                .isPresent();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void sameConfiguration_isSentOnce_andAnotherOneAgain() throws Exception {
    String name = name();

    ConfigMap first = maps.apply(configuration(name, "1")).object();
    ConfigMap second = maps.apply(configuration(name, "1")).object();
    ConfigMap third = maps.apply(configuration(name, "2")).object();
    maps.apply(configuration(name, "2"));

    assertThat(ManagedFields.applied(first, "applier")).isPresent();
    assertThat(second.metadata().resourceVersion()).isEqualTo(first.metadata().resourceVersion());
    assertThat(third.data()).containsEntry("a", "2");
    assertThat(applies("sent")).isEqualTo(2);
    assertThat(applies("skipped")).isEqualTo(2);
  }

  @Test
  void dryRun_saysWhatItWouldDo() throws Exception {
    String name = name();
    ApplyOptions dry = ApplyOptions.of("applier").dryRun();

    assertThat(maps.apply(configuration(name, "1"), dry).result())
        .isEqualTo(OperationResult.CREATED);
    maps.apply(configuration(name, "1"));
    assertThat(maps.apply(configuration(name, "1"), dry).result())
        .isEqualTo(OperationResult.UNCHANGED);
    assertThat(maps.apply(configuration(name, "2"), dry).result())
        .isEqualTo(OperationResult.UPDATED);
  }

  @Test
  void fieldsOfOthers_areNoReason() throws Exception {
    String name = name();
    maps.apply(configuration(name, "1"));
    others.edit(
        name,
        map -> map.with(c -> c.editData(d -> d.put("b", "theirs"))),
        PatchOptions.builder().fieldManager("stranger").build());
    awaitCache(name);

    ConfigMap kept = maps.apply(configuration(name, "1")).object();

    assertThat(kept.data()).isEqualTo(Map.of("a", "1", "b", "theirs"));
    assertThat(applies("skipped")).isEqualTo(1);
  }

  @Test
  void ownFieldThatAnotherClientHasChanged_isAppliedAgain() throws Exception {
    String name = name();
    maps.apply(configuration(name, "1"));
    others.edit(
        name,
        map -> map.with(c -> c.editData(d -> d.put("a", "theirs"))),
        PatchOptions.builder().fieldManager("stranger").build());
    awaitCache(name);

    ConfigMap back = maps.apply(configuration(name, "1")).object();

    assertThat(back.data()).containsEntry("a", "1");
    assertThat(applies("sent")).isEqualTo(2);
  }

  @Test
  void ownFieldThatAnotherClientHasTakenOver_isAppliedAgain() throws Exception {
    String name = name();
    maps.apply(configuration(name, "1"));
    others.apply(configuration(name, "theirs"), ApplyOptions.of("stranger").force());
    awaitCache(name);

    assertThat(maps.apply(configuration(name, "1")).object().data()).containsEntry("a", "1");
    assertThat(applies("sent")).isEqualTo(2);
  }

  @Test
  void objectThatWasCreatedAgain_isAppliedAgain() throws Exception {
    String name = name();
    maps.apply(configuration(name, "1"));
    others.delete(name);
    others.create(configuration(name, "1"));
    awaitCache(name);

    ConfigMap applied = maps.apply(configuration(name, "1")).object();

    assertThat(ManagedFields.applied(applied, "applier")).isPresent();
    assertThat(applies("sent")).isEqualTo(2);

    maps.delete(name);
    maps.apply(configuration(name, "1"));
    assertThat(others.get(name).data()).containsEntry("a", "1");
    assertThat(applies("sent")).isEqualTo(3);
  }

  @Test
  void status_isRememberedApartFromTheObject() throws Exception {
    Map<String, String> labels = Map.of("app", "web");
    Deployment deployment =
        Deployment.of(
            "default",
            name(),
            d ->
                d.editSpec(
                    s ->
                        s.editSelector(l -> l.matchLabels(labels))
                            .editTemplate(
                                t ->
                                    t.editMetadata(m -> m.labels(labels))
                                        .editSpec(
                                            p ->
                                                p.addContainers(
                                                    c -> c.name("web").image("nginx:1"))))));
    Deployment status =
        Deployment.of(
            "default",
            String.valueOf(deployment.metadata().name()),
            d -> d.editStatus(s -> s.observedGeneration(1L)));
    CachedResource<Deployment> deployments = client.resource(Deployment.TYPE);

    deployments.apply(deployment);
    deployments.applyStatus(status);
    deployments.apply(deployment);
    Deployment stored = deployments.applyStatus(status).object();

    assertThat(stored.status().observedGeneration()).isEqualTo(1);
    assertThat(applies("sent")).isEqualTo(2);
    assertThat(applies("skipped")).isEqualTo(2);
  }

  /** Two field managers of one process own different fields. */
  @Test
  void fieldManagers_areApart_andAClientWithoutOneSaysWhatToDo() throws Exception {
    String name = name();
    maps.apply(configuration(name, "1"));
    CachedResource<ConfigMap> second =
        client.withFieldManager("second").resource(ConfigMap.TYPE).inNamespace("default");

    second.apply(ConfigMap.of("default", name, c -> c.data(Map.of("b", "2"))));
    second.apply(ConfigMap.of("default", name, c -> c.data(Map.of("b", "2"))));

    assertThat(maps.apply(configuration(name, "1")).object().data())
        .isEqualTo(Map.of("a", "1", "b", "2"));
    assertThat(applies("sent")).isEqualTo(2);
    assertThat(applies("skipped")).isEqualTo(2);
    assertThatThrownBy(
            () -> manager.client().resource(ConfigMap.TYPE).apply(configuration(name, "1")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("withFieldManager");
    assertThat(manager.awaitReady(LIMIT)).isTrue();
  }
}
