package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

/** The life of one application, from its start to its end. */
@MicronautTest
@Property(name = "clientgo.max-staleness", value = "2s")
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class TeamServiceTest {

  /** Informers that fail wait up to a minute before they ask again. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Replaces the bean that says where the server is. */
  @Factory
  static class Server {

    /** Returns a server that forbids to read pods, and outlives the application. */
    @Singleton
    EmbeddedApiServer start() throws InterruptedException {
      var server = EmbeddedApiServer.builder().bookmarkInterval(Duration.ofMillis(100)).start();
      try (var client = RESTClient.create(server.restConfig())) {
        client.resource(Namespace.TYPE).create(namespace("shop"));
        client.resource(Pod.TYPE)
            .create(
                Pod.of(
                    "shop",
                    "web",
                    pod ->
                        pod.editMetadata(m -> m.labels(Map.of("team", "shop")))
                            .editSpec(
                                s -> s.addContainers(c -> c.name("main").image("registry.example/main:1")))));
      }
      server.faults().on(request -> request.matches("*", "pods")).always().answer(403);
      return server;
    }

    @Singleton
    @Replaces(RestConfig.class)
    RestConfig config(EmbeddedApiServer server) {
      return server.restConfig();
    }
  }

  private static Namespace namespace(String team) {
    return Namespace.of(team, n -> n.editMetadata(m -> m.labels(Map.of("team", team))));
  }

  @Inject EmbeddedApiServer server;

  @Inject EmbeddedServer application;

  @AfterAll
  void close() {
    server.close();
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(application.getURI().resolve(path)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }

  private void awaitReadiness(int status, String text) throws IOException, InterruptedException {
    HttpResponse<String> answer;
    long end = System.nanoTime() + LIMIT.toNanos();
    do {
      answer = get("/health/readiness");
    } while ((answer.statusCode() != status || !answer.body().contains(text))
        && System.nanoTime() < end);
    assertEquals(status, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains(text), answer.body());
  }

  @Test
  @Order(1)
  void application_isNotReady_whileTheServerForbidsACache() throws Exception {
    awaitReadiness(503, "injected");
    assertEquals(200, get("/health/liveness").statusCode());

    server.faults().clear();
    awaitReadiness(200, "UP");

    assertEquals("[\"shop/web\"]", get("/teams/shop/pods").body());
  }

  @Test
  @Order(2)
  void namespaceOfATeam_getsAConfigMap() throws Exception {
    server.awaitRequests(1, request -> request.matches("create", "configmaps"));
    assertTrue(get("/prometheus").body().contains("controller_runtime_reconcile_total"));
  }

  @Test
  @Order(3)
  void application_isNotReady_whileTheServerIsDown() throws Exception {
    server.stop();
    awaitReadiness(503, "nothing listens");
    assertEquals("[\"shop/web\"]", get("/teams/shop/pods").body());

    server.restart();
    try (var client = RESTClient.create(server.restConfig())) {
      client.resource(Namespace.TYPE).create(namespace("office")); // Bookmarks tell of changes only.
    }
    awaitReadiness(200, "UP");
  }

  @Test
  @Order(4)
  void end_letsAReconcileFinish() throws Exception {
    Predicate<ApiRequest> creation =
        r -> r.matches("create", "configmaps") && r.namespace().equals("mail");
    server.faults().on(creation).delay(Duration.ofSeconds(1));
    try (var client = RESTClient.create(server.restConfig())) {
      client.resource(Namespace.TYPE).create(namespace("mail"));
      server.awaitRequests(1, creation); // The reconcile is running.

      application.stop();

      assertTrue(server.objects(ConfigMap.TYPE.resource()).get("mail", "team").isPresent());
      assertEquals(List.of(), server.watches());
    }
  }
}
