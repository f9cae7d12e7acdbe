package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.controller.debug.Cause;
import dev.clientgo.controller.debug.Cause.EventType;
import dev.clientgo.controller.debug.Cause.ObjectEvent;
import dev.clientgo.controller.debug.KeyHistory;
import dev.clientgo.controller.debug.ReconcileRecord;
import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Eventually;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The causes of reconciles on the embedded server, through the API and over HTTP. */
final class DebugRecorderTest {

  private static final Request X = new Request("default", "x");

  private final DebugRecorder recorder = DebugRecorder.create();
  private EmbeddedApiServer server;
  private RESTClient client;
  private ResourceClient<ConfigMap> maps;

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
    maps = client.resource(ConfigMap.TYPE).inNamespace("default");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private Manager manager(ControllerBuilder... controllers) throws InterruptedException {
    Manager manager =
        Manager.builder(client)
            .metricsBindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .debugRecorder(recorder)
            .build();
    for (ControllerBuilder controller : controllers) {
      manager.add(controller.build());
    }
    manager.start();
    assertThat(manager.awaitReady(Duration.ofSeconds(30))).isTrue();
    return manager;
  }

  private static ConfigMap map(String name) {
    return ConfigMap.of("default", name, c -> c.data(Map.of("a", "1")));
  }

  /** Waits until a finished reconcile has such a cause. */
  private ReconcileRecord await(String what, Predicate<Cause> wanted) throws InterruptedException {
    Eventually.await(what, () -> find(wanted) != null);
    return find(wanted);
  }

  private ReconcileRecord find(Predicate<Cause> wanted) {
    return recorder
        .history("test", X)
        .flatMap(
            history ->
                history.records().stream()
                    .filter(record -> record.outcome() != Outcome.RUNNING)
                    .filter(record -> record.causes().stream().anyMatch(wanted))
                    .findFirst())
        .orElse(null);
  }

  private static Predicate<Cause> event(EventType type) {
    return cause -> cause instanceof ObjectEvent event && event.type() == type;
  }

  private static ObjectEvent only(ReconcileRecord record) {
    assertThat(record.causes()).hasSize(1);
    return (ObjectEvent) record.causes().get(0);
  }

  @Test
  void events_areTold_withTheirFieldsAndOwnWrites() throws Exception {
    maps.create(map("x"));
    Reconciler reconciler =
        (request, context) -> {
          CachedResource<ConfigMap> cached =
              context.client().resource(ConfigMap.TYPE).inNamespace("default");
          ConfigMap map = cached.find("x").orElse(null);
          if (map != null && !map.data().containsKey("b")) {
            cached.edit("x", m -> m.with(edit -> edit.data(Map.of("a", "1", "b", "2"))));
          }
          return Result.done();
        };
    try (Manager manager =
        manager(Controller.builder(reconciler).named("test").forKind(ConfigMap.TYPE))) {
      ObjectEvent first = only(await("the list", event(EventType.INITIAL_LIST)));
      assertThat(first.resource()).isEqualTo("configmaps");
      assertThat(first.oldVersion()).isNull();
      assertThat(first.version()).isNotEmpty();

      ObjectEvent own = only(await("the own write", event(EventType.UPDATED)));
      assertThat(own.writtenBy()).isEqualTo("test");
      assertThat(own.oldVersion()).isEqualTo(first.version());
      assertThat(own.changes())
          .extracting(Object::toString)
          .containsExactly("data.b: (absent) -> \"2\"");

      maps.edit("x", m -> m.with(edit -> edit.data(Map.of("a", "9", "b", "2"))));
      await(
          "the change of another client",
          cause ->
              cause instanceof ObjectEvent event
                  && event.type() == EventType.UPDATED
                  && event.writtenBy() == null
                  && event.changes().toString().equals("[data.a: \"1\" -> \"9\"]"));
      maps.delete("x");
      ObjectEvent deleted = only(await("the deletion", event(EventType.DELETED)));
      assertThat(deleted.writtenBy()).isNull();

      assertThat(get(manager, "/debug/reconciles?controller=test&namespace=default&name=x").body())
          .contains("\"path\":\"data.b\",\"after\":\"\\\"2\\\"\"")
          .contains("\"writtenBy\":\"test\"");
    }
  }

  @Test
  void eventsDuringAReconcile_areMergedIntoTheNext() throws Exception {
    maps.create(map("x"));
    CountDownLatch changed = new CountDownLatch(1);
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              changed.await();
              return Result.done();
            });
    try (Manager manager =
        manager(Controller.builder(reconciler).named("test").forKind(ConfigMap.TYPE))) {
      reconciler.next();
      maps.edit("x", m -> m.with(edit -> edit.data(Map.of("a", "2"))));
      maps.edit("x", m -> m.with(edit -> edit.data(Map.of("a", "3"))));
      manager.controllers().get(0).enqueue(X);
      Eventually.await("all causes", () -> history().pending().size() == 3);
      changed.countDown();

      ReconcileRecord second = await("the second", event(EventType.UPDATED));
      assertThat(second.causes()).hasSize(3);
      assertThat(recorder.toString())
          .contains("data.a: \"1\" -> \"2\"")
          .contains("data.a: \"2\" -> \"3\"")
          .contains("\n    enqueue");
    }
  }

  private KeyHistory history() {
    return recorder.history("test", X).orElseThrow();
  }

  @Test
  void retriesAndRequeues_areTold() throws Exception {
    maps.create(map("x"));
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              if (context.reconcileId() <= 2) {
                throw new IllegalStateException("attempt " + context.reconcileId());
              } else if (context.reconcileId() == 3) {
                return Result.requeueAfter(Duration.ofMillis(20));
              }
              throw new TerminalException("never");
            });
    try (Manager manager =
        manager(Controller.builder(reconciler).named("test").forKind(ConfigMap.TYPE))) {
      await("the requeue", cause -> cause instanceof Cause.RequeueAfter);
      assertThat(get(manager, "/debug/reconciles?name=x").body())
          .contains("\"type\":\"RETRY\"", "\"type\":\"REQUEUE_AFTER\"", "\"outcome\":\"TERMINAL\"");

      List<ReconcileRecord> records = history().records();
      assertThat(records)
          .extracting(ReconcileRecord::outcome)
          .containsExactly(Outcome.FAILED, Outcome.FAILED, Outcome.REQUEUE_AFTER, Outcome.TERMINAL);
      assertThat(records.get(0).error()).contains("attempt 1");
      assertThat(records.get(2).causes().toString()).isEqualTo("[retry after failure 2]");
      assertThat(records.get(2).requeueAfter()).isEqualTo(Duration.ofMillis(20));
      assertThat(records.get(3).causes().toString()).isEqualTo("[requeueAfter(PT0.02S)]");
    }
  }

  @Test
  void pageOfAllRequests_hasCountsAndTheLastResult_andUnknownOnesAreNotFound() throws Exception {
    maps.create(map("x"));
    client.resource(Secret.TYPE).create(Secret.of("default", "x", s -> s.type("Opaque")));
    try (Manager manager =
        manager(
            Controller.builder(new RecordingReconciler()).named("test").forKind(ConfigMap.TYPE),
            Controller.builder(new RecordingReconciler()).named("other").forKind(Secret.TYPE))) {
      await("the first", event(EventType.INITIAL_LIST));
      Eventually.await(
          "both", () -> recorder.history("other", X).stream().anyMatch(h -> h.reconciles() == 1));

      HttpResponse<String> all = get(manager, "/debug/reconciles");
      assertThat(all.headers().firstValue("Content-Type")).contains("application/json");
      assertThat(Unstructured.parse(all.body()).nestedList("keys").orElseThrow()).hasSize(2);
      assertThat(get(manager, "/debug/reconciles?controller=other").body())
          .contains("\"controller\":\"other\",\"namespace\":\"default\",\"name\":\"x\"")
          .contains("\"reconciles\":1")
          .doesNotContain("test");
      assertThat(get(manager, "/debug/reconciles?name=x").body())
          .contains("\"controller\":\"other\"")
          .contains("\"controller\":\"test\"");
      HttpResponse<String> unknown = get(manager, "/debug/reconciles?name=who");
      assertThat(unknown.statusCode()).isEqualTo(404);
      assertThat(unknown.body()).contains("no reconcile of {name=who} is recorded");
    }
  }

  @Test
  void pageIsAbsent_withoutARecorder() throws Exception {
    try (Manager manager =
        Manager.builder(client)
            .metricsBindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .build()) {
      manager.start();

      assertThat(get(manager, "/debug/reconciles").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void values_ofSecretsAreNeverShown() throws Exception {
    ResourceClient<Secret> secrets = client.resource(Secret.TYPE).inNamespace("default");
    secrets.create(Secret.of("default", "x", s -> s.stringData(Map.of("password", "hunter-1"))));
    try (Manager manager =
        manager(Controller.builder(new RecordingReconciler()).named("test").forKind(Secret.TYPE))) {
      await("the list", event(EventType.INITIAL_LIST));
      secrets.edit(
          "x", s -> s.with(edit -> edit.data(Map.of("password", Bytes.of(new byte[] {7, 8, 9})))));
      await("the update", event(EventType.UPDATED));

      assertThat(recorder.toString())
          .contains("data.password: (hidden) -> (hidden)")
          .doesNotContain("hunter", "BwgJ", "aHVudGVyLTE=");
      assertThat(get(manager, "/debug/reconciles?name=x").body())
          .contains("(hidden)")
          .doesNotContain("hunter", "BwgJ", "aHVudGVyLTE=");
    }
  }

  @Test
  void limits_areChecked() {
    assertThatThrownBy(() -> DebugRecorder.builder().keys(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("keys must be at least 1: 0");
    assertThatThrownBy(() -> DebugRecorder.builder().states(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("states must be at least 0: -1");
    assertThat(recorder).hasToString("no reconcile is recorded");
  }

  private static HttpResponse<String> get(Manager manager, String path) throws Exception {
    InetSocketAddress address = manager.metricsAddress().orElseThrow();
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
