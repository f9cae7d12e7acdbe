package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.UpdateOptions;
import dev.clientgo.apimachinery.meta.table.Table;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.Scale;
import dev.clientgo.rest.SubresourceClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every verb and subresource, through this library's client. */
abstract class ClientContract extends OurClient {

  private static Unstructured map(String name, String value) {
    return json(
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'"
            + name
            + "'},'data':{'k':'"
            + value
            + "'}}");
  }

  @Test
  void verbs_ofABuiltInKind() throws Exception {
    ResourceClient<Unstructured> maps = of("", "configmaps");

    Unstructured created = maps.create(map("a", "1"));
    assertThat(maps.get("a")).isEqualTo(created);
    Unstructured updated = maps.update(created.with("2", "data", "k"));
    assertThatThrownBy(() -> maps.update(created))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isConflict()).isTrue());
    assertThat(updated.nestedString("data", "k")).contains("2");
    assertThat(
            maps.patch("a", Patch.strategicMerge(Map.of("data", Map.of("s", "3"))))
                .nestedString("data", "s"))
        .contains("3");
    assertThat(maps.edit("a", it -> it.with("4", "data", "k")).nestedString("data", "k"))
        .contains("4");
    assertThatThrownBy(() -> maps.apply(map("a", "5"), ApplyOptions.of("me")))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isConflict()).isTrue());
    assertThat(maps.apply(map("a", "5"), ApplyOptions.of("me").force()).nestedString("data", "k"))
        .contains("5");
    maps.create(map("b", "1"));
    assertThat(maps.list(ListOptions.builder().limit(1L).build()).items()).hasSize(2);
    maps.delete("a");
    assertThat(maps.await("a", Optional::isEmpty, PATIENCE)).isEmpty();
    maps.deleteCollection(ListOptions.builder().fieldSelector("metadata.name=b").build());
    assertThat(maps.await("b", Optional::isEmpty, PATIENCE)).isEmpty();
  }

  @Test
  void subresources_ofBuiltInKinds() throws Exception {
    ResourceClient<Unstructured> deployments = of("apps", "deployments");
    createDeployment("d");
    Scale scale = deployments.scale().get("d");

    assertThat(deployments.scale().update("d", scale.withReplicas(3)).replicas()).isEqualTo(3);
    assertThat(
            deployments
                .editStatus("d", it -> it.with(2L, "status", "replicas"))
                .nestedLong("status", "replicas"))
        .contains(2L);
    of("", "pods")
        .create(
            json(
                "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'},'spec':{'containers':"
                    + "[{'name':'c','image':'i'}]}}"));
    SubresourceClient<Unstructured> eviction = of("", "pods").subresource("eviction");
    eviction.submit(
        "p",
        json("{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'p'}}"),
        CreateOptions.NONE);
    assertThat(of("", "pods").await("p", Optional::isEmpty, PATIENCE)).isEmpty();
  }

  private static final String THINGS =
      """
      {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',
       'metadata':{'name':'things.client.example.com'},'spec':{'group':'client.example.com',
       'scope':'Namespaced','names':{'plural':'things','kind':'Thing'},'versions':[{'name':'v1',
       'served':true,'storage':true,'subresources':{'status':{},'scale':
       {'specReplicasPath':'.spec.size','statusReplicasPath':'.status.size'}},
       'schema':{'openAPIV3Schema':{'type':'object',
       'properties':{'spec':{'type':'object','properties':{'size':{'type':'integer'}}},
       'status':{'type':'object','properties':{'size':{'type':'integer'}}}}}}}]}}\
      """;

  private static Unstructured thing(String name, long size) {
    return json(
        "{'apiVersion':'client.example.com/v1','kind':'Thing','metadata':{'name':'"
            + name
            + "'},'spec':{'size':"
            + size
            + "}}");
  }

  @Test
  void verbsAndSubresources_ofACustomKind() throws Exception {
    api().post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", THINGS);
    String path = "/apis/client.example.com/v1/namespaces/" + namespace + "/things";
    eventually(() -> api().get(path).code() == 200);
    ResourceClient<Unstructured> things = of("client.example.com", "things");

    Unstructured created = things.create(thing("a", 1));
    assertThat(things.get("a")).isEqualTo(created);
    assertThat(things.update(created.with(2L, "spec", "size")).metadata().generation())
        .isEqualTo(2L);
    assertThat(
            things
                .patch("a", Patch.merge(Map.of("spec", Map.of("size", 3))))
                .nestedLong("spec", "size"))
        .contains(3L);
    assertThatThrownBy(
            () -> things.patch("a", Patch.strategicMerge(Map.of("spec", Map.of("size", 4)))))
        .isInstanceOfSatisfying(
            ApiStatusException.class, e -> assertThat(e.status().code()).isEqualTo(415));
    assertThat(things.edit("a", it -> it.with(5L, "spec", "size")).nestedLong("spec", "size"))
        .contains(5L);
    assertThat(
            things.apply(thing("a", 6), ApplyOptions.of("me").force()).nestedLong("spec", "size"))
        .contains(6L);
    assertThat(
            things
                .editStatus("a", it -> it.with(1L, "status", "size").with(9L, "spec", "size"))
                .nestedLong("spec", "size"))
        .contains(6L);
    assertThat(things.scale().get("a").replicas()).isEqualTo(6);
    assertThat(things.scale().update("a", things.scale().get("a").withReplicas(7)).replicas())
        .isEqualTo(7);
    assertThat(things.list(ListOptions.NONE).items()).hasSize(1);
    things.delete("a");
    assertThat(things.await("a", Optional::isEmpty, PATIENCE)).isEmpty();
    things.create(thing("b", 1));
    things.deleteCollection(ListOptions.NONE);
    assertThat(things.await("b", Optional::isEmpty, PATIENCE)).isEmpty();
  }

  @Test
  void createOnlySubresources_ofBuiltInKinds() throws Exception {
    of("", "serviceaccounts")
        .create(json("{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':'s'}}"));
    Unstructured token =
        of("", "serviceaccounts")
            .subresource("token")
            .create(
                "s",
                json("{'apiVersion':'authentication.k8s.io/v1','kind':'TokenRequest','spec':{}}"),
                CreateOptions.NONE);
    assertThat(token.nestedString("status", "token").orElseThrow().split("\\.", -1)).hasSize(3);

    createPod("p", "");
    ResourceClient<Unstructured> pods = of("", "pods");
    Unstructured debugged =
        pods.subresource("ephemeralcontainers")
            .patch(
                "p",
                Patch.strategicMerge(
                    Map.of(
                        "spec",
                        Map.of(
                            "ephemeralContainers", List.of(Map.of("name", "d", "image", "i"))))));
    assertThat(debugged.nestedList("spec", "ephemeralContainers").orElseThrow()).hasSize(1);
    pods.subresource("binding")
        .submit(
            "p",
            json(
                "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'p'},'target':{'kind':"
                    + "'Node','name':'n'}}"),
            CreateOptions.NONE);
    assertThat(pods.get("p").nestedString("spec", "nodeName")).contains("n");
    Scale applied = appliedScale();
    assertThat(applied.replicas()).isEqualTo(4);
  }

  private void createDeployment(String name) throws InterruptedException {
    of("apps", "deployments")
        .create(
            json(
                "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'"
                    + name
                    + "'},'spec':{'replicas':1,'selector':{'matchLabels':{'a':'b'}},'template':"
                    + "{'metadata':{'labels':{'a':'b'}},'spec':{'containers':"
                    + "[{'name':'c','image':'i'}]}}}}"));
  }

  private Scale appliedScale() throws InterruptedException {
    ResourceClient<Unstructured> deployments = of("apps", "deployments");
    createDeployment("e");
    Patch scale =
        Patch.apply(
            Unstructured.CODEC,
            json(
                "{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{'name':'e'},'spec':"
                    + "{'replicas':4}}"));
    return deployments.scale().patch("e", scale, ApplyOptions.of("me").force().toPatchOptions());
  }

  @Test
  void otherRepresentations_ofObjects() throws Exception {
    GroupVersionResource maps = new GroupVersionResource("", "v1", "configmaps");
    of("", "configmaps").create(map("a", "1"));

    Table table = client.table(maps).inNamespace(namespace).list(ListOptions.NONE);
    List<PartialObjectMetadata> metadata =
        client.metadata(maps).inNamespace(namespace).list(ListOptions.NONE).items();

    assertThat(table.rows().get(0).cells()).startsWith("a", 1L);
    assertThat(metadata).extracting(it -> it.metadata().name()).containsExactly("a");
  }

  @Test
  void scale_oldVersion_isAConflict() throws Exception {
    createDeployment("f");
    SubresourceClient<Scale> scales = of("apps", "deployments").scale();
    Scale read = scales.get("f");

    scales.update("f", read.withReplicas(2));

    assertThat(refused(409, () -> scales.update("f", read.withReplicas(3))).isConflict()).isTrue();
    Scale dry =
        scales.update(
            "f", scales.get("f").withReplicas(9), UpdateOptions.builder().dryRun(true).build());
    assertThat(dry.replicas()).isEqualTo(9);
    assertThat(scales.get("f").replicas()).isEqualTo(2);
    refused(404, () -> scales.get("no"));
    refused(404, () -> of("", "configmaps").scale().get("no"));
  }

  @Test
  void eviction_budgetExhausted_isTooManyRequests() throws Exception {
    of("", "pods")
        .create(
            json(
                "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','labels':{'a':'b'}},"
                    + "'spec':{'containers':[{'name':'c','image':'i'}]}}"));
    of("", "pods")
        .editStatus(
            "p",
            it ->
                it.with("Running", "status", "phase")
                    .with(
                        List.of(Map.of("type", "Ready", "status", "True")),
                        "status",
                        "conditions"));
    ResourceClient<Unstructured> budgets = of("policy", "poddisruptionbudgets");
    budgets.create(
        json(
            "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{'name':'b'},"
                + "'spec':{'minAvailable':1,'selector':{'matchLabels':{'a':'b'}}}}"));
    budgets
        .status()
        .patch(
            "b",
            Patch.merge(
                Map.of(
                    "status",
                    Map.of(
                        "observedGeneration", 1,
                        "currentHealthy", 1,
                        "desiredHealthy", 1,
                        "expectedPods", 1,
                        "disruptionsAllowed", 0))));
    SubresourceClient<Unstructured> eviction = of("", "pods").subresource("eviction");
    Unstructured evicted =
        json("{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'p'}}");

    ApiStatusException tooMany =
        refused(429, () -> eviction.submit("p", evicted, CreateOptions.NONE));

    assertThat(tooMany.isTooManyRequests()).isTrue();
    assertThat(tooMany.hasStatusCause("DisruptionBudget")).isTrue();
    assertThat(of("", "pods").get("p").metadata().deletionTimestamp()).isNull();
    CreateOptions dryRun = CreateOptions.builder().dryRun(true).build();
    budgets.delete("b");
    eviction.submit("p", evicted, dryRun);
    assertThat(of("", "pods").get("p").metadata().deletionTimestamp()).isNull();
  }

  @Test
  void token_ofAServiceAccount_isIssued() throws Exception {
    ResourceClient<Unstructured> accounts = of("", "serviceaccounts");
    accounts.create(json("{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':'s'}}"));
    Unstructured request =
        json(
            "{'apiVersion':'authentication.k8s.io/v1','kind':'TokenRequest',"
                + "'spec':{'expirationSeconds':700}}");

    Unstructured token = accounts.subresource("token").create("s", request, CreateOptions.NONE);

    assertThat(token.nestedString("status", "token").orElseThrow().split("\\.", -1)).hasSize(3);
    refused(404, () -> accounts.subresource("token").create("no", request, CreateOptions.NONE));
  }
}
