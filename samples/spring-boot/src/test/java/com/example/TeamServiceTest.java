package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class TeamServiceTest {

  @TestConfiguration
  static class Server {

    @Bean(destroyMethod = "close")
    EmbeddedApiServer apiServer() throws InterruptedException {
      var server = EmbeddedApiServer.start();
      try (var client = RESTClient.create(server.restConfig())) {
        client.resource(Namespace.TYPE)
            .create(Namespace.of("shop", n -> n.editMetadata(m -> m.labels(Map.of("team", "shop")))));
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
      return server;
    }

    @Bean
    RestConfig restConfig(EmbeddedApiServer server) {
      return server.restConfig();
    }
  }

  @LocalServerPort private int port;

  @Autowired private RESTClient client;

  private String get(String path) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  @Test
  void podsOfATeam_areThere_fromTheFirstRequest() throws Exception {
    assertThat(get("/teams/shop/pods")).isEqualTo("[\"shop/web\"]");
    assertThat(get("/actuator/health/readiness")).contains("UP");
  }

  @Test
  void namespaceOfATeam_getsAConfigMap() throws Exception {
    var maps = Clientset.of(client).core().v1().configMaps("shop");
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (maps.find("team").isEmpty() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertThat(maps.get("team").data()).containsEntry("name", "shop");
  }
}
