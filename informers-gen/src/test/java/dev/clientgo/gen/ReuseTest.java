package dev.clientgo.gen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.gen.internal.document.Documents;
import dev.clientgo.gen.internal.model.CoreTypes;
import dev.clientgo.gen.internal.schema.Catalog;
import dev.clientgo.gen.internal.schema.DefinitionReader;
import dev.clientgo.gen.internal.schema.Resource;
import dev.clientgo.gen.report.Report;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Structures that have a class already get no second one. */
final class ReuseTest {

  private static final Path WIDGET = Path.of("src/test/resources/reuse.yaml");

  private static Generator.Builder widget() {
    return Generator.builder("com.example.api").input(WIDGET);
  }

  private static List<Resource> resources() {
    Documents documents = new Documents(problem -> {});
    documents.read(WIDGET);
    Report.Builder report = new Report.Builder();
    Catalog catalog = new Catalog(report);
    new DefinitionReader(catalog, report).addAll(documents.roots());
    return catalog.resources();
  }

  @Test
  void generate_copiesOfMachinery_areReused() {
    Generation generation = widget().build().generate();

    assertThat(generation.report().reused().keySet())
        .containsExactlyInAnyOrder(
            "dev.clientgo.apimachinery.meta.Condition",
            "dev.clientgo.apimachinery.meta.LabelSelector");
    RoundTrips.check(generation, resources());
  }

  @Test
  void generate_copiesOfKubernetes_areReusedFromItsModule() {
    Generation generation = widget().reuseKubernetes(true).build().generate();

    assertThat(generation.report().reused().keySet())
        .containsExactlyInAnyOrder(
            "dev.clientgo.apimachinery.meta.Condition",
            "dev.clientgo.apimachinery.meta.LabelSelector",
            "dev.clientgo.kubernetes.core.v1.ConfigMapKeySelector",
            "dev.clientgo.kubernetes.core.v1.ObjectReference",
            "dev.clientgo.kubernetes.core.v1.ResourceRequirements",
            "dev.clientgo.kubernetes.core.v1.SecretKeySelector",
            "dev.clientgo.kubernetes.core.v1.Toleration");
    assertThat(classes(generation)).contains("record Other", "record Pair", "record Almost");
  }

  @Test
  void generate_nameOfATypeOfKubernetesWithoutASchema_isItsClass() {
    String schema =
        """
        {"schema": "clientgo.dev/schema/v1", "source": "v1.2.3", "resources": [
          {"group": "shop.example.io", "version": "v1", "kind": "Crane", "plural": "cranes", "singular": "crane",
           "namespaced": true, "verbs": ["get"], "type": "io.k8s.api.shop.v1.Crane"}],
         "otherKinds": [], "types": {"io.k8s.api.shop.v1.Crane": {"type": "object", "properties": {
          "metadata": {"$ref": "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"},
          "nodes": {"$ref": "io.k8s.api.core.v1.NodeSelector"}}}}}
        """;
    Generator.Builder builder = Generator.builder("com.example.api").text("crane", schema);

    Generation alone = builder.build().generate();
    assertThat(alone.report().fallbacks()).hasSize(1);
    Generation beside = builder.reuseKubernetes(true).build().generate();

    assertThat(beside.report().fallbacks()).isEmpty();
    assertThat(beside.files().get("com/example/api/shop/v1/Crane.java"))
        .contains("import dev.clientgo.kubernetes.core.v1.NodeSelector;", "editNodes(");
  }

  @Test
  void coreTypes_allHaveAClassInKubernetes() {
    Set<String> files =
        Generator.builder("dev.clientgo.kubernetes")
            .kubernetes()
            .build()
            .generate()
            .files()
            .keySet();

    assertThat(CoreTypes.kubernetes().classNames())
        .hasSizeGreaterThan(300)
        .filteredOn(name -> name.startsWith("dev.clientgo.kubernetes."))
        .allSatisfy(name -> assertThat(files).contains(name.replace('.', '/') + ".java"));
  }

  @Test
  void generate_podAndOwnCrdAlone_givesJustTheirTypes() {
    Generation generation = widget().kubernetes().only("Pod").only("Widget").build().generate();

    assertThat(generation.report().generated())
        .extracting(Report.Generated::kind)
        .containsExactlyInAnyOrder("Pod", "Widget");
    assertThat(generation.files().keySet())
        .contains(
            "com/example/api/core/v1/Toleration.java",
            "com/example/api/example/reuse/v1/Widget.java")
        .noneMatch(file -> file.contains("/apps/") || file.contains("Node.java"));
    assertThat(generation.report().reused().keySet())
        .contains("com.example.api.core.v1.ResourceRequirements");
    RoundTrips.check(generation, resources());
  }

  @Test
  void only_ofNothing_isAProblem() {
    Generation generation = widget().only("Gadget").build().generate();

    assertThat(generation.report().problems())
        .extracting(Report.Problem::text)
        .containsExactly("there is no resource \"Gadget\"");
  }

  @Test
  void mapClass_ofAField_isUsedAndNotGenerated() {
    Generation generation =
        widget()
            .mapClass("Widget.spec.price", Money.class.getCanonicalName())
            .mapClass("Widget.spec.prices[]", Money.class.getCanonicalName())
            .build()
            .generate();

    assertThat(generation.report().problems()).isEmpty();
    assertThat(classes(generation)).contains("Money price").contains("List<Money> prices");
    assertThat(classes(generation)).doesNotContain("record Price");
    RoundTrips.check(generation, resources());
  }

  @Test
  void mapClass_ofNoField_isAProblem() {
    Generation generation =
        widget().mapClass("Widget.spec.cost", "com.example.Money").build().generate();

    assertThat(generation.report().problems())
        .extracting(Report.Problem::text)
        .containsExactly("there is no Widget.spec.cost for the class mapped to it");
  }

  @Test
  void without_all_leavesTheTypes() {
    Generator.Builder builder = widget();
    for (Generator.Artifact artifact : Generator.Artifact.values()) {
      builder.without(artifact);
    }

    Generation generation = builder.build().generate();

    assertThat(generation.files().keySet())
        .containsExactly(
            "com/example/api/example/reuse/v1/Widget.java",
            "com/example/api/example/reuse/v1/package-info.java");
    Compiled.of(generation);
  }

  private static String classes(Generation generation) {
    Map<String, String> files = generation.files();
    return files.get("com/example/api/example/reuse/v1/Widget.java");
  }
}
