package dev.clientgo.kubernetes;

import static dev.clientgo.kubernetes.Checks.FOOS;
import static dev.clientgo.kubernetes.Checks.NAMESPACE;
import static dev.clientgo.kubernetes.Checks.names;
import static dev.clientgo.kubernetes.Checks.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.table.Table;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.CauseType;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.kubernetes.apiextensions.v1.CustomResourceDefinition;
import dev.clientgo.kubernetes.apiextensions.v1.CustomResourceDefinitionCondition;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.Scale;
import dev.clientgo.rest.discovery.APIResource;
import dev.clientgo.rest.discovery.DiscoveryClient;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A kind that the server did not know at first. */
final class CustomResourceChecks {

  private static final String NAME = "foos.samplecontroller.example.com";

  private CustomResourceChecks() {}

  static void addTo(Map<String, Checks.Check> all) {
    all.put("crd-create", CustomResourceChecks::define);
    all.put("crd-established", CustomResourceChecks::established);
    all.put("crd-resources", CustomResourceChecks::resources);
    all.put("cr-create", CustomResourceChecks::create);
    all.put("cr-invalid-422", CustomResourceChecks::invalid);
    all.put("cr-list", CustomResourceChecks::list);
    all.put("cr-table", CustomResourceChecks::table);
    all.put("cr-watch", CustomResourceChecks::watch);
    all.put("cr-scale-get", CustomResourceChecks::scale);
    all.put("cr-status-patch", CustomResourceChecks::statusPatch);
    all.put("cr-strategic-patch-unsupported-415", CustomResourceChecks::strategicPatch);
  }

  private static ResourceClient<Unstructured> foos(Replay it) {
    return it.client().dynamic(FOOS).inNamespace(NAMESPACE);
  }

  private static ResourceClient<CustomResourceDefinition> definitions(Replay it) {
    return it.clients().apiextensions().v1().customResourceDefinitions();
  }

  private static void define(Replay it) throws InterruptedException {
    CustomResourceDefinition wanted =
        CustomResourceDefinition.CODEC.read(
            JsonReader.of(it.exchange().question().body().toByteArray()));

    CustomResourceDefinition created = definitions(it).create(wanted);

    assertThat(created.metadata().name()).isEqualTo(NAME);
    assertThat(created.spec().names().listKind()).isEqualTo("FooList");
    assertThat(created.spec().versions().get(0).schema().openAPIV3Schema().properties())
        .containsOnlyKeys("spec", "status");
  }

  private static void established(Replay it) throws InterruptedException {
    CustomResourceDefinition definition = definitions(it).get(NAME);

    assertThat(definition.status().conditions())
        .extracting(
            CustomResourceDefinitionCondition::type, CustomResourceDefinitionCondition::status)
        .contains(tuple("NamesAccepted", "True"), tuple("Established", "True"));
    assertThat(definition.status().acceptedNames().shortNames()).containsExactly("fo");
  }

  private static void resources(Replay it) throws InterruptedException {
    List<APIResource> resources =
        DiscoveryClient.of(it.client()).serverResourcesForGroupVersion(FOOS.groupVersion());

    assertThat(resources)
        .extracting(APIResource::name, each -> each.groupVersionKind(FOOS.groupVersion()).kind())
        .containsExactlyInAnyOrder(
            tuple("foos", "Foo"), tuple("foos/status", "Foo"), tuple("foos/scale", "Scale"));
  }

  private static Unstructured foo(String name, Map<String, Object> spec) {
    return Unstructured.of(
        Map.of(
            "apiVersion",
            FOOS.groupVersion().toString(),
            "kind",
            "Foo",
            "metadata",
            Map.of("name", name),
            "spec",
            spec));
  }

  private static void create(Replay it) throws InterruptedException {
    List<Object> any = Arrays.asList(1L, "x", null, Map.of("deep", true));
    Unstructured foo =
        foo(
            "example",
            Map.of("deploymentName", "example", "port", 8080L, "extra", Map.of("any", any)));

    Unstructured created = foos(it).create(foo);

    assertThat(created.nestedList("spec", "extra", "any")).contains(any);
    assertThat(created.nestedLong("spec", "replicas")).contains(1L);
    assertThat(created.metadata().generation()).isEqualTo(1L);
  }

  private static void invalid(Replay it) {
    Unstructured foo = foo("bad", Map.of("replicas", 0L));

    ApiStatusException error = refused(422, StatusReason.INVALID, () -> foos(it).create(foo));

    assertThat(error.isInvalid()).isTrue();
    assertThat(error.status().details().name()).isEqualTo("bad");
    assertThat(error.status().details().causes())
        .extracting(StatusCause::field, StatusCause::reason)
        .containsExactlyInAnyOrder(
            tuple("spec.replicas", CauseType.FIELD_VALUE_INVALID),
            tuple("spec.deploymentName", CauseType.FIELD_VALUE_REQUIRED));
  }

  private static void list(Replay it) throws InterruptedException {
    List<Unstructured> foos = foos(it).list(ListOptions.NONE).items();

    assertThat(names(foos)).containsExactly("example");
    assertThat(foos.get(0).kind()).isEqualTo("Foo");
    assertThat(foos.get(0).nestedLong("status", "availableReplicas")).contains(1L);
  }

  private static void table(Replay it) throws InterruptedException {
    Table table = it.client().table(FOOS).inNamespace(NAMESPACE).list(ListOptions.NONE);

    assertThat(table.columnDefinitions())
        .extracting(Table.ColumnDefinition::name)
        .containsExactly("Name", "Replicas");
    assertThat(table.rows().get(0).cells()).containsExactly("example", 1L);
  }

  private static void watch(Replay it) throws InterruptedException {
    List<WatchEvent<Unstructured>> events =
        Checks.events(foos(it).watch(ListOptions.builder().resourceVersion("0").build()));

    assertThat(events)
        .singleElement()
        .isInstanceOfSatisfying(
            WatchEvent.Added.class,
            added ->
                assertThat(((Unstructured) added.value()).metadata().name()).isEqualTo("example"));
  }

  /** There is no selector, as the definition names none. */
  private static void scale(Replay it) throws InterruptedException {
    Scale scale = foos(it).scale().get("example");

    assertThat(scale.replicas()).isEqualTo(1);
    assertThat(scale.status()).isEqualTo(new Scale.Status(0, null));
  }

  private static void statusPatch(Replay it) throws InterruptedException {
    Unstructured patched =
        foos(it)
            .status()
            .patch("example", Patch.merge(Map.of("status", Map.of("availableReplicas", 1))));

    assertThat(patched.nestedLong("status", "availableReplicas")).contains(1L);
    assertThat(patched.metadata().managedFields())
        .extracting(entry -> entry.subresource())
        .containsExactly(null, "status");
  }

  private static void strategicPatch(Replay it) {
    ApiStatusException error =
        refused(
            415,
            StatusReason.UNSUPPORTED_MEDIA_TYPE,
            () -> foos(it).patch("example", Patch.strategicMerge(Map.of())));

    assertThat(error.isUnsupportedMediaType()).isTrue();
    assertThat(error).hasMessageContaining("application/merge-patch+json");
  }
}
