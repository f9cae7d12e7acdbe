package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Watches that are reopened, and informers that are started and closed, leave no connection. {@code
 * -Dleak.watches=100000 -Dleak.cuts=1000} repeats it more often.
 */
@Timeout(300)
final class ConnectionLeakTest {

  private static final int WATCHES = Integer.getInteger("leak.watches", 1_000);

  /** Before each reconnect the client waits for a second. One leak each would be too much. */
  private static final int CUTS = Integer.getInteger("leak.cuts", 12);

  private static final int RECONNECTS = 5 * CUTS;
  private static final Duration SOON = Duration.ofSeconds(30);

  private static final ResourceType<Unstructured> CONFIG_MAPS =
      Unstructured.type(new GroupVersionKind("", "v1", "ConfigMap"), "configmaps", true);

  private interface Scenario {
    void run(EmbeddedApiServer server, CuttingProxy proxy, ResourceClient<Unstructured> objects)
        throws Exception;
  }

  /** Runs a scenario and checks that no watch and no more than the idle connections stay open. */
  private static void leavesNothing(boolean tls, Scenario scenario) throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().tls(tls).start();
        CuttingProxy proxy = CuttingProxy.to(server.url())) {
      String url = (tls ? "https" : "http") + "://127.0.0.1:" + proxy.port();
      RestConfig config = server.restConfig().toBuilder().server(url).build();
      try (RESTClient client = RESTClient.create(config)) {
        ResourceClient<Unstructured> objects = client.resource(CONFIG_MAPS).inNamespace("default");
        for (int i = 0; i < 5; i++) {
          objects.create(configMap("object-" + i));
        }
        scenario.run(server, proxy, objects);

        // Without an event, the server itself must notice that the client is gone.
        Waiting.until("all watches have ended", () -> server.watches().isEmpty());
        // OkHttp keeps five idle connections; the proxy counts both ends of each.
        Waiting.until("connections are closed", () -> proxy.openSockets() <= 2 * 5);
        Waiting.until("the server knows", () -> server.connections() <= 5);
      }
      Waiting.until("all connections are closed", () -> proxy.openSockets() == 0);
    }
  }

  private static void touch(ResourceClient<Unstructured> objects, String text)
      throws InterruptedException {
    objects.update(objects.get("object-1").with(text, "data", "text"));
  }

  private static Unstructured configMap(String name) {
    return Unstructured.of(
        Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", name)));
  }

  @ParameterizedTest(name = "tls={0}")
  @ValueSource(booleans = {false, true})
  void watches_openedAndClosedRepeatedly_leaveNoConnection(boolean tls) throws Exception {
    leavesNothing(
        tls,
        (server, proxy, objects) -> {
          ListOptions fromNow =
              ListOptions.builder().resourceVersion(server.resourceVersion()).build();
          // HTTP/2 in the embedded server is not optimized.
          for (int i = 0; i < (tls ? WATCHES / 2 : WATCHES); i++) {
            objects.watch(fromNow).close();
            if (i % 50 == 0) {
              touch(objects, "v" + i);
            }
          }
        });
  }

  @ParameterizedTest(name = "tls={0}")
  @ValueSource(booleans = {false, true})
  void informer_serverCutsConnections_leavesNoConnection(boolean tls) throws Exception {
    leavesNothing(
        tls,
        (server, proxy, objects) -> {
          try (SharedIndexInformer<Unstructured> informer = informer(objects)) {
            informer.start();
            assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
            for (int i = 0; i < CUTS; i++) {
              server.awaitWatches(1);
              server.closeConnections();
              touch(objects, "v" + i);
            }
            assertThat(informer.awaitResourceVersion(server.resourceVersion(), SOON)).isTrue();
          }
        });
  }

  /** A connection can be cut before, during and after the handshake. */
  @ParameterizedTest(name = "tls={0}")
  @ValueSource(booleans = {false, true})
  void informer_proxyCutsConnections_leavesNoConnection(boolean tls) throws Exception {
    leavesNothing(
        tls,
        (server, proxy, objects) -> {
          try (SharedIndexInformer<Unstructured> informer = informer(objects)) {
            informer.start();
            assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
            for (int i = 0; i < RECONNECTS; i++) {
              server.awaitWatches(1);
              proxy.cut();
            }
            touch(objects, "v");
            assertThat(informer.awaitResourceVersion(server.resourceVersion(), SOON)).isTrue();
          }
        });
  }

  @ParameterizedTest(name = "tls={0}")
  @ValueSource(booleans = {false, true})
  void informers_startedAndClosed_leaveNoConnection(boolean tls) throws Exception {
    int atOnce = tls ? 300 : 50;
    leavesNothing(
        tls,
        (server, proxy, objects) -> {
          List<SharedIndexInformer<Unstructured>> informers = new ArrayList<>();
          for (int i = 0; i < atOnce; i++) {
            informers.add(informer(objects));
          }
          informers.forEach(SharedIndexInformer::start);
          for (SharedIndexInformer<Unstructured> informer : informers) {
            assertThat(informer.awaitSynced(Duration.ofSeconds(60))).isTrue();
            assertThat(informer.indexer().listKeys()).hasSize(5);
          }
          informers.forEach(SharedIndexInformer::close);
        });
  }

  private static SharedIndexInformer<Unstructured> informer(ResourceClient<Unstructured> objects) {
    return SharedIndexInformer.builder(ListWatch.of(objects::list, objects::watch))
        .watchErrorHandler((reflector, error) -> {})
        .options(
            ReflectorOptions.builder()
                .backoff(Backoff.builder(Duration.ofMillis(1)).build())
                .build())
        .build();
  }
}
