package dev.clientgo.apimachinery.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of kinds and resources: parsing, printing, and the choice of a kind. */
final class SchemaTest {

  private static final List<GroupVersion> VERSIONS =
      List.of(
          new GroupVersion("batch", "v1"),
          new GroupVersion("batch", "v2alpha1"),
          new GroupVersion("policy", "v1beta1"));

  /** Upstream: TestParseGroupVersion of runtime/schema. */
  @ParameterizedTest
  @CsvSource({
    "'', '', ''",
    "/, '', ''",
    "v1, '', v1",
    "/v1, '', v1",
    "v1/, v1, ''",
    "v1/a, v1, a",
    "batch/v1, batch, v1",
    "'a,b', '', 'a,b'"
  })
  void groupVersion_parse_splitsAtTheSlash(String text, String group, String version) {
    assertThat(GroupVersion.parse(text)).isEqualTo(new GroupVersion(group, version));
  }

  /** Upstream: TestParseGroupVersion of runtime/schema. */
  @ParameterizedTest
  @ValueSource(strings = {"/v1/", "a/b/c", "//"})
  void groupVersion_parse_ofTwoSlashes_fails(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GroupVersion.parse(text))
        .withMessage("unexpected GroupVersion string: " + text);
  }

  /** Upstream: TestGroupVersionMarshalJSON and TestGroupVersionUnmarshalJSON of runtime/schema. */
  @Test
  void toString_isTheFormOfUpstream() {
    assertThat(new GroupVersion("", "")).hasToString("");
    assertThat(new GroupVersion("", "v1")).hasToString("v1");
    assertThat(new GroupVersion("apps", "v1")).hasToString("apps/v1");
    assertThat(new GroupVersionKind("", "v1", "Pod")).hasToString("/v1, Kind=Pod");
    assertThat(new GroupVersionKind("apps", "v1", "Deployment"))
        .hasToString("apps/v1, Kind=Deployment");
    assertThat(new GroupVersionResource("", "v1", "pods")).hasToString("/v1, Resource=pods");
    assertThat(new GroupKind("apps", "Deployment")).hasToString("Deployment.apps");
    assertThat(new GroupKind("", "Pod")).hasToString("Pod");
    assertThat(new GroupResource("apps", "deployments")).hasToString("deployments.apps");
    assertThat(new GroupResource("", "pods")).hasToString("pods");
  }

  /** Upstream: TestParseResourceArg and TestParseGroupResource of runtime/schema. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "a, none, a",
        "a.b, none, a.b",
        "a.b.c, 'c/b, Resource=a', a.b.c",
        "a.b.c.d, 'c.d/b, Resource=a', a.b.c.d",
        "a..c, 'c/, Resource=a', a..c"
      })
  void resourceArg_ofTwoDots_hasTwoReadings(String arg, String full, String partial) {
    assertThat(GroupVersionResource.parseResourceArg(arg).map(Object::toString).orElse(null))
        .isEqualTo(full);
    assertThat(GroupResource.parse(arg)).hasToString(partial);
    assertThat(GroupResource.parse(arg).resource()).isEqualTo("a");
  }

  /** Upstream: TestParseKindArg of runtime/schema. */
  @Test
  void kindArg_ofTwoDots_hasTwoReadings() {
    assertThat(GroupVersionKind.parseKindArg("Kind.v1.example.com"))
        .contains(new GroupVersionKind("example.com", "v1", "Kind"));
    assertThat(GroupKind.parse("Kind.v1.example.com"))
        .isEqualTo(new GroupKind("v1.example.com", "Kind"));
    assertThat(GroupVersionKind.parseKindArg("Kind.apps")).isEmpty();
    assertThat(GroupKind.parse("Kind.apps")).isEqualTo(new GroupKind("apps", "Kind"));
    assertThat(GroupKind.parse("Kind")).isEqualTo(new GroupKind("", "Kind"));
  }

  @Test
  void fromApiVersionAndKind_ofABadVersion_hasTheKindAlone() {
    assertThat(GroupVersionKind.fromApiVersionAndKind("a/b/c", "Kind"))
        .isEqualTo(new GroupVersionKind("", "", "Kind"));
    assertThat(GroupVersionKind.fromApiVersionAndKind("apps/v1", "Deployment").apiVersion())
        .isEqualTo("apps/v1");
    assertThat(new GroupVersionKind("", "", "").apiVersion()).isEmpty();
    assertThat(new GroupVersionKind("", "", "").isEmpty()).isTrue();
  }

  /** Upstream: TestKindForGroupVersionKinds of runtime/schema. */
  @Test
  void kindFor_ofSeveralVersions_prefersAnExactMatch() {
    GroupVersionKind scheduled = new GroupVersionKind("batch", "v2alpha1", "ScheduledJob");
    GroupVersionKind cron = new GroupVersionKind("batch", "v3alpha1", "CronJob");
    GroupVersionKind budget = new GroupVersionKind("policy", "v1beta1", "PodDisruptionBudget");
    GroupVersionKind stranger = new GroupVersionKind("apps", "v1alpha1", "PetSet");

    assertThat(GroupVersion.kindFor(VERSIONS, List.of(scheduled))).contains(scheduled);
    assertThat(GroupVersion.kindFor(VERSIONS, List.of(cron)))
        .contains(new GroupVersionKind("batch", "v1", "CronJob"));
    assertThat(GroupVersion.kindFor(VERSIONS, List.of(budget))).contains(budget);
    assertThat(GroupVersion.kindFor(VERSIONS, List.of(stranger))).isEmpty();
    assertThat(GroupVersion.kindFor(List.of(), List.of(cron))).isEmpty();
  }

  /** Upstream: TestKindForGroupVersionKinds of runtime/schema, for one version. */
  @Test
  void kindFor_ofOneVersion_isExactOrOfTheGroup() {
    GroupVersion v1 = new GroupVersion("batch", "v1");
    GroupVersionKind old = new GroupVersionKind("batch", "v0", "Job");
    GroupVersionKind exact = new GroupVersionKind("batch", "v1", "Job");

    assertThat(v1.kindFor(List.of(old, exact))).contains(exact);
    assertThat(v1.kindFor(List.of(old))).contains(exact);
    assertThat(v1.kindFor(List.of(new GroupVersionKind("apps", "v1", "Job")))).isEmpty();
  }

  @Test
  void anyName_survivesATrip() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 1000; i++) {
      GroupVersion version = new GroupVersion(word(random), word(random));
      GroupVersionKind kind =
          new GroupVersionKind("g" + word(random), "v" + word(random), "K" + word(random));

      // A group alone looks like "g/" and a version alone like "v": both are read as written.
      assertThat(GroupVersion.parse(version.toString())).as("seed %d", seed).isEqualTo(version);
      assertThat(GroupVersionKind.fromApiVersionAndKind(kind.apiVersion(), kind.kind()))
          .as("seed %d", seed)
          .isEqualTo(kind);
      assertThat(
              GroupVersionKind.parseKindArg(
                  kind.kind() + "." + kind.version() + "." + kind.group()))
          .as("seed %d", seed)
          .contains(kind);
      assertThat(GroupResource.parse(kind.version() + "." + kind.group()))
          .hasToString(kind.version() + "." + kind.group());
    }
  }

  private static String word(Random random) {
    return "ab1-".repeat(2).substring(0, random.nextInt(8));
  }
}
