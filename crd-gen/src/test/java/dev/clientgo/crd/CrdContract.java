package dev.clientgo.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.apimachinery.runtime.DatabindCodec;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server takes the definitions, refuses what their rules refuse, and keeps the rest. */
abstract class CrdContract {

  private static final String BASE = "color: RED, min: 1, max: 5";

  @TempDir private Path folder;

  private ResourceClient<Unstructured> gadgets;

  abstract ApiServer server();

  abstract RESTClient client();

  @BeforeEach
  void install() throws Exception {
    gadgets = client().dynamic(new GroupVersionResource("shop.example.com", "v1", "gadgets"));
    if (definition("gadgets.shop.example.com").isEmpty()) {
      install(Gadget.class, Website.class);
    }
    for (Unstructured each : gadgets.list().items()) {
      gadgets.delete(each.metadata().name());
    }
  }

  private void install(Class<?>... types) throws Exception {
    Path file = folder.resolve("crds.yaml");
    Files.writeString(file, CustomResourceDefinitions.toYaml(CustomResourceDefinitions.of(types)));
    server().installCrds(file);
  }

  private List<Unstructured> definition(String name) throws InterruptedException {
    return client()
        .dynamic(
            new GroupVersionResource("apiextensions.k8s.io", "v1", "customresourcedefinitions"))
        .find(name)
        .stream()
        .toList();
  }

  private Unstructured create(String spec) throws InterruptedException {
    return gadgets.create(
        Unstructured.parseYaml(
                """
                apiVersion: shop.example.com/v1
                kind: Gadget
                metadata: {name: gadget}
                spec: {SPEC}
                """
                    .replace("SPEC", spec))
            .get(0));
  }

  @Test
  void definitions_areStructural_andKeptAsTheyAre() throws Exception {
    for (Unstructured ours : CustomResourceDefinitions.of(Gadget.class, Website.class)) {
      Unstructured stored = definition(String.valueOf(ours.metadata().name())).get(0);

      assertThat(stored.nestedList("spec", "versions"))
          .isEqualTo(ours.nestedList("spec", "versions"));
      assertThat(stored.nestedMap("spec", "names")).isEqualTo(ours.nestedMap("spec", "names"));
      assertThat(stored.toYaml()).doesNotContain("NonStructuralSchema");
      assertThat(CrdDiff.between(stored, ours)).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "color: RED, min: 1                                 | spec.max",
        "color: BLUE, min: 1, max: 5                        | spec.color",
        "color: RED, min: 11, max: 15                       | spec.min",
        "color: RED, min: -1, max: 5                        | spec.min",
        "color: RED, min: 0, max: 0                         | spec.max",
        "color: RED, min: 0, max: 7                         | spec.max",
        "color: RED, min: 6, max: 5                         | min must not exceed max",
        "BASE, ratio: 2.6                                   | spec.ratio",
        "BASE, price: cheap                                 | spec.price",
        "BASE, enabled: \"yes\"                             | spec.enabled",
        "BASE, code: a                                      | spec.code",
        "BASE, code: abcde                                  | spec.code",
        "BASE, code: A1                                     | spec.code",
        "BASE, size: M                                      | spec.size",
        "BASE, users: []                                    | spec.users",
        "BASE, users: [a, b, c]                             | spec.users",
        "BASE, users: [A]                                   | spec.users[0]",
        "BASE, users: [root]                                | self != 'root'",
        "BASE, tags: [a, a]                                 | spec.tags[1]",
        "BASE, pairs: [{left: 1, right: 2}, {left: 1, right: 2}] | spec.pairs[1]",
        "BASE, parts: [{name: a}, {name: a, note: b}]       | spec.parts[1]",
        "BASE, parts: [{name: muchtoolong}]                 | spec.parts[0].name",
        "BASE, limits: {a: 10}                              | spec.limits",
        "BASE, limits: {a: 1, b: 1, c: 1}                   | spec.limits",
        "BASE, byColor: {RED: a}                            | spec.byColor",
        "BASE, settings: [1]                                | spec.settings",
        "BASE, template: {a: 1}                             | spec.template.kind",
        "BASE, memory: much                                 | spec.memory",
        "BASE, port: true                                   | spec.port",
        "BASE, action: {url: \"https://a\"}                 | spec.action.type",
        "BASE, action: {type: Walk}                         | spec.action.type",
        "BASE, action: {type: Call}                         | spec.action",
        "BASE, action: {type: Call, url: \"https://a\", tries: 0} | spec.action.tries",
        "BASE, action: {type: Call, url: \"http://a\"}      | the server needs TLS",
        "BASE, source: {Disk: {path: a}}                    | spec.source.Disk.path",
        "BASE, source: {Git: {}}                            | spec.source.Git.url",
      })
  void object_thatBreaksARule_isRefused(String spec, String error) {
    assertThatThrownBy(() -> create(spec.replace("BASE", BASE)))
        .isInstanceOf(ApiStatusException.class)
        .hasMessageContaining("is invalid")
        .hasMessageContaining(error.replace("\"", ""));
  }

  /** The embedded server knows neither formats nor oneOf. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "BASE, address: nowhere                             | spec.address",
        "BASE, when: yesterday                              | spec.when",
        "BASE, exactly: soon                                | spec.exactly",
        "BASE, data: \"*\"                                  | spec.data",
        "BASE, action: {type: Log, url: \"https://a\"}      | spec.action",
        "BASE, source: {}                                   | spec.source",
        "BASE, source: {Git: {url: a}, Disk: {path: /a}}    | spec.source",
      })
  void object_ofAWrongFormatOrChoice_isRefused(String spec, String error) {
    assumeTrue(server() instanceof KubeApiServer, "only the real server checks these");

    object_thatBreaksARule_isRefused(spec, error);
  }

  @Test
  void validObject_isKeptWithDefaults_andDatabindReadsIt() throws Exception {
    String spec =
        BASE
            + ", ratio: 0.5, price: 1.25, maybe: null, address: 10.0.0.1, code: ab, size: S, users:"
            + " [a, b], tags: [a, b], pairs: [{left: 1, right: 2}, {left: 2, right: 1}], parts:"
            + " [{name: a}, {name: b, note: c}], limits: {a: 9}, byColor: {dark blue: [x]}, settings:"
            + " {a: {b: [1]}}, anything: [1], template: {apiVersion: v1, kind: Pod, spec: {}}, when:"
            + " 2026-01-31T12:00:00Z, exactly: \"2026-01-31T12:00:00.000001Z\", howLong: PT5M, data:"
            + " aGVsbG8=, memory: 1.5Gi, port: http, action: {type: Call, url: \"https://a\"}, source:"
            + " {Git: {url: a}}, class: c";

    Unstructured created = create(spec);

    Map<String, Object> expected =
        new TreeMap<>(
            Unstructured.parseYaml("spec: {" + spec + "}").get(0).nestedMap("spec").orElseThrow());
    expected.put("enabled", true);
    expected.put("source", Map.of("Git", Map.of("url", "a", "branch", "main")));
    assertThat(created.nestedMap("spec").orElseThrow()).isEqualTo(expected);
    Gadget gadget = created.to(DatabindCodec.of(Gadget.class));
    assertThat(gadget.spec().color()).isEqualTo(Gadget.Color.RED);
    assertThat(gadget.spec().byColor()).containsKey(Gadget.Color.BLUE);
    assertThat(gadget.spec().action()).isEqualTo(new Gadget.Call("https://a", null));
    assertThat(gadget.spec().source()).isEqualTo(new Gadget.Git("a", "main"));
    assertThat(gadget.spec().enabled()).isTrue();
    assertThat(gadget.spec().memory()).isEqualTo(Quantity.parse("1536Mi"));
  }

  @Test
  void unknownField_isPruned() throws Exception {
    Unstructured created = create(BASE + ", unknown: 1, parts: [{name: a, other: 2}]");

    assertThat(created.toJson()).doesNotContain("unknown", "other");
  }

  @Test
  void selectableField_selects() throws Exception {
    create(BASE);

    assertThat(
            gadgets.list(ListOptions.builder().fieldSelector("spec.color=GREEN").build()).items())
        .isEmpty();
  }

  @Test
  void typedClient_statusAndScale_areSubresources() throws Exception {
    ResourceClient<Website> websites = client().resource(Website.TYPE).inNamespace("default");
    websites.deleteIfExists("site");
    Website site =
        new Website(
            "web.example.com/v1",
            "Website",
            ObjectMeta.of(m -> m.name("site").namespace("default")),
            new Website.Spec(Map.of("index.html", "hello"), 2, null, "nginx"),
            new Website.Status(null, 7, null, null));

    Website created = websites.create(site);
    Website scaled =
        websites.updateStatus(
            new Website(
                created.apiVersion(),
                created.kind(),
                created.metadata(),
                created.spec(),
                new Website.Status(1L, 2, null, List.of())));

    assertThat(created.status()).isNull();
    assertThat(scaled.status().readyReplicas()).isEqualTo(2);
    assertThat(websites.scale().get("site").spec().replicas()).isEqualTo(2);
    assertThat(websites.scale().get("site").status().replicas()).isEqualTo(2);
  }
}
