package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.meta.ApplyOptions;
import dev.clientgo.apimachinery.meta.CreateOptions;
import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.Table;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.Scale;
import dev.clientgo.rest.SubresourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Our own client, with every verb. */
abstract class ClientContract extends Contract {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private RESTClient client;

  abstract ApiServer server();

  @BeforeEach
  void connect() {
    client = RESTClient.create(server().restConfig());
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private ResourceClient<Unstructured> of(String group, String resource) {
    return client.dynamic(new GroupVersionResource(group, "v1", resource)).inNamespace(namespace);
  }

  private static Unstructured json(String text) {
    return Unstructured.parse(text.replace('\'', '"'));
  }

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
    deployments.create(
        json(
            "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d'},'spec':{'replicas':1,"
                + "'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},"
                + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}"));
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
       'status':{'type':'object','properties':{'size':{'type':'integer'}}}}}}}]}}""";

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
  void deeds_onBuiltInKinds() throws Exception {
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

  private Scale appliedScale() throws InterruptedException {
    ResourceClient<Unstructured> deployments = of("apps", "deployments");
    deployments.create(
        json(
            "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'e'},'spec':{'replicas':1,"
                + "'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},"
                + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}"));
    Patch scale =
        Patch.apply(
            Unstructured.CODEC,
            json(
                "{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{'name':'e'},'spec':"
                    + "{'replicas':4}}"));
    return deployments.scale().patch("e", scale, ApplyOptions.of("me").force().toPatchOptions());
  }

  @Test
  void otherForms_ofObjects() throws Exception {
    GroupVersionResource maps = new GroupVersionResource("", "v1", "configmaps");
    of("", "configmaps").create(map("a", "1"));

    Table table = client.table(maps).inNamespace(namespace).list(ListOptions.NONE);
    List<PartialObjectMetadata> metadata =
        client.metadata(maps).inNamespace(namespace).list(ListOptions.NONE).items();

    assertThat(table.rows().get(0).cells()).startsWith("a", 1L);
    assertThat(metadata).extracting(it -> it.metadata().name()).containsExactly("a");
  }
}
