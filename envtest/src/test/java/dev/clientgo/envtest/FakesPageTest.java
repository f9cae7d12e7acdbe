package dev.clientgo.envtest;

import static dev.clientgo.envtest.Reactors.Reactor.once;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.envtest.Reactors.Reactor;
import dev.clientgo.envtest.TestClient.Events;
import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The fakes in {@code docs/testing.md}: each line of the table is compiled and run here. */
@Timeout(300)
@ApiServerTest(server = ApiServerTest.Server.EMBEDDED, reset = true)
final class FakesPageTest {

  private static final GroupVersionResource MAPS = new GroupVersionResource("", "v1", "configmaps");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private static final String PATH = "/api/v1/namespaces/default/configmaps";

  private final String yaml =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: web, namespace: default}
      data: {k: a}
      """;
  private final Unstructured web = Unstructured.parseYaml(yaml).get(0);
  private EmbeddedApiServer server;
  private ResourceClient<Unstructured> maps;

  @BeforeEach
  void take(EmbeddedApiServer shared, RESTClient client) {
    server = shared;
    maps = client.dynamic(MAPS).inNamespace("default");
  }

  @AfterEach
  void leaveNothing() {
    server.reset(); // Other classes share it.
  }

  @Test
  void example() throws Exception {
    server.put(web);
    server.reactors().prepend("update", "configmaps", once(request -> Reaction.error(409)));

    maps.edit("web", map -> map.with("b", "data", "k")); // a patch: the reactor is not asked
    assertThatThrownBy(() -> maps.update(web)).hasMessageContaining("conflict");
    maps.update(web.with("c", "data", "k"));

    server
        .sent()
        .writes()
        .assertExactly(
            "patch configmaps default/web",
            "update configmaps default/web",
            "update configmaps default/web");
  }

  @Test
  void objects() throws Exception {
    server.put(web);
    server.put(Unstructured.parseYaml(yaml));
    server.installCrds(Path.of("src/test/crds"));
    server.objects(MAPS).put(web);

    assertThat(server.objects(MAPS).get("default", "web")).isPresent();
    assertThat(server.objects(MAPS).list()).hasSize(1);
    assertThat(server.objects(MAPS).delete("default", "web")).isTrue();
  }

  @Test
  void chain() throws Exception {
    Reactor reactor = request -> Reaction.error(409);
    Reactors.Registration registration = server.reactors().prepend("create", "configmaps", reactor);
    server.reactors().append("*", "*", reactor);
    server.reactors().prepend("patch", "deployments/status", reactor);
    assertThatThrownBy(() -> maps.create(web)).isInstanceOf(ApiStatusException.class);
    assertThatThrownBy(() -> maps.get("web")).isInstanceOf(ApiStatusException.class);

    registration.close();
    server.reactors().clear();
    server.reset();
    maps.create(web);

    server.reactors().prepend("get", "configmaps", Reactor.once(reactor));
    assertThatThrownBy(() -> maps.get("web")).isInstanceOf(ApiStatusException.class);
    server.reactors().prepend("get", "configmaps", Reactor.times(2, reactor));
    assertThatThrownBy(() -> maps.get("web")).isInstanceOf(ApiStatusException.class);
    assertThatThrownBy(() -> maps.get("web")).isInstanceOf(ApiStatusException.class);
    Reactor turns = Reactor.inTurn(Reaction.error(409), Reaction.pass());
    server.reactors().prepend("get", "configmaps", turns);
    assertThatThrownBy(() -> maps.get("web")).isInstanceOf(ApiStatusException.class);
    assertThat(maps.get("web")).isNotNull();
  }

  @Test
  void reactions() throws Exception {
    ApiStatusException notFound =
        ApiStatusException.notFound(new GroupResource("", "configmaps"), "web");

    assertThat(answer("get", request -> Reaction.object(web)).get("web")).isNotNull();
    assertThat(answer("list", request -> Reaction.list(List.of(web))).list().items()).hasSize(1);
    answer("list", request -> Reaction.page(List.of(web), "token"));
    try (TestClient api = TestClient.of(server)) {
      assertThat(api.get(PATH).at("metadata", "continue")).isEqualTo("token");
    }
    answer("delete", request -> Reaction.success()).delete("web");
    assertThatThrownBy(() -> answer("create", request -> Reaction.error(409)).create(web))
        .matches(error -> ((ApiStatusException) error).isConflict());
    assertThatThrownBy(() -> answer("get", request -> Reaction.error(notFound)).get("web"))
        .matches(error -> ((ApiStatusException) error).isNotFound());
    answer("create", request -> Reaction.pass()).create(web);
    assertThat(
            answer("get", request -> Reaction.passThen(map -> map.with("x", "data", "k")))
                .get("web")
                .nestedString("data", "k"))
        .contains("x");
  }

  private ResourceClient<Unstructured> answer(String verb, Reactor reactor) {
    server.reactors().clear();
    server.reactors().prepend(verb, "configmaps", reactor);
    return maps;
  }

  @Test
  void requests() throws Exception {
    AtomicReference<ApiRequest> seen = new AtomicReference<>();
    server
        .reactors()
        .prepend(
            "*",
            "configmaps",
            request -> {
              seen.set(request);
              return Reaction.pass();
            });
    maps.create(web);
    ApiRequest request = seen.get();

    assertThat(request.object()).isEqualTo(web);
    assertThat(request.object(ObjectMeta.CODEC)).isNotNull();
    assertThat(request.bodyText()).contains("web");
    assertThat(request.contentType()).isEqualTo("application/json");
    assertThat(request.isDryRun()).isFalse();
    assertThat(request.verb()).isEqualTo("create");
    assertThat(request.group()).isEmpty();
    assertThat(request.version()).isEqualTo("v1");
    assertThat(request.resource()).isEqualTo("configmaps");
    assertThat(request.subresource()).isEmpty();
    assertThat(request.namespace()).isEqualTo("default");
    assertThat(request.name()).isEmpty();
    assertThat(request.matches("create", "configmaps")).isTrue();
    assertThat(request.query("labelSelector")).isEmpty();
    assertThat(request.fieldManager()).isEmpty();
  }

  @Test
  void watches() throws Exception {
    server.reactors().prepend("watch", "configmaps", request -> Reaction.watch());
    try (TestClient api = TestClient.of(server);
        Events events = api.watch(PATH + "?watch=true")) {
      OpenWatch watch = server.awaitWatches(1).get(0);
      ApiStatusException expired = ApiStatusException.resourceExpired("too old");
      watch.send(new WatchEvent.Added<>(web));
      watch.send(new WatchEvent.Failed<>(expired));

      assertThat(events.next().name()).isEqualTo("web");
      assertThat(events.next().type()).isEqualTo("ERROR");
      watch.end();
      assertThat(events.rest()).isEmpty();
      watch.cut();
    }
  }

  @Test
  void sent(RESTClient client) throws Exception {
    client.dynamic(MAPS).list();
    maps.create(web);

    assertThat(server.sent().list()).hasSize(2);
    assertThat(server.sent().summaries()).hasSize(2);
    server.sent().of("create", "configmaps").inNamespace("default").assertOne();
    server.sent().of("delete", "*").assertNone();
    server.sent().assertInOrder("list configmaps", "create configmaps default/web");
    server.clearRequests();
    assertThat(server.sent().list()).isEmpty();
  }

  @Test
  void page_showsThisCode() throws Exception {
    String page = Files.readString(Path.of("../docs/testing.md"));
    String code =
        Files.readString(Path.of("src/test/java/dev/clientgo/envtest/FakesPageTest.java"))
            .replaceAll("\\s+", "");
    String section = page.substring(page.indexOf("## Fakes"), page.indexOf("\n## Least privilege"));
    String example = section.substring(section.indexOf("```java\n") + 8);

    assertThat(code).contains(example.substring(0, example.indexOf("```")).replaceAll("\\s+", ""));
    int snippets = 0;
    for (String line : section.lines().filter(text -> text.startsWith("| ")).toList()) {
      String ours = line.split(" \\| ", -1)[1];
      for (Matcher snippet = CODE.matcher(ours); snippet.find(); ) {
        if (snippet.group(1).contains("(")) {
          assertThat(code).contains(snippet.group(1).replaceAll("\\s+", ""));
          snippets++;
        }
      }
    }
    assertThat(snippets).isGreaterThan(45);
  }
}
