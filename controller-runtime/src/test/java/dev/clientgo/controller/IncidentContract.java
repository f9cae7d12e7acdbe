package dev.clientgo.controller;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.controller.IncidentReplay.Outcome;
import dev.clientgo.controller.IncidentReplay.Replayed;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.events.FakeRecorder;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.testing.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An incident that is recorded while watches and requests are cut, and its replay. */
abstract class IncidentContract {

  private static final String PASSWORD = "correct-horse-\"battery\"";

  @TempDir Path folder;

  abstract ApiServer server();

  /** A controller of shops, each of which is a config map with a secret. */
  static Controller shops(int replicas) {
    return Controller.builder((request, context) -> reconcile(request, context, replicas))
        .named("shops")
        .forKind(ConfigMap.TYPE)
        .owns(ConfigMap.TYPE)
        .watches(Secret.TYPE, secret -> List.of(Request.of(secret)))
        .build();
  }

  private static Result reconcile(Request request, Context context, int replicas) throws Exception {
    CachedResource<ConfigMap> maps =
        context.client().resource(ConfigMap.TYPE).inNamespace(request.namespace());
    Optional<ConfigMap> shop = maps.find(request);
    Optional<Secret> secret = context.client().resource(Secret.TYPE).find(request);
    if (shop.isEmpty() || secret.isEmpty() || !shop.get().metadata().labels().containsKey("app")) {
      return Result.done();
    }
    String password = new String(secret.get().data().get("password").toByteArray(), UTF_8);
    String step = shop.get().data().get("step");
    if (!step.equals(shop.get().metadata().annotations().get("seen"))) {
      maps.edit(
          shop.get(),
          s ->
              s.with(
                  c ->
                      c.editMetadata(
                          m ->
                              m.editAnnotations(
                                  a -> {
                                    a.put("seen", step);
                                    a.put("at", context.now().toString());
                                    a.put("number", "" + context.random().nextInt());
                                  }))));
    }
    int all = context.view(ConfigMap.TYPE).list(Selector.parse("app")).size();
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(password.getBytes(UTF_8));
    maps.createOrUpdate(
        ConfigMap.of(request.namespace(), request.name() + "-settings", c -> {}),
        map ->
            OwnerReferences.setController(
                map.with(
                    c ->
                        c.data(
                            Map.of(
                                "url",
                                "jdbc:db?user=a&password=" + password,
                                "digest",
                                HexFormat.of().formatHex(digest),
                                "shops",
                                all > 0 ? "some" : "none",
                                "replicas",
                                "" + replicas))),
                shop.get()));
    maps.apply(
        ConfigMap.of(
            request.namespace(), request.name() + "-page", c -> c.data(Map.of("step", step))));
    if (maps.ownedBy(shop.get()).isEmpty()) {
      throw new IllegalStateException("the settings are gone");
    }
    if (step.equals("3")) {
      context.client().uncached().resource(Secret.TYPE).inNamespace(request.namespace()).list();
      maps.deleteIfExists(request.name() + "-page");
    } else if (step.equals("4")) {
      throw new IllegalStateException("cannot log in with " + password);
    }
    return Result.requeueAfter(java.time.Duration.ofHours(1));
  }

  /** What a user of the cluster does while the incident is recorded. */
  @FunctionalInterface
  interface Story {
    void tell(RESTClient user, CuttingProxy proxy) throws Exception;
  }

  /** Records a controller whose connections a story can break. */
  final Path record(Controller controller, Story story) throws Exception {
    RestConfig direct = server().restConfig();
    IncidentRecorder recorder = IncidentRecorder.create();
    try (CuttingProxy proxy = CuttingProxy.to(server().url());
        RESTClient user = RESTClient.create(direct);
        RESTClient cut =
            RESTClient.create(direct.toBuilder().server(proxy.url().toString()).build());
        Manager manager =
            Manager.builder(cut)
                .inNamespaces("default")
                .incidents(recorder)
                .events(each -> FakeRecorder.create())
                .build()) {
      manager.add(controller);
      manager.start();
      story.tell(user, proxy);
      recorder.writeTo(folder.resolve("incident.bin"));
    }
    return folder.resolve("incident.bin");
  }

  static void assertSame100Times(Path incident, int reconciles, Controller controller)
      throws IOException {
    try (IncidentReplay replay = IncidentReplay.of(incident, controller)) {
      assertThat(replay.size()).isGreaterThan(reconciles);
      for (int i = 0; i < 100; i++) {
        replay.assertSame();
      }
    }
  }

  private static void shopsChange(RESTClient user, CuttingProxy proxy) throws Exception {
    ResourceClient<ConfigMap> maps = user.resource(ConfigMap.TYPE).inNamespace("default");
    for (int shop = 0; shop < 3; shop++) {
      String name = "shop-" + shop;
      byte[] password = PASSWORD.getBytes(UTF_8);
      user.resource(Secret.TYPE)
          .create(Secret.of("default", name, s -> s.data(Map.of("password", Bytes.of(password)))));
      maps.create(
          ConfigMap.of(
              "default",
              name,
              c -> c.data(Map.of("step", "0")).editMetadata(m -> m.labels(Map.of("app", "shop")))));
    }
    for (int step = 1; step <= 4; step++) {
      for (int shop = 0; shop < 3; shop++) {
        String now = "" + step;
        String name = "shop-" + shop;
        maps.edit(name, m -> m.with(c -> c.data(Map.of("step", now))));
        proxy.cut();
        Eventually.await(
            "step " + now + " of " + name, () -> seen(maps, name).filter(now::equals).isPresent());
      }
    }
  }

  private static Optional<String> seen(ResourceClient<ConfigMap> maps, String name) {
    try {
      return Optional.ofNullable(maps.get(name).metadata().annotations().get("seen"));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Timeout(300)
  void incident_underCuts_replaysToTheSameWrites_andSaysWhereOtherCodeDiffers() throws Exception {
    Path incident = record(shops(1), IncidentContract::shopsChange);

    assertSame100Times(incident, 15, shops(1));
    try (IncidentReplay replay = IncidentReplay.of(incident, shops(2))) {
      List<Replayed> all = replay.run();
      assertThat(all)
          .filteredOn(each -> each.outcome() == Outcome.DIFFERENT)
          .isNotEmpty()
          .anySatisfy(
              each ->
                  assertThat(each.toString())
                      .contains(" of shops default/shop-")
                      .contains("write 2 was POST /api/v1/namespaces/default/configmaps")
                      .contains("data.replicas \"1\", is \"2\""));
    }
    String text = IncidentText.of(incident);
    assertThat(text)
        .contains("redacted-")
        .doesNotContain("correct-horse")
        .doesNotContain(Unstructured.of(Map.of("a", PASSWORD)).toJson().substring(8, 20));
  }
}
