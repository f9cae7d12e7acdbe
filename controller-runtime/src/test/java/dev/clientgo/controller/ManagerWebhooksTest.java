package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.webhook.AdmissionResponse;
import dev.clientgo.controller.webhook.ServingCertificate;
import dev.clientgo.controller.webhook.Webhook;
import dev.clientgo.controller.webhook.WebhookServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks as a part of a manager. */
@Timeout(300)
final class ManagerWebhooksTest {

  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private EmbeddedApiServer server;
  private RESTClient client;

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static WebhookServer.Builder webhooks() {
    return WebhookServer.builder()
        .address(ANY_PORT)
        .certificate(ServingCertificate.selfSigned())
        .add(Webhook.validating(ConfigMap.TYPE, (map, request) -> AdmissionResponse.allow()));
  }

  private static String ready(Manager manager) throws Exception {
    int port = manager.metricsAddress().orElseThrow().getPort();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz")).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test
  void webhooks_liveAsLongAsTheManager_andCountAsReady() throws Exception {
    WebhookServer webhooks = webhooks().build();
    try (Manager manager =
        Manager.builder(client).metricsBindAddress(ANY_PORT).webhooks(webhooks).build()) {
      assertThat(webhooks.isRunning()).isFalse();

      manager.start();

      assertThat(webhooks.isRunning()).isTrue();
      assertThat(ready(manager)).isEqualTo("[+]webhook-server ok\n[+]caches ok\nok\n");
      webhooks.close();
      assertThat(ready(manager)).contains("[-]webhook-server failed: the webhook server has not");
    }
    WebhookServer second = webhooks().build();
    try (Manager manager = Manager.builder(client).webhooks(second).build()) {
      manager.start();
    }
    assertThat(second.isRunning()).isFalse();
  }

  @Test
  void webhooksWithoutACertificate_areNotReady_andSayWhy() throws Exception {
    server.faults().on(request -> request.resource().equals("secrets")).always().answer(403);
    FakeClock clock = FakeClock.at(Clock.system().now());
    ObjectName secret = new ObjectName("default", "certificate");
    WebhookServer webhooks =
        webhooks().certificateSecret(client, secret, "x", "127.0.0.1").clock(clock).build();
    try (Manager manager =
        Manager.builder(client)
            .http(ANY_PORT)
            .metricsBindAddress(ANY_PORT)
            .webhooks(webhooks)
            .build()) {
      manager.start();
      clock.awaitWaiterWithin(Duration.ofSeconds(10));

      assertThat(ready(manager))
          .contains("[-]webhook-server failed", "the server has no certificate yet", "injected");
      URI probe = URI.create("http:/" + manager.httpAddress().orElseThrow() + "/readyz");
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(probe).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).contains("webhook-server").doesNotContain("injected");

      server.faults().clear();
      clock.advance(Duration.ofSeconds(10));
      clock.awaitWaiterWithin(Duration.ofSeconds(10));
      assertThat(ready(manager)).isEqualTo("[+]webhook-server ok\n[+]caches ok\nok\n");
    }
  }

  @Test
  void webhooks_canReadFromTheCaches() {
    AtomicReference<Client> given = new AtomicReference<>();
    try (Manager manager =
        Manager.builder(client)
            .webhooks(
                reader -> {
                  given.set(reader);
                  return webhooks().build();
                })
            .build()) {
      assertThat(given.get()).isSameAs(manager.client());
    }
  }

  @Test
  void missingCertificate_failsTheStart(@TempDir Path directory) {
    try (Manager manager =
        Manager.builder(client)
            .metricsBindAddress(ANY_PORT)
            .webhooks(webhooks().certificates(directory).build())
            .build()) {
      assertThatThrownBy(manager::start)
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("there is no file");
    }
  }
}
