package dev.clientgo.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.controller.webhook.AdmissionRequest.Operation;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.kubernetes.admissionregistration.v1.FailurePolicyType;
import dev.clientgo.kubernetes.admissionregistration.v1.MutatingWebhookConfiguration;
import dev.clientgo.kubernetes.admissionregistration.v1.ValidatingWebhookConfiguration;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.Scale;
import dev.clientgo.rest.certificates.CertificateAuthority;
import dev.clientgo.testing.Eventually;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Webhooks for admission as API servers call them. Each test has a namespace and a webhook server
 * of its own, and its webhooks are for objects in that namespace.
 */
@Timeout(300)
abstract class AdmissionContract {

  static final Path DEFINITIONS = Path.of("src/test/crds/webhooks.yaml");

  private static final AtomicInteger TESTS = new AtomicInteger();
  private static final ServingCertificate CERTIFICATE = ServingCertificate.selfSigned();

  private static final ResourceType<Unstructured> WIDGETS =
      Unstructured.type(
          new GroupKind("webhooks.example.com", "Widget").withVersion("v1"), "widgets", true);

  static final CreateOptions DRY_RUN = CreateOptions.builder().dryRun(true).build();

  final String name = "webhooks-" + TESTS.incrementAndGet();
  private final List<WebhookServer> servers = new ArrayList<>();
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final PrometheusMetrics metrics = PrometheusMetrics.create();
  RESTClient client;
  ResourceClient<ConfigMap> maps;
  private ResourceClient<Unstructured> widgets;

  abstract ApiServer server();

  @BeforeEach
  void connect() throws InterruptedException {
    client =
        RESTClient.builder(server().restConfig())
            .warningHandler((code, agent, text) -> warnings.add(text))
            .build();
    client.resource(Namespace.TYPE).create(Namespace.of(name, n -> {}));
    maps = client.resource(ConfigMap.TYPE).inNamespace(name);
    widgets = client.resource(WIDGETS).inNamespace(name);
  }

  @AfterEach
  void disconnect() throws InterruptedException {
    client.resource(MutatingWebhookConfiguration.TYPE).deleteIfExists(name);
    client.resource(ValidatingWebhookConfiguration.TYPE).deleteIfExists(name);
    servers.forEach(server -> server.close(Duration.ZERO));
    client.close();
  }

  // ---- set up

  static WebhookServer.Builder builder() {
    return WebhookServer.builder()
        .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .certificate(CERTIFICATE);
  }

  /** Starts a server and tells the API server of it. */
  private void install(WebhookServer.Builder builder, String caBundle) throws InterruptedException {
    WebhookServer server = builder.build();
    servers.add(server);
    server.start(metrics);
    server
        .configurations(
            name,
            WebhookTarget.url("https://127.0.0.1:" + server.address().getPort()).caBundle(caBundle))
        .install(client);
  }

  void install(WebhookServer.Builder builder) throws InterruptedException {
    install(builder, CERTIFICATE.caBundle());
  }

  Webhook here(Webhook webhook) {
    return webhook.namespaceSelector(
        LabelSelector.of(s -> s.matchLabels(Map.of("kubernetes.io/metadata.name", name))));
  }

  /** Something that may fail while the API server does not know the webhook yet. */
  @FunctionalInterface
  interface Probe {
    void send() throws InterruptedException;
  }

  /** Sends requests until the webhook at a path has been called. */
  void awaitCalled(String path, Probe probe) throws InterruptedException {
    Eventually.await(
        "a call of " + path,
        () -> {
          try {
            probe.send();
          } catch (ApiStatusException e) {
            // Refused by a webhook.
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return metrics
              .text()
              .lines()
              .anyMatch(
                  line ->
                      line.startsWith("controller_runtime_webhook_requests_total{")
                          && line.contains("\"" + path + "\"")
                          && !line.endsWith(" 0"));
        });
  }

  void awaitConfigMaps(String verb) throws InterruptedException {
    awaitCalled("/" + verb + "--v1-configmap", () -> maps.create(map("probe", Map.of()), DRY_RUN));
    warnings.clear();
  }

  ConfigMap map(String mapName, Map<String, String> data) {
    return ConfigMap.of(name, mapName, c -> c.data(data));
  }

  private Unstructured widget(String widgetName, Map<String, Object> spec) {
    return Unstructured.of(
        Map.of(
            "apiVersion",
            "webhooks.example.com/v1",
            "kind",
            "Widget",
            "metadata",
            Map.of("name", widgetName, "namespace", name),
            "spec",
            spec));
  }

  // ---- admission

  @Test
  void mutator_setsDefaultsOfABuiltInKind() throws Exception {
    install(
        builder()
            .add(
                here(
                    Webhook.mutating(
                        ConfigMap.TYPE,
                        (map, request) ->
                            map.data().containsKey("colour")
                                ? map
                                : map.with(
                                    m -> m.editData(data -> data.put("colour", "green")))))));
    awaitConfigMaps("mutate");

    ConfigMap defaulted = maps.create(map("a", Map.of("size", "1")));
    ConfigMap given = maps.create(map("b", Map.of("colour", "red")));
    ConfigMap updated = maps.update(defaulted.with(m -> m.data(Map.of("size", "2"))));

    assertThat(defaulted.data()).isEqualTo(Map.of("size", "1", "colour", "green"));
    assertThat(given.data()).isEqualTo(Map.of("colour", "red"));
    assertThat(updated.data()).isEqualTo(Map.of("size", "2", "colour", "green"));
    assertThat(maps.get("a").data()).isEqualTo(updated.data());
  }

  @Test
  void mutator_setsDefaultsOfACustomKind() throws Exception {
    install(
        builder()
            .add(
                here(
                    Webhook.mutating(
                        WIDGETS, (widget, request) -> widget.with(3L, "spec", "replicas")))));
    awaitCalled(
        "/mutate-webhooks-example-com-v1-widget",
        () -> widgets.create(widget("probe", Map.of()), DRY_RUN));

    Unstructured created = widgets.create(widget("a", Map.of("kept", List.of("x"))));

    assertThat(created.nestedLong("spec", "replicas")).contains(3L);
    assertThat(created.nestedStringList("spec", "kept")).contains(List.of("x"));
  }

  @Test
  void validator_denies_withAMessageAndWarnings() throws Exception {
    install(
        builder()
            .add(
                here(
                    Webhook.validating(
                        ConfigMap.TYPE,
                        (map, request) ->
                            map.data().containsKey("secret")
                                ? AdmissionResponse.deny("secrets belong into a Secret")
                                    .withWarning("secret is deprecated")
                                : AdmissionResponse.allow().withWarning("looked at")))));
    awaitConfigMaps("validate");

    maps.create(map("good", Map.of()));
    assertThat(warnings).containsExactly("looked at");
    ApiStatusException denied =
        catchThrowableOfType(
            ApiStatusException.class, () -> maps.create(map("bad", Map.of("secret", "x"))));

    assertThat(denied.code()).isEqualTo(403);
    assertThat(denied.reason()).isEqualTo("Forbidden");
    assertThat(denied.status().message())
        .isEqualTo(
            "admission webhook \"validate.configmaps.v1.core\" denied the request: secrets belong"
                + " into a Secret");
    assertThat(warnings).containsExactly("looked at", "secret is deprecated");
    assertThat(maps.find("bad")).isEmpty();
  }

  @Test
  void validator_ofAllOperations_seesOldAndNewObjectsAndDryRuns() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    install(
        builder()
            .add(
                here(
                    Webhook.validating(
                            ConfigMap.TYPE,
                            (map, request) -> {
                              if (!request.name().equals("probe")) {
                                seen.add(
                                    request.operation()
                                        + " "
                                        + request.oldObject().map(ConfigMap::data)
                                        + request.object().map(ConfigMap::data)
                                        + (request.isDryRun() ? " dry" : ""));
                              }
                              return map.data().containsKey("locked")
                                      && request.operation() == Operation.DELETE
                                  ? AdmissionResponse.deny(409, "Conflict", "it is locked")
                                  : AdmissionResponse.allow();
                            })
                        .operations(Operation.CREATE, Operation.UPDATE, Operation.DELETE))));
    awaitConfigMaps("validate");

    maps.create(map("dry", Map.of("k", "0")), DRY_RUN);
    ConfigMap created = maps.create(map("a", Map.of("k", "1")));
    maps.update(created.with(m -> m.data(Map.of("locked", "2"))));
    assertThatThrownBy(() -> maps.delete("a"))
        .isInstanceOf(ApiStatusException.class)
        .hasMessageContaining("it is locked");
    maps.edit("a", map -> map.with(m -> m.data(Map.of("k", "3"))));
    maps.delete("a");

    assertThat(seen)
        .containsExactly(
            "CREATE Optional.emptyOptional[{k=0}] dry",
            "CREATE Optional.emptyOptional[{k=1}]",
            "UPDATE Optional[{k=1}]Optional[{locked=2}]",
            "DELETE Optional[{locked=2}]Optional.empty",
            "UPDATE Optional[{locked=2}]Optional[{k=3}]",
            "DELETE Optional[{k=3}]Optional.empty");
    assertThat(maps.find("a")).isEmpty();
    assertThat(maps.find("dry")).isEmpty();
  }

  @Test
  void subresources_haveRulesOfTheirOwn() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    Webhook all =
        Webhook.validating(
            WIDGETS,
            request -> {
              seen.add(
                  request.operation()
                      + " "
                      + request.subresource()
                      + " "
                      + request.object().map(Unstructured::kind).orElse(""));
              return AdmissionResponse.allow();
            });
    install(builder().add(here(all.resources("widgets/status", "widgets/scale"))));
    Unstructured created = widgets.create(widget("a", Map.of("replicas", 1)));
    awaitCalled(
        "/validate-webhooks-example-com-v1-widget",
        () -> widgets.updateStatus(widgets.get("a").with(Map.of("replicas", 1), "status")));
    seen.clear();

    widgets.editStatus("a", widget -> widget.with(Map.of("replicas", 2), "status"));
    Scale scale = widgets.scale().get("a");
    widgets.scale().update("a", new Scale(scale.metadata(), new Scale.Spec(5), null));
    widgets.edit("a", widget -> widget.with("x", "spec", "note"));

    assertThat(seen).containsExactly("UPDATE status Widget", "UPDATE scale Scale");
    assertThat(widgets.get("a").nestedLong("spec", "replicas")).contains(5L);
    assertThat(created.metadata().name()).isEqualTo("a");
  }

  @Test
  void webhookThatThrows_deniesWithItsText() throws Exception {
    install(
        builder()
            .add(
                here(
                    Webhook.validating(
                        ConfigMap.TYPE,
                        (map, request) -> {
                          throw new IllegalStateException("the database is down");
                        }))));
    awaitConfigMaps("validate");

    ApiStatusException failed =
        catchThrowableOfType(ApiStatusException.class, () -> maps.create(map("a", Map.of())));

    assertThat(failed.code()).isEqualTo(500);
    assertThat(failed.status().message())
        .isEqualTo(
            "admission webhook \"validate.configmaps.v1.core\" denied the request: the webhook"
                + " failed: java.lang.IllegalStateException: the database is down");
  }

  @Test
  void serverThatIsDown_failsOrIsIgnored() throws Exception {
    Webhook strict =
        here(Webhook.validating(ConfigMap.TYPE, (map, request) -> AdmissionResponse.allow()));
    install(builder().add(strict));
    awaitConfigMaps("validate");
    servers.get(0).close(Duration.ZERO);

    assertThatThrownBy(() -> maps.create(map("a", Map.of())))
        .isInstanceOfSatisfying(
            ApiStatusException.class, e -> assertThat(e.isInternalError()).isTrue())
        .hasMessageContaining("failed calling webhook \"validate.configmaps.v1.core\"");

    WebhookTarget nowhere =
        WebhookTarget.url("https://127.0.0.1:" + servers.get(0).address().getPort());
    builder()
        .add(strict.failurePolicy(FailurePolicyType.IGNORE))
        .build()
        .configurations(name, nowhere)
        .install(client);
    Eventually.await("the new policy", () -> isCreated("a"));
  }

  private boolean isCreated(String mapName) {
    try {
      maps.create(map(mapName, Map.of()));
      return true;
    } catch (ApiStatusException e) {
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void certificate_changesWhileRequestsFlow(@TempDir Path directory) throws Exception {
    FakeClock clock = FakeClock.at(Clock.system().now());
    CertificateAuthority authority = CertificateAuthority.create(clock, "webhook-ca");
    issue(authority, "first").writeTo(directory);
    AtomicInteger calls = new AtomicInteger();
    install(
        WebhookServer.builder()
            .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .certificates(directory)
            .clock(clock)
            .add(
                here(
                    Webhook.validating(
                        ConfigMap.TYPE,
                        (map, request) -> {
                          calls.incrementAndGet();
                          return AdmissionResponse.allow();
                        }))),
        authority.certificatePem());
    awaitConfigMaps("validate");
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread traffic =
        new Thread(
            () -> {
              try {
                while (!Thread.interrupted()) {
                  maps.create(map("flow", Map.of()), DRY_RUN);
                }
              } catch (InterruptedException e) {
                // The test is over.
              } catch (Throwable e) {
                failure.set(e);
              }
            });
    traffic.start();

    issue(authority, "second").writeTo(directory);
    clock.awaitWaiterWithin(Duration.ofSeconds(10));
    for (int i = 0;
        i < 10;
        i++) { // In one jump, a call in progress would be that of a slow client.
      clock.advance(Duration.ofSeconds(1));
      int seen = calls.get();
      Eventually.await("the next calls", () -> failure.get() != null || calls.get() > seen + 1);
    }

    Eventually.await("the second certificate", () -> served(authority).contains("second"));
    int before = calls.get();
    Eventually.await("more calls", () -> failure.get() != null || calls.get() > before + 10);
    traffic.interrupt();
    traffic.join();
    assertThat(failure.get()).isNull();
  }

  private String served(CertificateAuthority authority) {
    try {
      return new WebhookCaller(servers.get(0), authority.certificatePem())
          .post("/nothing", "{}")
          .certificate()
          .getSubjectX500Principal()
          .getName();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static ServingCertificate issue(CertificateAuthority authority, String subject) {
    CertificateAuthority.Identity issued = authority.issueServer(subject);
    return new ServingCertificate(
        issued.certificatePem(), issued.privateKeyPem(), authority.certificatePem());
  }
}
