package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.apimachinery.meta.table.Table;
import dev.clientgo.apimachinery.meta.table.TableOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.util.Map;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients without types: the requests that they send, and how they read the answers. */
@Timeout(300)
final class DynamicClientTest {

  private static final GroupVersionResource RTEST =
      new GroupVersionResource("gtest", "vt", "rtest");
  private static final String OBJECT =
      "{\"apiVersion\":\"gtest/vt\",\"kind\":\"rTest\",\"metadata\":{\"name\":\"n\"}}";
  private static final Unstructured NAMED = Unstructured.parse(OBJECT);

  private TestServer server;
  private RESTClient client;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(TestServer.Wire.HTTP_1_1);
    client = RESTClient.create(server.config().build());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private void assertSent(String request) throws InterruptedException {
    RecordedRequest sent = server.takeRequest();
    assertThat(sent.getMethod() + " " + sent.getTarget()).isEqualTo(request);
  }

  /** TestGet, TestCreate, TestUpdate, TestPatch, TestDelete in dynamic/client_test.go. */
  @Test
  void verbs_goToTheClusterOrToANamespace() throws Exception {
    server.always(TestServer.json(200, OBJECT));
    ResourceClient<Unstructured> all = client.dynamic(RTEST);
    ResourceClient<Unstructured> ns = all.inNamespace("nstest");

    assertThat(all.get("n")).isEqualTo(NAMED);
    ns.get("n");
    ns.status().get("n");
    all.create(NAMED);
    ns.create(NAMED);
    ns.subresource("srtest").create("n", NAMED, CreateOptions.NONE);
    all.update(NAMED);
    ns.updateStatus(NAMED);
    ns.patch("n", Patch.merge(Map.of()));
    all.apply(NAMED, ApplyOptions.of("me"));
    ns.delete("n");
    all.deleteCollection(ListOptions.NONE);
    ns.subresource("srtest").delete("n", DeleteOptions.NONE);

    assertSent("GET /apis/gtest/vt/rtest/n");
    assertSent("GET /apis/gtest/vt/namespaces/nstest/rtest/n");
    assertSent("GET /apis/gtest/vt/namespaces/nstest/rtest/n/status");
    assertSent("POST /apis/gtest/vt/rtest");
    assertSent("POST /apis/gtest/vt/namespaces/nstest/rtest");
    assertSent("POST /apis/gtest/vt/namespaces/nstest/rtest/n/srtest");
    assertSent("PUT /apis/gtest/vt/rtest/n");
    assertSent("PUT /apis/gtest/vt/namespaces/nstest/rtest/n/status");
    assertSent("PATCH /apis/gtest/vt/namespaces/nstest/rtest/n");
    assertSent("PATCH /apis/gtest/vt/rtest/n?fieldManager=me");
    assertSent("DELETE /apis/gtest/vt/namespaces/nstest/rtest/n");
    assertSent("DELETE /apis/gtest/vt/rtest");
    assertSent("DELETE /apis/gtest/vt/namespaces/nstest/rtest/n/srtest");
  }

  @Test
  void coreGroup_hasAPathOfItsOwn() throws Exception {
    server.always(TestServer.json(200, "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}"));

    client.dynamic(new GroupVersionResource("", "v1", "pods")).inNamespace("ns").get("p");

    assertSent("GET /api/v1/namespaces/ns/pods/p");
  }

  /** TestList in dynamic/client_test.go; items of built-in kinds do not say what they are. */
  @Test
  void list_tellsItsItemsTheirKind() throws Exception {
    server.enqueue(
        TestServer.json(
            200,
            "{\"kind\":\"DeploymentList\",\"apiVersion\":\"apps/v1\",\"metadata\":{},"
                + "\"items\":[{\"metadata\":{\"name\":\"a\"}},"
                + "{\"kind\":\"Own\",\"apiVersion\":\"x/v2\"}]}"));

    ResourceList<Unstructured> list = client.dynamic(RTEST).list(ListOptions.NONE);

    assertThat(list.items().get(0).groupVersionKind())
        .isEqualTo(new GroupVersionKind("apps", "v1", "Deployment"));
    assertThat(list.items().get(1).groupVersionKind())
        .isEqualTo(new GroupVersionKind("x", "v2", "Own"));
  }

  /** TestWatch in dynamic/client_test.go. */
  @Test
  void watch_givesTrees() throws Exception {
    server.enqueue(TestServer.json(200, "{\"type\":\"ADDED\",\"object\":" + OBJECT + "}"));

    try (Watch<Unstructured> watch = client.dynamic(RTEST).watch(ListOptions.NONE)) {
      assertThat(watch.next()).contains(new WatchEvent.Added<>(NAMED));
    }
    assertSent("GET /apis/gtest/vt/rtest?watch=true");
  }

  @Test
  void mapping_saysWhereTheKindLives() throws Exception {
    server.always(TestServer.json(200, OBJECT));
    GroupVersionKind kind = new GroupVersionKind("gtest", "vt", "rTest");
    RESTMapping root = new RESTMapping(RTEST, kind, RESTMapping.Scope.ROOT);
    RESTMapping inside = new RESTMapping(RTEST, kind, RESTMapping.Scope.NAMESPACE);

    assertThat(client.dynamic(root).get("n")).isEqualTo(NAMED);
    assertThatThrownBy(() -> client.dynamic(root).inNamespace("ns"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> client.dynamic(inside).get("n"))
        .isInstanceOf(IllegalStateException.class);
  }

  /** TestInvalidSegments in dynamic/client_test.go. */
  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a/b", "a%20b"})
  void segment_thatLeadsElsewhere_isRefused(String segment) {
    ResourceClient<Unstructured> all = client.dynamic(RTEST);

    assertThatThrownBy(() -> all.get(segment)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> all.delete(segment)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> all.patch(segment, Patch.merge(Map.of())))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> all.inNamespace(segment)).isInstanceOf(IllegalArgumentException.class);
    assertThat(server.requestCount()).isZero();
  }

  /* --------------- Tables --------------- */

  private static final String TABLE =
      "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\","
          + "\"metadata\":{\"resourceVersion\":\"7\"},"
          + "\"columnDefinitions\":[{\"name\":\"Name\",\"type\":\"string\",\"format\":\"name\","
          + "\"description\":\"d\",\"priority\":0}],"
          + "\"rows\":[{\"cells\":[\"a\",3,null,true],\"object\":"
          + OBJECT
          + "}]}";

  @Test
  void table_isReadAsPrinted() throws Exception {
    server.always(TestServer.json(200, TABLE));
    TableClient tables = client.table(RTEST);

    Table table = tables.list(ListOptions.builder().limit(5L).build());
    tables.inNamespace("ns").including(TableOptions.IncludeObjectPolicy.NONE).get("n");

    assertThat(table.metadata().resourceVersion()).isEqualTo("7");
    assertThat(table.columnDefinitions())
        .containsExactly(new Table.ColumnDefinition("Name", "string", "name", "d", 0));
    assertThat(table.rows().get(0).cells()).containsExactly("a", 3L, null, true);
    assertThat(table.rows().get(0).decodeObject(Unstructured.CODEC)).contains(NAMED);
    RecordedRequest list = server.takeRequest();
    assertThat(list.getTarget()).isEqualTo("/apis/gtest/vt/rtest?limit=5");
    assertThat(list.getHeaders().get("Accept"))
        .isEqualTo("application/json;as=Table;v=v1;g=meta.k8s.io");
    assertSent("GET /apis/gtest/vt/namespaces/ns/rtest/n?includeObject=None");
  }

  @Test
  void table_watch_hasOneRowAnEvent() throws Exception {
    server.enqueue(
        TestServer.json(
            200,
            "{\"type\":\"ADDED\",\"object\":"
                + TABLE
                + "}\n{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"Table\","
                + "\"columnDefinitions\":null,\"rows\":[{\"cells\":[\"b\"]}]}}"));

    try (Watch<Table> watch = client.table(RTEST).watch(ListOptions.NONE)) {
      assertThat(watch.next()).get().isInstanceOf(WatchEvent.Added.class);
      WatchEvent<Table> second = watch.next().orElseThrow();
      assertThat(((WatchEvent.Modified<Table>) second).value().columnDefinitions()).isEmpty();
    }
  }

  @Test
  void table_ofAServerThatPrintsNone_isAnError() {
    server.enqueue(TestServer.json(200, "{\"kind\":\"PodList\",\"items\":[]}"));

    assertThatThrownBy(() -> client.table(RTEST).list(ListOptions.NONE))
        .hasMessageContaining("expected a Table, found a PodList");
  }

  /* --------------- Metadata --------------- */

  private static final String PARTIAL =
      "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
          + "\"metadata\":{\"name\":\"n\"}}";
  private static final String AS_PARTIAL =
      "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
          + "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
  private static final String AS_PARTIAL_LIST = AS_PARTIAL.replace("Metadata;", "MetadataList;");

  private void assertAccepts(String accept, String request) throws InterruptedException {
    RecordedRequest sent = server.takeRequest();
    assertThat(sent.getMethod() + " " + sent.getTarget()).isEqualTo(request);
    assertThat(sent.getHeaders().get("Accept")).isEqualTo(accept);
  }

  /** TestClient in metadata/metadata_test.go. */
  @Test
  void metadata_isAskedForAsSuch() throws Exception {
    String list = "{\"kind\":\"PartialObjectMetadataList\",\"items\":[" + PARTIAL + "]}";
    String event = "{\"type\":\"ADDED\",\"object\":" + PARTIAL + "}";
    server.enqueue(
        TestServer.json(200, PARTIAL),
        TestServer.json(200, list),
        TestServer.json(200, event),
        TestServer.json(200, PARTIAL),
        TestServer.json(200, "{}"),
        TestServer.json(200, "{}"));
    MetadataClient metadata = client.metadata(RTEST).inNamespace("ns");

    assertThat(metadata.get("n").metadata().name()).isEqualTo("n");
    assertThat(metadata.list(ListOptions.NONE)).hasSize(1);
    try (Watch<PartialObjectMetadata> watch = metadata.watch(ListOptions.NONE)) {
      assertThat(watch.next()).get().isInstanceOf(WatchEvent.Added.class);
    }
    metadata.patch("n", Patch.merge(Map.of()), PatchOptions.NONE);
    metadata.delete("n", DeleteOptions.NONE);
    metadata.deleteCollection(ListOptions.NONE, DeleteOptions.NONE);

    String path = "/apis/gtest/vt/namespaces/ns/rtest";
    assertAccepts(AS_PARTIAL, "GET " + path + "/n");
    assertAccepts(AS_PARTIAL_LIST, "GET " + path);
    assertAccepts(AS_PARTIAL, "GET " + path + "?watch=true");
    assertAccepts(AS_PARTIAL, "PATCH " + path + "/n");
    assertSent("DELETE " + path + "/n");
    assertSent("DELETE " + path);
  }

  /** The cases of TestClient in which the server sends whole objects, or something else. */
  @Test
  void metadata_ofAServerThatSendsAll_isTakenFromThat() throws Exception {
    server.enqueue(TestServer.json(200, OBJECT), TestServer.json(200, "{\"kind\":\"x\"}"));
    MetadataClient metadata = client.metadata(RTEST);

    assertThat(metadata.get("n").kind()).isEqualTo("rTest");
    assertThatThrownBy(() -> metadata.get("n"))
        .hasMessageContaining("does not appear to match the ObjectMeta schema");
  }

  @Test
  void metadata_ofAMapping_knowsTheKind() throws Exception {
    server.always(TestServer.json(200, PARTIAL));
    GroupVersionKind kind = new GroupVersionKind("gtest", "vt", "rTest");

    MetadataClient metadata = client.metadata(new RESTMapping(RTEST, kind, RESTMapping.Scope.ROOT));

    assertThat(metadata.get("n").kind()).isEqualTo("rTest");
  }
}
