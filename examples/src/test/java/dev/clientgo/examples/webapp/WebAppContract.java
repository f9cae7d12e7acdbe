package dev.clientgo.examples.webapp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.controller.Manager;
import dev.clientgo.envtest.junit.TestNamespace;
import dev.clientgo.examples.generated.com.example.web.v1.WebApp;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.events.v1.Event;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operator of the page, on a server. The test does what the controllers of a cluster do. */
abstract class WebAppContract {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final Set<String> registered = ConcurrentHashMap.newKeySet();
  private HttpServer registry;

  @BeforeEach
  void startRegistry() throws IOException {
    registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    registry.createContext("/", this::answer);
    registry.start();
  }

  @AfterEach
  void stopRegistry() {
    registry.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String entry = exchange.getRequestURI().getPath();
    boolean isKnown = registered.contains(entry);
    if (exchange.getRequestMethod().equals("PUT")) {
      registered.add(entry);
      isKnown = true;
    } else {
      registered.remove(entry);
    }
    exchange.sendResponseHeaders(isKnown ? 204 : 404, -1);
    exchange.close();
  }

  @Test
  void webApp_isServed_reported_changedAndTidiedUp(
      RESTClient client, @TestNamespace String namespace) throws Exception {
    ResourceClient<WebApp> apps = client.resource(WebApp.TYPE).inNamespace(namespace);
    ResourceClient<Deployment> deployments =
        client.resource(Deployment.TYPE).inNamespace(namespace);
    URI url = URI.create("http://127.0.0.1:" + registry.getAddress().getPort() + "/");
    WebAppOperator operator = new WebAppOperator(url, HttpClient.newHttpClient());
    try (Manager manager = operator.manager(client, namespace, new InetSocketAddress(0))) {
      manager.start();
      WebApp app =
          apps.create(
              WebApp.of(
                  namespace, "shop", a -> a.editSpec(s -> s.image("nginx:1.29").replicas(2))));

      WebApp rolling =
          apps.await("shop", a -> a.orElseThrow().status().message() != null, TIMEOUT)
              .orElseThrow();

      assertThat(rolling.status().ready()).isFalse();
      assertThat(rolling.status().message()).contains("Deployment " + namespace + "/shop");
      assertThat(registered).containsExactly("/" + namespace + "/shop");
      Deployment deployment = deployments.get("shop");
      assertThat(OwnerReferences.isControlledBy(deployment, app)).isTrue();
      assertThat(client.resource(Service.TYPE).inNamespace(namespace).get("shop").spec().selector())
          .isEqualTo(deployment.spec().template().metadata().labels());

      rollOut(deployments, 2);
      apps.await("shop", a -> Boolean.TRUE.equals(a.orElseThrow().status().ready()), TIMEOUT);
      apps.edit("shop", a -> a.with(w -> w.editSpec(s -> s.replicas(3))));
      deployments.await("shop", d -> d.orElseThrow().spec().replicas() == 3, TIMEOUT);
      apps.await("shop", a -> Boolean.FALSE.equals(a.orElseThrow().status().ready()), TIMEOUT);

      assertThat(metrics(manager)).contains("controller_runtime_reconcile_total");
      assertThat(manager.isLeader()).isTrue();
      apps.delete("shop");
      apps.await("shop", Optional::isEmpty, TIMEOUT);
      assertThat(registered).isEmpty();
    }
    assertThat(client.resource(Event.TYPE).inNamespace(namespace).list().items())
        .extracting(event -> event.reason() + " " + event.action())
        .contains(
            "Created CreateDeployment",
            "Created CreateService",
            "Updated UpdateDeployment",
            "Unregistered Unregister");
  }

  private static String metrics(Manager manager) throws Exception {
    int port = manager.metricsAddress().orElseThrow().getPort();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
            .timeout(TIMEOUT)
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  private static void rollOut(ResourceClient<Deployment> deployments, int replicas)
      throws InterruptedException {
    deployments.editStatus(
        "shop",
        d ->
            d.with(
                b ->
                    b.editStatus(
                        s ->
                            s.observedGeneration(d.metadata().generation())
                                .replicas(replicas)
                                .updatedReplicas(replicas)
                                .readyReplicas(replicas)
                                .availableReplicas(replicas))));
  }
}
