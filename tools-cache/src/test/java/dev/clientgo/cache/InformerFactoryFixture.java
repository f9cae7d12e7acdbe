package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.wait.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Informers of a factory, each with a separate simulated server. */
@Timeout(300)
abstract class InformerFactoryFixture {

  static final Duration SOON = Duration.ofSeconds(30);

  static final ResourceType<ApiObject> PODS =
      ResourceType.namespaced(
          new GroupVersionKind("", "v1", "Pod"), "pods", new NoCodec("Pod of v1"));
  static final ResourceType<ApiObject> NODES =
      ResourceType.clusterScoped(
          new GroupVersionKind("", "v1", "Node"), "nodes", new NoCodec("Node of v1"));
  static final ResourceType<ApiObject> DEPLOYMENTS =
      ResourceType.namespaced(
          new GroupVersionKind("apps", "v1", "Deployment"), "deployments", new NoCodec("typed"));

  /** A codec that is never used. Two codecs of the same name are equal. */
  record NoCodec(String name) implements JsonCodec<ApiObject> {
    @Override
    public ApiObject read(JsonReader in) {
      throw new AssertionError("nothing to read");
    }

    @Override
    public void write(JsonWriter out, ApiObject value) {
      throw new AssertionError("nothing to write");
    }
  }

  /** A server for each requested part of each resource, and a list of the requests. */
  private final Map<String, FakeServer> servers = new TreeMap<>();

  final List<String> asked = new ArrayList<>();
  SharedInformerFactory factory = builder().build();

  @AfterEach
  void close() {
    factory.close();
    servers.values().forEach(server -> assertThat(server.openWatches()).isZero());
  }

  final SharedInformerFactory.Builder builder() {
    Backoff soon = Backoff.builder(Duration.ofMillis(1)).build();
    return SharedInformerFactory.builder(new Servers())
        .options(ReflectorOptions.builder().useWatchList(true).backoff(soon).build())
        .configureAll(informer -> informer.watchErrorHandler((reflector, error) -> {}));
  }

  private final class Servers implements SharedInformerFactory.Source {
    @Override
    @SuppressWarnings("unchecked") // All types of this test have the same objects.
    public <T extends KubernetesObject> ListerWatcher<T> listerWatcher(
        ResourceType<T> type, String namespace, ListOptions selectors) {
      String part = part(type, namespace, selectors);
      asked.add(part);
      return (ListerWatcher<T>) server(part);
    }
  }

  private static String part(ResourceType<?> type, String namespace, ListOptions selectors) {
    return type.resource().resource() + "/" + namespace + "/" + selectors.toQuery(false);
  }

  final FakeServer server(String part) {
    return servers.computeIfAbsent(part, any -> new FakeServer());
  }

  final FakeServer pods() {
    return server("pods//{}");
  }

  static FakeServer.Request hangUntilInterrupted(
      FakeServer.Request request, CountDownLatch interrupted) {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      interrupted.countDown();
      Thread.currentThread().interrupt();
    }
    return request;
  }
}
