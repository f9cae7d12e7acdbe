package dev.clientgo.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.kubectl.ObjectResult.Outcome;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RequestInterceptor;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What {@link Apply} and {@link Delete} do with a server. */
abstract class ApplyContract {

  abstract RESTClient client();

  private ResourceClient<ConfigMap> configMaps(String namespace) {
    return client().resource(ConfigMap.TYPE).inNamespace(namespace);
  }

  private Apply apply(String namespace) {
    return Apply.with(client(), "tester").inNamespace(namespace);
  }

  private void createNamespace(String name) throws InterruptedException {
    apply("default").run(Manifests.parse(namespace(name))).orThrow();
  }

  private static String namespace(String name) {
    return "{apiVersion: v1, kind: Namespace, metadata: {name: " + name + "}}\n";
  }

  private static String configMap(String name, String value) {
    return """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: %s
          labels: {set: one}
        data: {value: "%s"}
        ---
        """
        .formatted(name, value);
  }

  private static List<Outcome> outcomes(ApplyReport report) {
    return report.results().stream().map(ObjectResult::outcome).toList();
  }

  @Test
  void run_ofAnObject_createsThenLeavesThenConfiguresIt() throws InterruptedException {
    createNamespace("thrice");

    ApplyReport first = apply("thrice").run(Manifests.parse(configMap("a", "1")));
    ApplyReport second = apply("thrice").run(Manifests.parse(configMap("a", "1")));
    ApplyReport third = apply("thrice").run(Manifests.parse(configMap("a", "2")));

    assertThat(first).hasToString("configmap/a created");
    assertThat(second).hasToString("configmap/a unchanged");
    assertThat(third).hasToString("configmap/a configured");
    assertThat(configMaps("thrice").get("a").data()).isEqualTo(Map.of("value", "2"));
  }

  @Test
  void run_ofTypedObjects_appliesThem() throws InterruptedException {
    ConfigMap typed = ConfigMap.of("default", "typed", c -> c.data(Map.of("a", "b")));

    apply("default").run(Manifests.of(ConfigMap.TYPE, List.of(typed))).orThrow();

    assertThat(configMaps("default").get("typed").data()).isEqualTo(Map.of("a", "b"));
  }

  @Test
  void run_ofANamespaceAndACrd_appliesThemFirst() throws InterruptedException {
    Manifests manifests =
        Manifests.parse(
            """
            apiVersion: ordered.example.com/v1
            kind: Widget
            metadata: {name: w, namespace: ordered}
            spec: {size: 3}
            ---
            apiVersion: v1
            kind: List
            items:
            - {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: ordered}}
            - {apiVersion: v1, kind: Namespace, metadata: {name: ordered, namespace: ignored}}
            ---
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.ordered.example.com}
            spec:
              group: ordered.example.com
              names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
              scope: Namespaced
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties: {spec: {type: object, properties: {size: {type: integer}}}}
            """);

    ApplyReport report = apply("default").run(manifests).orThrow();

    assertThat(report.results())
        .extracting(ObjectResult::toString)
        .containsExactly(
            "namespace/ordered created",
            "customresourcedefinition.apiextensions.k8s.io/widgets.ordered.example.com created",
            "widget.ordered.example.com/w created",
            "configmap/c created");
  }

  @Test
  void run_withBadObjects_appliesTheOthersAndTellsOfEach() throws InterruptedException {
    Manifests manifests =
        Manifests.parse(
            "{apiVersion: example.com/v1, kind: Unknown, metadata: {name: u}}\n---\n"
                + "{apiVersion: v1, kind: ConfigMap, metadata: {name: Not Valid}}\n---\n"
                + configMap("fine", "1"));

    ApplyReport report = apply("default").run(manifests);

    assertThat(outcomes(report)).containsExactly(Outcome.FAILED, Outcome.FAILED, Outcome.CREATED);
    assertThatThrownBy(report::orThrow)
        .isInstanceOf(ApplyReport.ManifestsException.class)
        .hasMessageContaining("2 of 3 objects failed")
        .hasMessageContaining("YAML, line 1, column 1 (document 1): the server does not know")
        .hasMessageContaining("configmap/Not Valid failed: ");
  }

  @Test
  void run_ofAFieldOfAnother_tellsManagerAndField() throws InterruptedException {
    ConfigMap theirs = ConfigMap.of("default", "contested", c -> c.data(Map.of("value", "0")));
    configMaps("default").apply(theirs, ApplyOptions.of("rival"));
    Manifests manifests = Manifests.parse(configMap("contested", "1"));

    ObjectResult refused = apply("default").run(manifests).results().get(0);
    ApplyReport forced = apply("default").force().run(manifests);

    assertThat(refused.conflicts())
        .containsExactly(new ObjectResult.Conflict("rival", ".data.value"));
    assertThat(refused)
        .hasToString(
            "configmap/contested failed: [.data.value belongs to rival]: leave the fields out, or"
                + " apply with force()");
    assertThat(outcomes(forced)).containsExactly(Outcome.CONFIGURED);
  }

  @Test
  void dryRun_storesNothing() throws InterruptedException {
    apply("default").run(Manifests.parse(configMap("present", "1"))).orThrow();

    ApplyReport report =
        apply("default")
            .dryRun()
            .run(Manifests.parse(configMap("absent", "1") + configMap("present", "2")));
    ApplyReport same = apply("default").dryRun().run(Manifests.parse(configMap("present", "1")));

    assertThat(outcomes(report)).containsExactly(Outcome.CREATED, Outcome.CONFIGURED);
    assertThat(outcomes(same)).containsExactly(Outcome.UNCHANGED);
    assertThat(configMaps("default").get("present").data()).isEqualTo(Map.of("value", "1"));
    assertThat(configMaps("default").list(ListOptions.NONE).items())
        .extracting(map -> map.metadata().name())
        .doesNotContain("absent");
  }

  @Test
  void prune_deletesWhatItAppliedAndNothingElse() throws InterruptedException {
    createNamespace("pruned");
    apply("pruned").run(Manifests.parse(configMap("kept", "1") + configMap("gone", "1"))).orThrow();
    configMaps("pruned")
        .create(
            ConfigMap.of(
                "pruned", "by-hand", c -> c.editMetadata(m -> m.labels(Map.of("set", "one")))));
    configMaps("pruned")
        .apply(
            ConfigMap.of(
                "pruned", "other-set", c -> c.editMetadata(m -> m.labels(Map.of("set", "two")))),
            ApplyOptions.of("tester"));

    ApplyReport tried =
        apply("pruned")
            .prune(Selector.parse("set=one"))
            .dryRun()
            .run(Manifests.parse(configMap("kept", "1")));
    ApplyReport report =
        apply("pruned")
            .prune(Selector.parse("set=one"))
            .run(Manifests.parse(configMap("kept", "1")));

    assertThat(tried).hasToString("configmap/kept unchanged\nconfigmap/gone pruned");
    assertThat(report).hasToString("configmap/kept unchanged\nconfigmap/gone pruned");
    assertThat(configMaps("pruned").list(ListOptions.NONE).items())
        .extracting(map -> map.metadata().name())
        .contains("kept", "by-hand", "other-set")
        .doesNotContain("gone");
  }

  @Test
  void prune_ofAnUnknownKind_failsAndKeepsTheOtherResults() throws InterruptedException {
    ApplyReport report =
        apply("default")
            .prune(
                Selector.parse("set=unknown"), new GroupVersionKind("example.com", "v1", "Nothing"))
            .run(Manifests.parse(configMap("beside", "1")));

    assertThat(outcomes(report)).containsExactly(Outcome.CREATED, Outcome.FAILED);
    assertThat(report.failures().get(0).toString()).startsWith("prune Nothing failed: ");
  }

  @Test
  void prune_afterAFailure_deletesNothing() throws InterruptedException {
    createNamespace("unpruned");
    apply("unpruned").run(Manifests.parse(configMap("stays", "1"))).orThrow();

    ApplyReport report =
        apply("unpruned")
            .prune(Selector.parse("set=one"))
            .run(Manifests.parse(configMap("Bad Name", "1") + configMap("fine", "1")));

    assertThat(outcomes(report)).containsExactly(Outcome.FAILED, Outcome.CREATED);
    assertThat(configMaps("unpruned").get("stays").data()).isNotEmpty();
  }

  @Test
  void awaitReady_ofADeploymentThatNobodyRollsOut_fails() throws InterruptedException {
    Manifests manifests = Manifests.parse(RolloutContract.deployment("never-ready"));

    ApplyReport report = apply("default").awaitReady(Duration.ofSeconds(1)).run(manifests);

    assertThat(outcomes(report)).containsExactly(Outcome.FAILED);
    assertThat(report.failures().get(0).toString())
        .contains("not ready after ")
        .contains("Waiting for deployment spec update to be observed...");
  }

  /** Another program writes after the apply has read the object. */
  @Test
  void run_besideAnotherWriter_tellsWhatItHasChangedItself() throws InterruptedException {
    apply("default").run(Manifests.parse(configMap("shared", "1"))).orThrow();
    AtomicInteger writes = new AtomicInteger();
    RequestInterceptor rival =
        (request, next) -> {
          if (request.method().equals("PATCH")) {
            String write = "{\"metadata\":{\"annotations\":{\"n\":\"%d\"}}}";
            configMaps("default")
                .patch("shared", Patch.merge(write.formatted(writes.incrementAndGet())));
          }
          return next.send(request);
        };

    try (RESTClient client = RESTClient.builder(client().config()).addInterceptor(rival).build()) {
      Apply apply = Apply.with(client, "tester").inNamespace("default");
      assertThat(apply.run(Manifests.parse(configMap("shared", "1"))))
          .hasToString("configmap/shared unchanged");
      assertThat(apply.run(Manifests.parse(configMap("shared", "2"))))
          .hasToString("configmap/shared configured");
    }
    assertThat(writes).hasValue(2);
  }

  @Test
  void delete_deletesTheLastFirst_andLeavesWhatIsNotThere() throws InterruptedException {
    Manifests manifests = Manifests.parse(configMap("d1", "1") + configMap("d2", "1"));
    apply("default").run(manifests).orThrow();
    Manifests more = manifests.and(Manifests.parse(configMap("d3", "1")));

    ApplyReport report =
        Delete.with(client()).awaitGone(Duration.ofSeconds(30)).run(more).orThrow();

    assertThat(report)
        .hasToString("configmap/d3 absent\nconfigmap/d2 deleted\nconfigmap/d1 deleted");
    GroupVersionResource configMaps = new GroupVersionResource("", "v1", "configmaps");
    assertThat(client().dynamic(configMaps).list(ListOptions.NONE).items())
        .extracting((Unstructured map) -> map.metadata().name())
        .doesNotContain("d1", "d2");
  }

  /** Discovery does not know the group: the object was called absent. */
  @Test
  void delete_whileDiscoveryFails_isNoSuccess() throws InterruptedException {
    Manifests manifests = Manifests.parse(RolloutContract.deployment("hidden"));
    apply("default").run(manifests).orThrow();
    RequestInterceptor failing =
        (request, next) ->
            switch (request.url().getPath()) {
              case "/api", "/apis" -> next.send(request.withHeader("Accept", "application/json"));
              case "/apis/apps/v1" -> throw ApiStatusException.serviceUnavailable("starting");
              default -> next.send(request);
            };

    try (RESTClient client =
        RESTClient.builder(client().config()).addInterceptor(failing).build()) {
      assertThat(Delete.with(client).run(manifests).results())
          .singleElement()
          .satisfies(result -> assertThat(result.toString()).contains("failed: ", "starting"));
    }
    assertThat(Delete.with(client()).run(manifests)).hasToString("deployment.apps/hidden deleted");
  }

  @Test
  void awaitReady_withoutABound_keepsTheResults() throws InterruptedException {
    ApplyReport report =
        apply("default")
            .awaitReady(ChronoUnit.FOREVER.getDuration())
            .run(Manifests.parse(configMap("bound", "1")));

    assertThat(outcomes(report)).containsExactly(Outcome.CREATED);
  }
}
