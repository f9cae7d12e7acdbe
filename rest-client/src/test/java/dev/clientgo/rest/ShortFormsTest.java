package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The short forms that a program looks for first, and what they send. */
final class ShortFormsTest extends ResourceClientFixture {

  private static final String PATH = "/apis/apps/v1/namespaces/ns/deployments";

  private static String list(String... objects) {
    return "{\"apiVersion\":\"apps/v1\",\"kind\":\"DeploymentList\",\"metadata\":{},\"items\":["
        + String.join(",", objects)
        + "]}";
  }

  private List<String> targets(int count) throws InterruptedException {
    List<String> targets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      targets.add(server.takeRequest().getTarget());
    }
    return targets;
  }

  @Test
  void lists_takeNothing_aSelector_orANumber() throws Exception {
    server.always(TestServer.json(200, list(object("web", "7"))));

    List<String> names =
        deployments.list().stream().map(object -> object.metadata().name()).toList();
    deployments.list(Selector.of(Map.of("app", "web")));
    deployments.list(ListOptions.builder().labelSelector(Selector.parse("a!=b")).limit(5).build());

    assertThat(names).containsExactly("web");
    assertThat(targets(3))
        .containsExactly(
            PATH, PATH + "?labelSelector=app%3Dweb", PATH + "?labelSelector=a%21%3Db&limit=5");
  }

  @Test
  void watches_takeNothing_orASelector() throws Exception {
    String event = "{\"type\":\"ADDED\",\"object\":" + object("web", "7") + "}";
    server.always(TestServer.json(200, event));

    try (Watch<Unstructured> all = deployments.watch();
        Watch<Unstructured> some = deployments.watch(Selector.parse("app=web"))) {
      assertThat(all.next().orElseThrow())
          .isInstanceOfSatisfying(
              WatchEvent.Added.class, added -> assertThat(added.value()).isEqualTo(web()));
      assertThat(some.next()).isPresent();
    }

    List<String> targets = targets(2);
    assertThat(targets.get(0)).startsWith(PATH + "?").contains("watch=true");
    assertThat(targets.get(1)).contains("labelSelector=app%3Dweb").contains("watch=true");
  }

  @Test
  void find_takesAnObjectName_ofItsNamespace() throws Exception {
    server.enqueue(answer("web", "7"));
    server.enqueue(answer("web", "7"));
    ResourceClient<Unstructured> everywhere = client.resource(DEPLOYMENT);

    assertThat(everywhere.find(ObjectName.parse("ns/web"))).contains(web());
    assertThat(deployments.find(ObjectName.parse("ns/web"))).contains(web());

    assertThat(targets(2)).containsExactly(PATH + "/web", PATH + "/web");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> deployments.find(ObjectName.parse("other/web")))
        .withMessage("\"other/web\" is not in the namespace of this client, ns");
    assertThatIllegalStateException()
        .isThrownBy(() -> everywhere.find(ObjectName.parse("web")))
        .withMessageContaining("namespace");
  }

  @Test
  void table_takesAMapping() throws Exception {
    server.always(
        TestServer.json(
            200,
            "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"columnDefinitions\":[],"
                + "\"rows\":[]}"));
    RESTMapping mapping =
        new RESTMapping(DEPLOYMENT.resource(), DEPLOYMENT.kind(), RESTMapping.Scope.NAMESPACE);

    assertThat(client.table(mapping).inNamespace("ns").list().rows()).isEmpty();

    assertThat(targets(1).get(0)).startsWith(PATH);
  }

  @Test
  void patch_isWrittenAsText() throws Exception {
    server.enqueue(answer("web", "8"));

    deployments.patch("web", Patch.merge("{\"spec\": {\"replicas\": 3}}"));

    assertPatch("", "application/merge-patch+json", "{\"spec\":{\"replicas\":3}}");
  }

  @Test
  void values_areWrittenAsText() {
    assertThat(Quantity.of("1.5Gi")).isEqualByComparingTo(Quantity.of(3L << 29));
    assertThat(Time.now().toString()).matches("20[0-9]{2}-.*T.*Z");
  }
}
