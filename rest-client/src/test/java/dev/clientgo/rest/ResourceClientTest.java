package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.DeletionPropagation;
import dev.clientgo.apimachinery.meta.options.FieldValidation;
import dev.clientgo.apimachinery.meta.options.GetOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.apimachinery.meta.options.UpdateOptions;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The requests of each verb, and how it reads the response. */
@Timeout(300)
final class ResourceClientTest extends ResourceClientFixture {

  private static final String NO_WEB =
      """
      {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,
       "message":"deployments.apps \\"web\\" not found","details":{"name":"web","kind":"deployments"}}
      """;

  /* --------------- One object --------------- */

  @Test
  void get_readsAnObject() throws Exception {
    server.enqueue(answer("web", "7"));

    assertThat(deployments.get("web").metadata().resourceVersion()).isEqualTo("7");
    assertSent("GET /apis/apps/v1/namespaces/ns/deployments/web", "");
  }

  @Test
  void get_ofAClusterResource_hasNoNamespace() throws Exception {
    server.enqueue(TestServer.json(200, "{\"kind\":\"Node\",\"apiVersion\":\"v1\"}"));

    assertThat(client.resource(NODE).get("n1").kind()).isEqualTo("Node");
    assertSent("GET /api/v1/nodes/n1", "");
  }

  @Test
  void get_ofWhatIsNotThere_isAnError() {
    server.enqueue(new MockResponse.Builder().code(404).build());

    assertThatThrownBy(() -> deployments.get("web"))
        .isInstanceOfSatisfying(
            ApiStatusException.class,
            e -> {
              assertThat(e.isNotFound()).isTrue();
              assertThat(e).hasMessageContaining("(get deployments.apps web)");
            });
  }

  @Test
  void find_givesTheObjectOrEmpty() throws Exception {
    server.enqueue(answer("web", "7"), TestServer.json(404, NO_WEB));

    assertThat(deployments.find("web")).isPresent();
    assertThat(deployments.find("web")).isEmpty();
  }

  /**
   * Otherwise a program would take a custom resource that is not installed for one without objects.
   */
  @Test
  void find_ofAResourceThatTheServerDoesNotKnow_isAnError() {
    server.always(new MockResponse.Builder().code(404).body("404 page not found\n").build());

    assertThatThrownBy(() -> deployments.find("web"))
        .isInstanceOf(ApiStatusException.class)
        .hasMessageContaining("could not find the requested resource");
    assertThatThrownBy(() -> deployments.deleteIfExists("web"))
        .isInstanceOf(ApiStatusException.class);
  }

  @Test
  void deleteIfExists_tellsWhetherThereWasOne() throws Exception {
    server.enqueue(answer("web", "7"), TestServer.json(404, NO_WEB));

    assertThat(deployments.deleteIfExists("web")).isTrue();
    assertThat(deployments.deleteIfExists("web")).isFalse();
    assertSent(
        "DELETE /apis/apps/v1/namespaces/ns/deployments/web",
        "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\"}");
  }

  @Test
  void listAndWatch_withASelectorOrNothing_askForJustThat() throws Exception {
    server.always(
        TestServer.json(
            200,
            "{\"kind\":\"DeploymentList\",\"apiVersion\":\"apps/v1\",\"metadata\":{},\"items\":[]}"));
    Selector web = Selector.parse("app=web");

    assertThat(deployments.list().stream()).isEmpty();
    deployments.list(web);
    deployments.watch().close();
    deployments.watch(web).close();

    assertSent("GET /apis/apps/v1/namespaces/ns/deployments", "");
    assertSent("GET /apis/apps/v1/namespaces/ns/deployments?labelSelector=app%3Dweb", "");
    assertSent("GET /apis/apps/v1/namespaces/ns/deployments?watch=true", "");
    assertSent(
        "GET /apis/apps/v1/namespaces/ns/deployments?labelSelector=app%3Dweb&watch=true", "");
  }

  @Test
  void create_sendsTheObject() throws Exception {
    server.enqueue(TestServer.json(201, object("web", "8")));

    Unstructured created =
        deployments.create(web(), CreateOptions.builder().fieldManager("me").dryRun(true).build());

    assertThat(created.metadata().resourceVersion()).isEqualTo("8");
    assertSent(
        "POST /apis/apps/v1/namespaces/ns/deployments?dryRun=All&fieldManager=me", web().toJson());
  }

  /** As kube-apiserver answers to bindings and evictions; client-go takes it for a success, too. */
  @Test
  void create_thatIsAnsweredWithDone_returnsWhatWasSent() throws Exception {
    String done = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\",\"code\":201}";
    Scale scale = new Scale(web().metadata(), new Scale.Spec(3), null);
    server.enqueue(TestServer.json(201, done));

    assertThat(deployments.scale().create("web", scale, CreateOptions.NONE)).isEqualTo(scale);
  }

  @Test
  void writes_withoutNamespace_goWhereTheObjectLives() throws Exception {
    ResourceClient<Unstructured> everywhere = client.resource(DEPLOYMENT);
    server.enqueue(answer("web", "8"), answer("web", "9"), answer("web", "9"));

    everywhere.create(web());
    everywhere.update(web());
    everywhere.updateStatus(web());

    assertSent("POST /apis/apps/v1/namespaces/ns/deployments", web().toJson());
    assertSent("PUT /apis/apps/v1/namespaces/ns/deployments/web", web().toJson());
    assertSent("PUT /apis/apps/v1/namespaces/ns/deployments/web/status", web().toJson());
  }

  @Test
  void patch_sendsItsType() throws Exception {
    server.always(answer("web", "8"));
    Map<String, Object> change = Map.of("spec", Map.of("replicas", 2));

    deployments.patch("web", Patch.merge(change));
    deployments.patch("web", Patch.strategicMerge(change));
    deployments.patch("web", Patch.json(JsonPatch.of(List.of())));
    deployments.patch(
        "web",
        Patch.apply(Unstructured.CODEC, web()),
        PatchOptions.builder().fieldManager("me").force(true).build());

    assertPatch("", "application/merge-patch+json", "{\"spec\":{\"replicas\":2}}");
    assertPatch("", "application/strategic-merge-patch+json", "{\"spec\":{\"replicas\":2}}");
    assertPatch("", "application/json-patch+json", "[]");
    assertPatch("?fieldManager=me&force=true", "application/apply-patch+yaml", web().toJson());
  }

  @Test
  void apply_sendsTheConfiguration_underAName() throws Exception {
    server.always(answer("web", "8"));
    ApplyOptions me = ApplyOptions.of("me");

    deployments.apply(web(), me);
    client.resource(DEPLOYMENT).apply(web(), me.force().dryRun());
    deployments.applyStatus(web(), me);
    deployments.apply("web", Patch.apply(Unstructured.CODEC, web()), me);

    String type = "application/apply-patch+yaml";
    assertPatch("?fieldManager=me", type, web().toJson());
    assertPatch("?dryRun=All&fieldManager=me&force=true", type, web().toJson());
    assertPatch("/status?fieldManager=me", type, web().toJson());
    assertPatch("?fieldManager=me", type, web().toJson());
  }

  @Test
  void apply_ofWhatWasRead_isRefused() {
    Unstructured read = web().with(List.of(Map.of("manager", "m")), "metadata", "managedFields");

    assertThatThrownBy(() -> deployments.apply(read, ApplyOptions.of("me")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("managed fields already set");
    assertThatThrownBy(() -> deployments.apply("web", Patch.merge(Map.of()), ApplyOptions.of("me")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not an apply patch");
  }

  @Test
  void options_areSent() throws Exception {
    server.always(answer("web", "8"));

    deployments.get("web", GetOptions.builder().resourceVersion("0").build());
    deployments.update(
        web(), UpdateOptions.builder().fieldValidation(FieldValidation.STRICT).build());
    deployments.updateStatus(web(), UpdateOptions.builder().dryRun(true).build());

    String path = " /apis/apps/v1/namespaces/ns/deployments/web";
    assertSent("GET" + path + "?resourceVersion=0", "");
    assertSent("PUT" + path + "?fieldValidation=Strict", web().toJson());
    assertSent("PUT" + path + "/status?dryRun=All", web().toJson());
  }

  /* --------------- Subresources --------------- */

  private static final String SCALE =
      """
      {"apiVersion":"autoscaling/v1","kind":"Scale",\
      "metadata":{"name":"web","resourceVersion":"7"},\
      "spec":{"replicas":2},"status":{"replicas":1,"selector":"app=web"}}\
      """;

  /** TestGetScale, TestUpdateScale and TestPatchScale in scale/client_test.go. */
  @Test
  void scale_isReadAndWritten() throws Exception {
    server.always(TestServer.json(200, SCALE));

    Scale scale = deployments.scale().get("web");
    deployments.scale().update("web", scale.withReplicas(5));
    deployments.scale().patch("web", Patch.merge(Map.of("spec", Map.of("replicas", 5))));

    assertThat(scale.replicas()).isEqualTo(2);
    assertThat(scale.status()).isEqualTo(new Scale.Status(1, "app=web"));
    String path = " /apis/apps/v1/namespaces/ns/deployments/web/scale";
    assertSent("GET" + path, "");
    assertSent("PUT" + path, SCALE.replace(":2}", ":5}"));
    assertSent("PATCH" + path, "{\"spec\":{\"replicas\":5}}");
  }

  @Test
  void scale_withoutReplicas_isNone() {
    Scale scale = JsonReader.fromBytes(Scale.CODEC, "{\"spec\":{}}".getBytes(UTF_8));

    assertThat(scale.spec()).isEqualTo(new Scale.Spec(null));
    assertThat(scale.replicas()).isZero();
  }

  @Test
  void subresource_thatIsADeed_needsNoObjectAsAnswer() throws Exception {
    server.enqueue(TestServer.json(201, "{\"kind\":\"Status\",\"status\":\"Success\"}"));

    deployments
        .subresource("eviction")
        .submit("web", web(), CreateOptions.builder().dryRun(true).build());

    assertSent(
        "POST /apis/apps/v1/namespaces/ns/deployments/web/eviction?dryRun=All", web().toJson());
  }

  @Test
  void subresource_hasAllVerbs() throws Exception {
    server.always(answer("web", "8"));
    SubresourceClient<Unstructured> part = deployments.subresource("part");

    part.create("web", web(), CreateOptions.NONE);
    part.get("web", GetOptions.builder().resourceVersion("3").build());
    part.apply("web", web(), ApplyOptions.of("me"));
    part.delete("web", DeleteOptions.NONE);

    String path = " /apis/apps/v1/namespaces/ns/deployments/web/part";
    assertSent("POST" + path, web().toJson());
    assertSent("GET" + path + "?resourceVersion=3", "");
    assertSent("PATCH" + path + "?fieldManager=me", web().toJson());
    assertSent("DELETE" + path, "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\"}");
    assertThat(part).hasToString("part of deployments.apps in ns");
  }

  @Test
  void delete_sendsOptions() throws Exception {
    server.enqueue(TestServer.json(200, "{}"), TestServer.json(200, "{}"));

    deployments.delete("web");
    deployments.delete(
        "web",
        DeleteOptions.builder()
            .gracePeriod(Duration.ZERO)
            .propagationPolicy(DeletionPropagation.FOREGROUND)
            .preconditions(new Preconditions("u", "7"))
            .dryRun(true)
            .build());

    assertSent(
        "DELETE /apis/apps/v1/namespaces/ns/deployments/web",
        "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\"}");
    assertSent(
        "DELETE /apis/apps/v1/namespaces/ns/deployments/web",
        "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"gracePeriodSeconds\":0,"
            + "\"preconditions\":{\"uid\":\"u\",\"resourceVersion\":\"7\"},"
            + "\"propagationPolicy\":\"Foreground\",\"dryRun\":[\"All\"]}");
  }

  @Test
  void deleteCollection_sendsSelectors() throws Exception {
    server.enqueue(TestServer.json(200, "{}"));

    deployments.deleteCollection(ListOptions.builder().labelSelector("a=b").build());

    assertSent(
        "DELETE /apis/apps/v1/namespaces/ns/deployments?labelSelector=a%3Db",
        "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\"}");
  }

  /* --------------- Wrong use --------------- */

  @Test
  void namespaces_areAskedForAndRefusedWhereTheyBelong() {
    ResourceClient<Unstructured> everywhere = client.resource(DEPLOYMENT);

    assertThatThrownBy(() -> everywhere.get("web"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("say in which one, by inNamespace");
    assertThatThrownBy(() -> everywhere.deleteCollection(ListOptions.NONE))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> client.resource(NODE).inNamespace("ns"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("do not live in namespaces");
    assertThatThrownBy(() -> everywhere.inNamespace(""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> everywhere.inNamespace("../kube-system"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> deployments.update(Unstructured.parse("{\"kind\":\"D\",\"apiVersion\":\"v1\"}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no name");
  }
}
