package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.rbac.v1.ClusterRole;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Generated types in CBOR: as those of custom resources, these have no protobuf here. */
@Timeout(300)
final class CborTypesTest {

  private static final String GATE = "CBORServingAndStorage";
  private static final Duration SOON = Duration.ofSeconds(60);

  private final Samples samples = Samples.load();
  private final List<String> received = new CopyOnWriteArrayList<>();

  @Test
  void types_ofTheEmbeddedServer_areWhatJsonReads() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().featureGate(GATE, true).start()) {
      check(server);
    }
  }

  @Test
  void types_ofTheRealServer_areWhatJsonReads() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    try (KubeApiServer server =
        KubeApiServer.builder().flag("--feature-gates=" + GATE + "=true").start()) {
      check(server);
    }
  }

  private void check(ApiServer server) throws InterruptedException {
    try (RESTClient json =
            RESTClient.create(
                server.restConfig().toBuilder().cbor(RestConfig.CborMode.OFF).build());
        RESTClient cbor =
            RESTClient.builder(
                    server.restConfig().toBuilder().cbor(RestConfig.CborMode.PREFER).build())
                .addInterceptor(
                    (request, next) -> {
                      var response = next.send(request);
                      response.header("Content-Type").ifPresent(received::add);
                      return response;
                    })
                .build()) {
      for (ResourceType<?> type :
          List.of(ClusterRole.TYPE, ConfigMap.TYPE, Deployment.TYPE, Secret.TYPE, Service.TYPE)) {
        check(type, cbor, json);
      }
    }
    assertThat(received).containsOnly("application/cbor", "application/cbor-seq");
  }

  private <T extends KubernetesObject> void check(
      ResourceType<T> type, RESTClient cborClient, RESTClient jsonClient)
      throws InterruptedException {
    ResourceClient<T> cbor = in("default", type, cborClient);
    ResourceClient<T> json = in("default", type, jsonClient);
    T sample = samples.of(type);

    T created = cbor.create(sample);

    String name = String.valueOf(created.metadata().name());
    assertThat(json.get(name)).isEqualTo(created);
    assertThat(cbor.get(name)).isEqualTo(created);
    List<T> all = json.list().items();
    assertThat(cbor.list().items()).containsExactlyElementsOf(all);
    try (Watch<T> watch = cbor.watch();
        Watch<T> other = json.watch()) {
      for (int i = 0; i < all.size(); i++) {
        assertThat(watch.next()).isEqualTo(other.next());
      }
    }
    try (SharedIndexInformer<T> informer =
        SharedIndexInformer.builder(ListWatch.of(cbor::list, cbor::watch)).build()) {
      informer.start();
      assertThat(informer.awaitSynced(SOON)).isTrue();
      assertThat(informer.indexer().list()).containsExactlyInAnyOrderElementsOf(all);
    }
  }

  private static <T extends KubernetesObject> ResourceClient<T> in(
      String namespace, ResourceType<T> type, RESTClient client) {
    ResourceClient<T> all =
        client.resource(type.with(serializers -> serializers.only("application/json")));
    return type.isNamespaced() ? all.inNamespace(namespace) : all;
  }
}
