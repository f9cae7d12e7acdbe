package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.Lister;
import dev.clientgo.cache.ListerWatcher;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.cache.SharedInformerFactory.ResourceInformer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Informers of resources known only by name, with whole objects and with metadata only. */
@Timeout(300)
final class DynamicInformerTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private static final GroupVersionResource CONFIG_MAPS =
      new GroupVersionResource("", "v1", "configmaps");
  private static final GroupVersionResource NAMESPACES =
      new GroupVersionResource("", "v1", "namespaces");

  /** Creates a ListerWatcher from a client. */
  record Source(RESTClient client) implements SharedInformerFactory.Source {
    @Override
    public <T extends KubernetesObject> ListerWatcher<T> listerWatcher(
        ResourceType<T> type, String namespace, ListOptions selectors) {
      ResourceClient<T> all = client.resource(type);
      ResourceClient<T> part = namespace.isEmpty() ? all : all.inNamespace(namespace);
      return ListWatch.of(part::list, part::watch)
          .filtered(
              options ->
                  options.toBuilder()
                      .labelSelector(selectors.labelSelector())
                      .fieldSelector(selectors.fieldSelector())
                      .build());
    }
  }

  @Test
  void embedded_informers_seeObjectsAndMetadata() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      follow(server);
    }
  }

  @Test
  void real_informers_seeObjectsAndMetadata() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    try (KubeApiServer server = KubeApiServer.start()) {
      follow(server);
    }
  }

  /** Go: TestDynamicSharedInformerFactory, TestMetadataSharedInformerFactory. */
  private static void follow(ApiServer server) throws InterruptedException {
    try (RESTClient client = RESTClient.create(server.restConfig());
        SharedInformerFactory factory = SharedInformerFactory.builder(new Source(client)).build()) {
      ResourceClient<Unstructured> objects = client.dynamic(CONFIG_MAPS).inNamespace("default");
      objects.create(configMap("first"));
      ResourceInformer<Unstructured> whole = factory.dynamic(CONFIG_MAPS);
      ResourceInformer<PartialObjectMetadata> metadata = factory.metadata(CONFIG_MAPS);
      SharedIndexInformer<PartialObjectMetadata> namespaces =
          factory.metadata(NAMESPACES).informer();
      Lister<Unstructured> lister = whole.lister();
      Lister<PartialObjectMetadata> metadataLister = metadata.lister();
      factory.start();
      factory.awaitSynced(SOON).orThrow();

      Unstructured second = objects.create(configMap("second"));
      Unstructured changed = objects.update(objects.get("first").with("changed", "data", "text"));
      objects.delete("second");
      String last = objects.create(configMap("third")).metadata().resourceVersion();

      assertThat(whole.informer().awaitResourceVersion(last, SOON)).isTrue();
      assertThat(metadata.informer().awaitResourceVersion(last, SOON)).isTrue();
      assertThat(lister.inNamespace("default").get("first")).isEqualTo(changed);
      assertThat(lister.inNamespace("default").get("first").kind()).isEqualTo("ConfigMap");
      PartialObjectMetadata first = metadataLister.inNamespace("default").get("first");
      assertThat(first.metadata()).isEqualTo(changed.metadata());
      assertThat(metadataLister.list(Selector.parse("app=test"))).hasSize(2);
      assertThat(namespaces.lister(NAMESPACES.groupResource()).get("default").metadata().name())
          .isEqualTo("default");
      assertThatThrownBy(() -> lister.inNamespace("default").get("second"))
          .isInstanceOf(ApiStatusException.class)
          .hasMessage("configmaps \"second\" not found");
      assertThat(factory.dynamic(CONFIG_MAPS).informer()).isSameAs(whole.informer());
      assertThat(factory.metadata(CONFIG_MAPS).informer()).isSameAs(metadata.informer());
      assertThat(second.metadata().name()).isEqualTo("second");
      assertThat(List.copyOf(factory.health().keySet()))
          .containsExactly("namespaces", "configmaps", "configmaps #2");
    }
  }

  private static Unstructured configMap(String name) {
    return Unstructured.of(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "ConfigMap",
            "metadata",
            Map.of("name", name, "labels", Map.of("app", "test")),
            "data",
            Map.of("text", "a text that is not part of the metadata")));
  }
}
