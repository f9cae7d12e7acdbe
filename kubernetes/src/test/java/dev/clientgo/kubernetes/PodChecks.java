package dev.clientgo.kubernetes;

import static dev.clientgo.kubernetes.Checks.NAMESPACE;
import static dev.clientgo.kubernetes.Checks.names;
import static dev.clientgo.kubernetes.Checks.pods;
import static dev.clientgo.kubernetes.Checks.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.table.Table;
import dev.clientgo.apimachinery.meta.table.TableOptions;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.kubernetes.core.v1.Container;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/** Pods in all forms in which a server sends them. */
final class PodChecks {

  private static final GroupVersionResource PODS = new GroupVersion("", "v1").withResource("pods");

  private PodChecks() {}

  static void addTo(Map<String, Checks.Check> all) {
    all.put("get-pod", PodChecks::get);
    all.put("get-pod-protobuf", PodChecks::protobuf);
    all.put("get-not-found-protobuf-404", PodChecks::notFoundInProtobuf);
    all.put("list-pods", PodChecks::list);
    all.put("list-pods-field-selected", PodChecks::fieldSelected);
    all.put("list-pods-protobuf", PodChecks::listInProtobuf);
    all.put("list-pods-table", PodChecks::table);
    all.put("list-pods-table-objects", PodChecks::tableOfObjects);
    all.put("list-pods-partial-metadata", PodChecks::metadata);
    all.put("pod-log-204", PodChecks::noLog);
    all.put("pod-log-no-node", PodChecks::logOfNoNode);
  }

  private static void get(Replay it) throws InterruptedException {
    Pod pod = pods(it).get("web-0");

    Container web = pod.spec().containers().get(0);
    assertThat(web.resources().requests())
        .isEqualTo(Map.of("cpu", Quantity.parse("100m"), "memory", Quantity.parse("64Mi")));
    assertThat(web.env().get(0).value()).isNull(); // The server leaves out empty values.
    assertThat(web.env().get(1).valueFrom().fieldRef().fieldPath()).isEqualTo("metadata.name");
    assertThat(web.readinessProbe().httpGet().port().text()).contains("http");
    assertThat(pod.spec().volumes().get(0).configMap().items().get(0).mode()).isEqualTo(0400);
    assertThat(pod.status().qosClass().value()).isEqualTo("Burstable");
  }

  private static ResourceClient<Pod> inProtobuf(Replay it) {
    return Clientset.of(it.client(config -> {})).core().v1().pods(NAMESPACE);
  }

  private static void protobuf(Replay it) throws InterruptedException {
    byte[] json = it.other("get-pod").answer().body().toByteArray();

    assertThat(inProtobuf(it).get("web-0")).isEqualTo(Pod.CODEC.read(JsonReader.of(json)));
  }

  private static void notFoundInProtobuf(Replay it) {
    ApiStatusException error =
        refused(404, StatusReason.NOT_FOUND, () -> inProtobuf(it).get("absent"));

    assertThat(error).hasMessage("pods \"absent\" not found");
    assertThat(error.status().details().name()).isEqualTo("absent");
  }

  private static void list(Replay it) throws InterruptedException {
    List<Pod> pods = pods(it).list(ListOptions.NONE).items();

    assertThat(pods)
        .hasSize(3)
        .allSatisfy(
            pod -> {
              assertThat(pod.metadata().name()).startsWith("web-");
              assertThat(pod.metadata().labels()).containsEntry("app", "web");
              assertThat(pod.spec().containers()).hasSize(1);
              assertThat(pod.spec().restartPolicy().value()).isEqualTo("Always");
              assertThat(pod.spec().tolerations())
                  .extracting(toleration -> toleration.tolerationSeconds())
                  .containsExactly(300L, 300L);
              assertThat(pod.status().phase().value()).isEqualTo("Pending");
            });
  }

  private static void fieldSelected(Replay it) throws InterruptedException {
    ListOptions options = ListOptions.builder().fieldSelector("metadata.name=web-1").build();

    assertThat(names(pods(it).list(options).items())).containsExactly("web-1");
  }

  /** It says the same as JSON. */
  private static void listInProtobuf(Replay it) throws InterruptedException {
    byte[] json = it.other("list-pods").answer().body().toByteArray();

    assertThat(inProtobuf(it).list(ListOptions.NONE))
        .isEqualTo(Pod.TYPE.listCodec().read(JsonReader.of(json)));
  }

  private static void table(Replay it) throws InterruptedException {
    Table table = it.client().table(PODS).inNamespace(NAMESPACE).list(ListOptions.NONE);

    assertThat(table.columnDefinitions())
        .filteredOn(Table.ColumnDefinition::isEssential)
        .extracting(Table.ColumnDefinition::name)
        .containsExactly("Name", "Ready", "Status", "Restarts", "Age");
    assertThat(table.rows())
        .hasSize(3)
        .allSatisfy(
            row -> {
              assertThat(row.cells()).hasSameSizeAs(table.columnDefinitions());
              assertThat(row.cells().subList(1, 4)).isEqualTo(List.of("0/1", "Pending", "0"));
              assertThat(row.metadata().orElseThrow().metadata().name())
                  .isEqualTo(row.cells().get(0));
            });
  }

  private static void tableOfObjects(Replay it) throws InterruptedException {
    Table table =
        it.client()
            .table(PODS)
            .inNamespace(NAMESPACE)
            .including(TableOptions.IncludeObjectPolicy.OBJECT)
            .list(ListOptions.NONE);

    assertThat(table.rows())
        .extracting(
            row -> row.decodeObject(Pod.CODEC).orElseThrow().spec().containers().get(0).name())
        .containsExactly("web", "web", "web");
  }

  private static void metadata(Replay it) throws InterruptedException {
    List<PartialObjectMetadata> pods =
        it.client().metadata(PODS).inNamespace(NAMESPACE).list(ListOptions.NONE).items();

    assertThat(pods)
        .hasSize(3)
        .allSatisfy(
            pod -> {
              assertThat(pod.kind()).isEqualTo("PartialObjectMetadata");
              assertThat(pod.metadata().name()).startsWith("web-");
              assertThat(pod.metadata().labels()).containsEntry("app", "web");
            });
  }

  private static void noLog(Replay it) throws InterruptedException, IOException {
    try (InputStream log =
        it.client().get().absPath(path(it)).header("Accept", "application/json").stream()) {
      assertThat(log.readAllBytes()).isEmpty();
    }
  }

  private static void logOfNoNode(Replay it) {
    ApiStatusException error =
        refused(404, StatusReason.NOT_FOUND, () -> it.client().get().absPath(path(it)).stream());

    assertThat(error.isNotFound()).isTrue();
    assertThat(error).hasMessageContaining("node-1");
  }

  private static String path(Replay it) {
    return it.exchange().question().target();
  }
}
