package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import java.util.List;
import java.util.Map;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that read only some fields of the objects. */
@Timeout(300)
final class ProjectionRequestsTest extends ResourceClientFixture {

  private static final String DROP = "application/json;drop=metadata.managedFields";

  private static final String WHOLE =
      """
      {"apiVersion":"apps/v1","kind":"Deployment",
       "metadata":{"name":"web","namespace":"ns","resourceVersion":"7",
        "managedFields":[{"manager":"me","fieldsV1":{"f:spec":{}}}]},
       "spec":{"replicas":1,"paused":true},"status":{"replicas":1}}""";

  private ResourceClient<Unstructured> keeping(String... paths) {
    return client.resource(DEPLOYMENT.keep(paths)).inNamespace("ns");
  }

  private ResourceClient<Unstructured> dropping() {
    return client.resource(DEPLOYMENT.dropManagedFields()).inNamespace("ns");
  }

  @Test
  void dropManagedFields_isAskedOfTheServerByEachVerb() throws Exception {
    server.always(TestServer.json(200, WHOLE));
    ResourceClient<Unstructured> dropping = dropping();
    Unstructured read = dropping.get("web");
    dropping.status().get("web");
    dropping.create(web());
    dropping.update(read);
    dropping.updateStatus(read);
    dropping.patch("web", Patch.merge(Map.of()));
    dropping.apply(web(), ApplyOptions.of("me"));

    for (int i = 0; i < 7; i++) {
      RecordedRequest sent = server.takeRequest();
      assertThat(sent.getHeaders().get("Accept")).as(sent.getMethod()).isEqualTo(DROP);
    }
  }

  @Test
  void dropManagedFields_ofAWholeClient_holdsForAllTypes() throws Exception {
    server.always(TestServer.json(200, "{\"kind\":\"DeploymentList\",\"items\":[]}"));
    try (RESTClient dropping =
        RESTClient.builder(server.config().build()).dropManagedFields(true).build()) {
      dropping.resource(DEPLOYMENT).list();
      dropping.dynamic(DEPLOYMENT.resource()).list();
      dropping.metadata(DEPLOYMENT.resource()).list(ListOptions.NONE);
      try (RESTClient other = dropping.toBuilder(dropping.config()).build()) {
        other.resource(DEPLOYMENT).list();
      }
    }

    assertThat(server.takeRequest().getHeaders().get("Accept")).isEqualTo(DROP);
    assertThat(server.takeRequest().getHeaders().get("Accept")).isEqualTo(DROP);
    assertThat(server.takeRequest().getHeaders().get("Accept"))
        .isEqualTo(
            "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1;"
                + "drop=metadata.managedFields,"
                + "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1;"
                + "drop=metadata.managedFields,"
                + DROP);
    assertThat(server.takeRequest().getHeaders().get("Accept")).isEqualTo(DROP);
  }

  /** As a server before Kubernetes 1.38 does. */
  @Test
  void dropManagedFields_serverSendsThem_areSkipped() throws Exception {
    server.enqueue(
        TestServer.json(200, WHOLE),
        TestServer.json(200, "{\"kind\":\"DeploymentList\",\"items\":[" + WHOLE + "]}"),
        TestServer.json(200, "{\"type\":\"ADDED\",\"object\":" + WHOLE + "}"),
        TestServer.json(200, "{\"object\":" + WHOLE + ",\"type\":\"ADDED\"}"));

    Unstructured got = dropping().get("web");

    assertThat(got.metadata().managedFields()).isEmpty();
    assertThat(got.content()).containsKeys("spec", "status");
    assertThat(got.metadata().projection()).isEqualTo(Projection.WITHOUT_MANAGED_FIELDS);
    assertThat(dropping().list().items()).containsExactly(got);
    for (int i = 0; i < 2; i++) {
      try (Watch<Unstructured> watch = dropping().watch()) {
        assertThat(watch.next().orElseThrow().value()).isEqualTo(got);
      }
    }
  }

  @Test
  void update_objectWithoutManagedFields_sendsNone() throws Exception {
    server.enqueue(TestServer.json(200, WHOLE), TestServer.json(200, WHOLE));
    Unstructured read = dropping().get("web");

    deployments.update(read.with(2L, "spec", "replicas"));

    server.takeRequest();
    assertThat(server.takeRequest().getBody().utf8())
        .contains("\"replicas\":2", "\"paused\":true")
        .doesNotContain("managedFields");
  }

  @Test
  void write_objectThatLacksFields_isRefusedAndNotSent() throws Exception {
    server.enqueue(TestServer.json(200, WHOLE));
    Unstructured cut = keeping("spec.replicas").get("web");
    server.takeRequest();
    Unstructured changed = cut.with(2L, "spec", "replicas");

    String refusal = "cannot write ns/web: it was read with keep(spec.replicas), and the server";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> deployments.update(changed))
        .withMessageContaining(refusal);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> deployments.updateStatus(changed))
        .withMessageContaining(refusal);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> deployments.create(changed))
        .withMessageContaining(refusal);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.put().body(Unstructured.CODEC, changed))
        .withMessageContaining(refusal);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> deployments.apply(changed, ApplyOptions.of("me")))
        .withMessageContaining("apply what you want of it");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keeping("spec.replicas").update(changed))
        .withMessageContaining(refusal);
    assertThat(server.requestCount()).isEqualTo(1);
  }

  @Test
  void edit_byAClientThatReadsSomeFields_changesTheWholeObject() throws Exception {
    server.enqueue(TestServer.json(200, WHOLE), TestServer.json(200, WHOLE));

    Unstructured edited =
        keeping("spec.replicas")
            .edit(
                "web",
                object -> {
                  assertThat(object.nestedBoolean("spec", "paused")).contains(true);
                  return object.with(2L, "spec", "replicas");
                });

    assertThat(edited.nestedBoolean("spec", "paused")).isEmpty();
    server.takeRequest();
    assertThat(server.takeRequest().getBody().utf8())
        .isEqualTo("{\"spec\":{\"replicas\":2},\"metadata\":{\"resourceVersion\":\"7\"}}");
  }

  @Test
  void edit_byAClientThatDropsManagedFields_doesNotTouchThem() throws Exception {
    server.enqueue(TestServer.json(200, WHOLE), TestServer.json(200, WHOLE));

    dropping()
        .edit(
            "web",
            object -> {
              assertThat(object.metadata().managedFields())
                  .extracting(ManagedFieldsEntry::manager)
                  .isEqualTo(List.of("me"));
              return object.with(2L, "spec", "replicas");
            });

    server.takeRequest();
    assertThat(server.takeRequest().getBody().utf8())
        .isEqualTo("{\"spec\":{\"replicas\":2},\"metadata\":{\"resourceVersion\":\"7\"}}");
  }
}
