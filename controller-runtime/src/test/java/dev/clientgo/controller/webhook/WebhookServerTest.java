package dev.clientgo.controller.webhook;

import static dev.clientgo.controller.webhook.WebhookCaller.review;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.controller.webhook.AdmissionRequest.Operation;
import dev.clientgo.controller.webhook.WebhookCaller.Reply;
import dev.clientgo.kubernetes.admissionregistration.v1.ReinvocationPolicyType;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.testing.CapturedLog;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The HTTPS side of webhooks, without an API server. */
@Timeout(300)
final class WebhookServerTest {

  private static final ServingCertificate CERTIFICATE = ServingCertificate.selfSigned();

  private static final String MUTATE = "/mutate--v1-configmap";
  private static final String VALIDATE = "/validate--v1-configmap";

  private final List<WebhookServer> servers = new ArrayList<>();
  private final PrometheusMetrics metrics = PrometheusMetrics.create();

  @AfterEach
  void stop() {
    servers.forEach(server -> server.close(Duration.ZERO));
  }

  private static WebhookServer.Builder builder() {
    return WebhookServer.builder()
        .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .certificate(CERTIFICATE);
  }

  private WebhookCaller start(WebhookServer.Builder builder) {
    WebhookServer server = builder.build();
    servers.add(server);
    server.start(metrics);
    return new WebhookCaller(server, CERTIFICATE.caBundle());
  }

  private WebhookCaller validating(Validator<ConfigMap> validator) {
    return start(builder().add(Webhook.validating(ConfigMap.TYPE, validator)));
  }

  private WebhookCaller mutating(Mutator<ConfigMap> mutator) {
    return start(builder().add(Webhook.mutating(ConfigMap.TYPE, mutator)));
  }

  // ---- admission

  @Test
  void request_hasAllThatTheReviewHas() throws Exception {
    AtomicReference<AdmissionRequest<ConfigMap>> seen = new AtomicReference<>();
    WebhookCaller caller =
        validating(
            (map, request) -> {
              seen.set(request);
              return AdmissionResponse.allow();
            });

    Reply reply = caller.post(VALIDATE, review(Map.of("k", "v")));

    assertThat(reply.code()).isEqualTo(200);
    assertThat(reply.http().headers().firstValue("Content-Type")).contains("application/json");
    assertThat(reply.at("kind")).isEqualTo("AdmissionReview");
    assertThat(reply.at("apiVersion")).isEqualTo("admission.k8s.io/v1");
    assertThat(reply.at("response", "uid")).isEqualTo("705ab4f5");
    assertThat(reply.at("response", "allowed")).isEqualTo("true");
    assertThat(reply.at("response", "patch")).isEmpty();
    AdmissionRequest<ConfigMap> request = seen.get();
    assertThat(request.uid()).isEqualTo("705ab4f5");
    assertThat(request.operation()).isEqualTo(Operation.CREATE);
    assertThat(request.object().orElseThrow().data()).containsEntry("k", "v");
    assertThat(request.oldObject()).isEmpty();
    assertThat(request.name()).isEqualTo("settings");
    assertThat(request.namespace()).isEqualTo("shop");
    assertThat(request.kind()).isEqualTo(ConfigMap.TYPE.kind());
    assertThat(request.resource()).isEqualTo(ConfigMap.TYPE.resource());
    assertThat(request.subresource()).isEmpty();
    assertThat(request.isDryRun()).isTrue();
    assertThat(request.user().username()).isEqualTo("ada");
    assertThat(request.user().groups()).containsExactly("staff");
    assertThat(request.user().extra()).containsEntry("k", List.of("v"));
    assertThat(request.options().orElseThrow().toString()).contains("CreateOptions");
    assertThat(request).hasToString("CREATE configmaps shop/settings dry run by ada");
  }

  /** The interruption would close the connection, with the answer in it. */
  @Test
  void interruption_thatAWebhookLeavesBehind_costsNoAnswer() throws Exception {
    WebhookCaller caller =
        validating(
            (map, request) -> {
              Thread.currentThread().interrupt();
              return AdmissionResponse.allow();
            });

    for (int i = 0; i < 3; i++) {
      Reply reply = caller.post(VALIDATE, review(Map.of()));
      assertThat(reply.at("response", "allowed")).isEqualTo("true");
    }
  }

  @Test
  void review_ofAnOlderVersion_isAnsweredInIt() throws Exception {
    WebhookCaller caller = validating((map, request) -> AdmissionResponse.allow());

    Reply reply = caller.post(VALIDATE, review("admission.k8s.io/v1beta1", Map.of()));

    assertThat(reply.at("apiVersion")).isEqualTo("admission.k8s.io/v1beta1");
    assertThat(reply.at("response", "allowed")).isEqualTo("true");
  }

  @Test
  void denial_hasCodeReasonMessageWarningsAndAuditAnnotations() throws Exception {
    WebhookCaller caller =
        validating(
            (map, request) ->
                AdmissionResponse.deny(409, "Conflict", "too late")
                    .withWarning("one")
                    .withWarning("two")
                    .withAuditAnnotation("seen", "yes"));

    Reply reply = caller.post(VALIDATE, review(Map.of()));

    assertThat(reply.code()).isEqualTo(200);
    assertThat(reply.at("response", "allowed")).isEqualTo("false");
    assertThat(reply.at("response", "status", "code")).isEqualTo("409");
    assertThat(reply.at("response", "status", "reason")).isEqualTo("Conflict");
    assertThat(reply.at("response", "status", "message")).isEqualTo("too late");
    assertThat(reply.at("response", "warnings")).isEqualTo("[one, two]");
    assertThat(reply.at("response", "auditAnnotations")).isEqualTo("{seen=yes}");
  }

  @Test
  void mutation_isAPatchThatKeepsWhatTheTypeDoesNotKnow() throws Exception {
    WebhookCaller caller =
        mutating(
            (map, request) -> map.with(m -> m.data(Map.of("a", "1", "c", "3")).immutable(true)));

    Reply reply = caller.post(MUTATE, review(Map.of("a", "1", "b", "2")));

    assertThat(reply.at("response", "patchType")).isEqualTo("JSONPatch");
    assertThat(reply.patch())
        .isEqualTo(
            JsonPatch.builder()
                .remove("/data/b")
                .add("/data/c", "3")
                .add("/immutable", true)
                .build());
  }

  @Test
  void mutation_thatChangesNothing_isNoPatch() throws Exception {
    WebhookCaller caller = mutating((map, request) -> map.with(m -> {}));

    Reply reply = caller.post(MUTATE, review(Map.of("a", "1")));

    assertThat(reply.at("response", "allowed")).isEqualTo("true");
    assertThat(reply.at("response", "patch")).isEmpty();
  }

  @Test
  void mutator_deniesByAnException() throws Exception {
    WebhookCaller caller =
        mutating(
            (map, request) -> {
              throw new AdmissionDeniedException("no name");
            });

    Reply reply = caller.post(MUTATE, review(Map.of()));

    assertThat(reply.at("response", "allowed")).isEqualTo("false");
    assertThat(reply.at("response", "status", "code")).isEqualTo("403");
    assertThat(reply.at("response", "status", "message")).isEqualTo("no name");
  }

  @Test
  void handler_canChangeAndWarnAtOnce() throws Exception {
    WebhookCaller caller =
        start(
            builder()
                .add(
                    Webhook.mutating(
                        ConfigMap.TYPE,
                        request ->
                            request
                                .changeTo(
                                    request
                                        .object()
                                        .orElseThrow()
                                        .with(m -> m.data(Map.of("new", "1"))))
                                .withWarning("old is deprecated"))));

    Reply reply = caller.post(MUTATE, review(Map.of("old", "1")));

    assertThat(reply.patch().operations()).hasSize(2);
    assertThat(reply.at("response", "warnings")).isEqualTo("[old is deprecated]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"exception", "error", "null"})
  void exception_isACodeInTheReview(String how) throws Exception {
    try (CapturedLog log = CapturedLog.of(WebhookServer.class)) {
      WebhookCaller caller =
          validating(
              (map, request) -> {
                switch (how) {
                  case "exception" -> throw new IllegalStateException("out of order");
                  case "error" -> throw new StackOverflowError("out of order");
                  default -> {
                    return null;
                  }
                }
              });

      Reply reply = caller.post(VALIDATE, review(Map.of()));

      assertThat(reply.code()).isEqualTo(200);
      assertThat(reply.at("response", "uid")).isEqualTo("705ab4f5");
      assertThat(reply.at("response", "allowed")).isEqualTo("false");
      assertThat(reply.at("response", "status", "code")).isEqualTo("500");
      assertThat(reply.at("response", "status", "message"))
          .contains(how.equals("null") ? "the validator returned null" : "out of order");
      assertThat(log.contains("A webhook failed: webhook=" + VALIDATE)).isTrue();
      assertThat(metrics.text()).contains("controller_runtime_webhook_panics_total 1\n");
    }
  }

  @Test
  void exceptionWithAStatus_isThatStatus() throws Exception {
    WebhookCaller caller =
        validating(
            (map, request) -> {
              throw ApiStatusException.tooManyRequests("slow down", 3);
            });

    Reply reply = caller.post(VALIDATE, review(Map.of()));

    assertThat(reply.at("response", "status", "code")).isEqualTo("429");
    assertThat(reply.at("response", "status", "details", "retryAfterSeconds")).isEqualTo("3");
  }

  @Test
  void objectOfAnotherKind_isRefused() throws Exception {
    WebhookCaller caller =
        start(
            builder()
                .add(
                    Webhook.validating(Pod.TYPE, (pod, request) -> AdmissionResponse.allow())
                        .path("/pods")));

    Reply reply = caller.post("/pods", review(Map.of()));

    assertThat(reply.at("response", "status", "code")).isEqualTo("400");
    assertThat(reply.at("response", "status", "message"))
        .contains("the webhook at /pods cannot read the object: kind is \"ConfigMap\"");
  }

  // ---- requests of a wrong form

  @ParameterizedTest
  @CsvSource({
    "415, text/plain, contentType=text/plain",
    "415, application/json; charset=utf-8, 'contentType=application/json; charset=utf-8'",
    "415, '', contentType=null"
  })
  void contentType_isExact(int code, String type, String message) throws Exception {
    WebhookCaller caller = validating((map, request) -> AdmissionResponse.allow());

    var request = caller.request(VALIDATE).POST(BodyPublishers.ofString("{}"));
    Reply reply = caller.send(type.isEmpty() ? request : request.header("Content-Type", type));

    assertThat(reply.code()).isEqualTo(code);
    assertThat(reply.at("response", "allowed")).isEqualTo("false");
    assertThat(reply.at("response", "status", "message"))
        .isEqualTo(message + ", expected application/json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "[]",
        "{'kind':'AdmissionReview','apiVersion':'admission.k8s.io/v1'}",
        "{'kind':'AdmissionReview','apiVersion':'admission.k8s.io/v2','request':"
            + "{'operation':'CREATE'}}",
        "{'kind':'Pod','apiVersion':'v1','request':{'operation':'CREATE'}}",
        "{'kind':'AdmissionReview','apiVersion':'admission.k8s.io/v1','request':"
            + "{'operation':'READ'}}",
        "{'kind':'AdmissionReview','apiVersion':'admission.k8s.io/v1','request':{}}",
        ""
      })
  void otherBodies_areRefused(String body) throws Exception {
    WebhookCaller caller = validating((map, request) -> AdmissionResponse.allow());

    Reply reply = caller.post(VALIDATE, body);

    assertThat(reply.code()).isEqualTo(400);
    assertThat(reply.at("response", "allowed")).isEqualTo("false");
    assertThat(reply.at("response", "status", "code")).isEqualTo("400");
  }

  @Test
  void body_hasAtMost7MiB() throws Exception {
    WebhookCaller caller = validating((map, request) -> AdmissionResponse.allow());
    String padding = review(Map.of());
    byte[] full = Arrays.copyOf(padding.replace('\'', '"').getBytes(UTF_8), 7 << 20);
    Arrays.fill(full, padding.length(), full.length, (byte) ' ');

    assertThat(post(caller, full).at("response", "allowed")).isEqualTo("true");
    Reply reply = post(caller, Arrays.copyOf(full, full.length + 1));

    assertThat(reply.code()).isEqualTo(413);
    assertThat(reply.at("response", "status", "message"))
        .isEqualTo("request entity is too large; limit is 7340032 bytes");
  }

  private static Reply post(WebhookCaller caller, byte[] body) throws Exception {
    return caller.send(
        caller
            .request(VALIDATE)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(body)));
  }

  @Test
  void otherPathsAndMethods_areRefused() throws Exception {
    WebhookCaller caller = validating((map, request) -> AdmissionResponse.allow());

    Reply unknown = caller.post("/validate-v1-configmap", review(Map.of()));
    Reply get = caller.send(caller.request(VALIDATE).GET());

    assertThat(unknown.code()).isEqualTo(404);
    assertThat(unknown.http().body()).contains(VALIDATE);
    assertThat(get.code()).isEqualTo(405);
  }

  // ---- time

  @Test
  void call_thatTakesLongerThanTheServerWaits_isInterrupted() throws Exception {
    FakeClock clock = FakeClock.create();
    CountDownLatch never = new CountDownLatch(1);
    WebhookCaller caller =
        start(
            builder()
                .clock(clock)
                .add(
                    Webhook.validating(
                        ConfigMap.TYPE,
                        (map, request) -> {
                          never.await();
                          return AdmissionResponse.allow();
                        })));
    CompletableFuture<Reply> reply = async(caller, VALIDATE + "?timeout=5s");
    clock.awaitWaiterWithin(Duration.ofSeconds(5)); // The watchdog; the certificate's is at 10 s.

    clock.advance(Duration.ofSeconds(5));

    assertThat(reply.get(30, TimeUnit.SECONDS).at("response", "status", "code")).isEqualTo("504");
    assertThat(reply.get().at("response", "status", "reason")).isEqualTo("Timeout");
  }

  private static CompletableFuture<Reply> async(WebhookCaller caller, String path) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return caller.post(path, review(Map.of()));
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void calls_areServedInParallel_andCloseWaitsForThem() throws Exception {
    CountDownLatch begun = new CountDownLatch(3);
    CountDownLatch go = new CountDownLatch(1);
    WebhookCaller caller =
        validating(
            (map, request) -> {
              begun.countDown();
              go.await();
              return AdmissionResponse.allow();
            });
    List<CompletableFuture<Reply>> replies =
        List.of(async(caller, VALIDATE), async(caller, VALIDATE), async(caller, VALIDATE));
    begun.await();
    assertThat(metrics.text())
        .contains("controller_runtime_webhook_requests_in_flight{webhook=\"" + VALIDATE + "\"} 3");

    CompletableFuture<Void> closed = CompletableFuture.runAsync(servers.get(0)::close);
    go.countDown();

    for (CompletableFuture<Reply> reply : replies) {
      assertThat(reply.get(30, TimeUnit.SECONDS).at("response", "allowed")).isEqualTo("true");
    }
    closed.get(30, TimeUnit.SECONDS);
    assertThat(servers.get(0).isRunning()).isFalse();
    assertThat(metrics.text())
        .contains(
            "controller_runtime_webhook_requests_total{code=\"200\",webhook=\""
                + VALIDATE
                + "\"} 3");
  }

  @Test
  void close_waitsNoLongerThanTold() throws Exception {
    FakeClock clock = FakeClock.create();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    WebhookCaller caller =
        start(
            builder()
                .clock(clock)
                .add(
                    Webhook.validating(
                        ConfigMap.TYPE,
                        (map, request) -> {
                          begun.countDown();
                          go.await();
                          return AdmissionResponse.allow();
                        })));
    CompletableFuture<Reply> reply = async(caller, VALIDATE);
    begun.await();
    clock.awaitWaiters(2); // The certificate and the deadline of the call.
    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(() -> servers.get(0).close(Duration.ofSeconds(2)));
    clock.awaitWaiterWithin(Duration.ofSeconds(2));

    clock.advance(Duration.ofSeconds(2));

    closed.get(30, TimeUnit.SECONDS);
    assertThat(reply.isDone() && !reply.isCompletedExceptionally()).isFalse();
    go.countDown();
  }

  // ---- set up

  @Test
  void validator_cannotBeCalledAgain() {
    Webhook validator =
        Webhook.validating(ConfigMap.TYPE, (map, request) -> AdmissionResponse.allow());

    assertThatThrownBy(() -> validator.reinvocationPolicy(ReinvocationPolicyType.IF_NEEDED))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("only mutating webhooks can be called again");
  }

  @Test
  void configuration_errorsAreTold() {
    Webhook webhook = Webhook.validating(ConfigMap.TYPE, (map, request) -> null);
    Conversion.Hub<Unstructured> hub =
        Conversion.hub(Unstructured.type(ConfigMap.TYPE.kind(), "configmaps", true));

    assertThatThrownBy(() -> builder().add(webhook).add(webhook))
        .hasMessage("there is a webhook at " + VALIDATE + " already: call path(…) on one of them");
    assertThatThrownBy(() -> builder().add(webhook).add(webhook.path("/x")))
        .hasMessageContaining("there is a webhook named validate.configmaps.v1.core already");
    assertThatThrownBy(() -> builder().add(hub).add(hub))
        .hasMessageContaining("there is a conversion of ConfigMap already");
    assertThatThrownBy(() -> webhook.path("x")).hasMessageContaining("not the path of a webhook");
    assertThatThrownBy(() -> webhook.timeout(Duration.ofSeconds(31)))
        .hasMessageContaining("between 1 and 30 whole seconds");
    assertThatThrownBy(() -> WebhookTarget.url("http://x")).hasMessageContaining("https://");
    assertThatThrownBy(() -> builder().build().address()).hasMessageContaining("not started");
  }

  @Test
  void secondServerAtAnAddress_failsToStart() {
    validating((map, request) -> AdmissionResponse.allow());
    WebhookServer second = builder().address(servers.get(0).address()).build();

    assertThatThrownBy(second::start).hasMessageContaining("choose another port");
    assertThatThrownBy(servers.get(0)::start).hasMessageContaining("was started before");
  }

  @Test
  void webhook_isTestedWithoutAServer() throws Exception {
    ConfigMap before = ConfigMap.of("shop", "settings", c -> c.data(Map.of("a", "1")));
    ConfigMap after = before.with(c -> c.data(Map.of("a", "2")));

    AdmissionRequest<ConfigMap> update = AdmissionRequest.update(ConfigMap.CODEC, before, after);

    assertThat(update.oldObject()).contains(before);
    assertThat(update.changeTo(after).patch()).isEmpty();
    assertThat(update.changeTo(before).patch())
        .contains(JsonPatch.builder().replace("/data/a", "1").build());
    assertThat(AdmissionRequest.delete(ConfigMap.CODEC, before).object()).isEmpty();
    assertThat(AdmissionRequest.create(ConfigMap.CODEC, after).name()).isEqualTo("settings");
  }
}
