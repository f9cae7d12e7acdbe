package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.clientgo.apimachinery.json.HeapEstimate.FieldBytes;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.CacheFootprint;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory that an informer reports. */
@Timeout(300)
final class FootprintTest {

  private static final int PODS = 1500;

  private static EmbeddedApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() throws InterruptedException {
    server = EmbeddedApiServer.builder().listen(false).start();
    for (int i = 0; i < PODS; i++) {
      server.put(Unstructured.parse(pod(i)));
    }
    client = RESTClient.create(server.restConfig());
    // The server keeps the text of each object from the first list on.
    client.resource(Pod.TYPE).eachListItem(ListOptions.NONE, pod -> {});
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  static String pod(int i) {
    return """
    {"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-%1$d","namespace":"shop",
     "labels":{"app":"web","pod-template-hash":"7d9c5b8f6d"},
     "annotations":{"checksum/config":"%2$s"},
     "managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1",
      "time":"2026-05-04T10:00:11Z","fieldsType":"FieldsV1","subresource":"status",
      "fieldsV1":{"f:status":{"f:conditions":{"k:{\\"type\\":\\"Ready\\"}":{".":{},"f:status":{},
       "f:lastTransitionTime":{}}},"f:podIP":{},"f:hostIP":{},"f:uid-%1$d":{}}}}]},
     "spec":{"nodeName":"node-%3$d","serviceAccountName":"web","containers":[{"name":"server",
       "image":"registry.example.com/shop/web:1.7.3","args":["--listen=:8080"],
       "resources":{"limits":{"cpu":"2","memory":"1Gi"}},
       "env":[{"name":"LEVEL","value":"info"},{"name":"NUMBER","value":"%2$s"}]}],
      "tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists",
       "effect":"NoExecute","tolerationSeconds":300}]},
     "status":{"phase":"Running","podIP":"10.244.%3$d.%4$d","startTime":"2026-05-04T10:00:12Z",
      "conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-05-04T10:00:%5$02dZ"}],
      "containerStatuses":[{"name":"server","ready":true,"restartCount":0,"image":"web:1.7.3",
       "imageID":"registry.example.com/shop/web@sha256:%2$s","containerID":"containerd://%2$s"}]}}"""
        .formatted(i, "%064x".formatted(i * 7919L), i % 100, i % 250, i % 60);
  }

  /** Runs a test with the synced informer of a type. */
  private static <T extends KubernetesObject> void withInformer(
      ResourceType<T> type, Consumer<SharedIndexInformer<T>> test) throws InterruptedException {
    ResourceClient<T> pods = client.resource(type);
    try (SharedIndexInformer<T> informer =
        SharedIndexInformer.builder(ListWatch.of(pods::list, pods::watch)).type(type).build()) {
      informer.start();
      assertThat(informer.awaitSynced(Duration.ofSeconds(60))).isTrue();
      test.accept(informer);
    }
  }

  @Test
  void footprint_showsWhatKeepWouldSave() throws InterruptedException {
    CacheFootprint[] kept = new CacheFootprint[1];
    withInformer(Pod.TYPE.keep("status.phase"), informer -> kept[0] = informer.footprint());
    withInformer(
        Pod.TYPE,
        informer -> {
          CacheFootprint whole = informer.footprint();
          long expected = kept[0].bytes();
          assertThat((double) whole.bytesIfKept("status.phase") / expected).isBetween(0.9, 1.1);
          assertThat(whole.bytesIfKept("status.phase")).isLessThan(whole.bytes() / 2);
          assertThat(whole.bytesIfDropped("metadata.managedFields"))
              .isBetween(whole.bytes() / 2, whole.bytes() - PODS * 100L);
        });
  }

  @Test
  void footprint_tellsOwnFromSharedBytes() throws InterruptedException {
    withInformer(
        Pod.TYPE,
        informer -> {
          List<FieldBytes> fields = informer.footprint().fields();
          FieldBytes tolerations = field(fields, "spec.tolerations");
          FieldBytes containerId = field(fields, "status.containerStatuses.containerID");
          // The tolerations of all pods are equal, the IDs of their containers are not. The first
          // pods have copies of their own: a reader shares what it has seen before.
          assertThat(tolerations.ownBytes()).isLessThan(500);
          assertThat(tolerations.sharedBytes()).isBetween(1L, 1000L);
          assertThat(containerId.ownBytes()).isGreaterThan(PODS * 90L);
          assertThat(field(fields, "spec.nodeName").sharedBytes()).isBetween(1L, 100 * 60L);
          assertThat(informer.footprint().toString())
              .contains("1,500 objects", "(all fields)", "metadata.managedFields", "spec");
        });
  }

  private static FieldBytes field(List<FieldBytes> fields, String path) {
    return fields.stream().filter(each -> each.path().equals(path)).findFirst().orElseThrow();
  }

  @Test
  void footprint_informerWithoutAType_saysWhatToDo() {
    ResourceClient<Pod> pods = client.resource(Pod.TYPE);
    try (SharedIndexInformer<Pod> informer =
        SharedIndexInformer.builder(ListWatch.of(pods::list, pods::watch)).build()) {
      assertThatIllegalStateException()
          .isThrownBy(informer::footprint)
          .withMessageContaining("call type(");
    }
  }
}
