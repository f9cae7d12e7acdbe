package dev.clientgo.apimachinery.restmapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.AmbiguousMatchException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.restmapper.RESTMapping.Scope;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases of apimachinery's restmapper_test.go. */
final class DefaultRESTMapperTest {

  /** Groups by name, all at version v, each with my-kind and your-kind. */
  private static RESTMapper mapper(String... groups) {
    GroupVersion[] versions =
        Arrays.stream(groups)
            .map(group -> new GroupVersion(group, "v"))
            .toArray(GroupVersion[]::new);
    DefaultRESTMapper.Builder builder = DefaultRESTMapper.builder(versions);
    // Registered the other way round: the order of the result is that of preference.
    for (int i = versions.length - 1; i >= 0; i--) {
      builder.add(versions[i].withKind("my-kind"), Scope.NAMESPACE);
      builder.add(versions[i].withKind("your-kind"), Scope.NAMESPACE);
    }
    return builder.build();
  }

  /** TestRESTMapperKindsFor and TestRESTMapperResourcesFor. */
  @ParameterizedTest
  @MethodSource("partialMatches")
  void kindsFor_partialResource_findsInOrderOfPreference(
      List<String> groups, String group, String version, List<String> expectedGroups) {
    RESTMapper mapper = mapper(groups.toArray(String[]::new));
    List<GroupVersionKind> kinds =
        expectedGroups.stream().map(name -> new GroupVersionKind(name, "v", "my-kind")).toList();

    for (String name : List.of("my-kind", "my-kinds", "MY-KINDS")) {
      GroupVersionResource partial = new GroupVersionResource(group, version, name);

      assertThat(mapper.kindsFor(partial)).isEqualTo(kinds);
      assertThat(mapper.resourcesFor(partial))
          .isEqualTo(
              kinds.stream().map(kind -> kind.groupVersion().withResource("my-kinds")).toList());
      if (kinds.size() == 1) {
        assertThat(mapper.kindFor(partial)).isEqualTo(kinds.get(0));
        assertThat(mapper.resourceFor(partial).resource()).isEqualTo("my-kinds");
      } else {
        assertThatThrownBy(() -> mapper.kindFor(partial))
            .isInstanceOf(AmbiguousMatchException.class)
            .hasMessageContaining(" matches multiple kinds ");
        assertThatThrownBy(() -> mapper.resourceFor(partial))
            .isInstanceOf(AmbiguousMatchException.class)
            .hasMessageContaining(" matches multiple resources ");
      }
    }
  }

  static Stream<Arguments> partialMatches() {
    return Stream.of(
        argumentSet(
            "groups, with group exact", List.of("first-1", "first"), "first", "", List.of("first")),
        argumentSet(
            "groups, with group prefix", List.of("second", "first"), "fir", "", List.of("first")),
        argumentSet(
            "groups, with ambiguous group prefix",
            List.of("first-1", "first"),
            "fir",
            "",
            List.of("first-1", "first")),
        argumentSet(
            "ambiguous groups, with preference order",
            List.of("second", "first"),
            "",
            "",
            List.of("second", "first")),
        argumentSet(
            "ambiguous groups, with explicit group match",
            List.of("second", "first"),
            "first",
            "",
            List.of("first")),
        argumentSet(
            "ambiguous groups, with ambiguous version match",
            List.of("first", "second"),
            "",
            "v",
            List.of("first", "second")),
        argumentSet(
            "group and version", List.of("first", "second"), "second", "v", List.of("second")),
        argumentSet(
            "internal version counts as none",
            List.of("first"),
            "first",
            "__internal",
            List.of("first")));
  }

  @ParameterizedTest
  @CsvSource({
    "my-kin,'','','\"my-kin\"'",
    "My-Kin,'','','\"My-Kin\"'",
    "my-kinds,third,'','\"my-kinds.third\"'",
    "my-kinds,fir,v,'\"my-kinds\" in version \"fir/v\"'",
    "my-kinds,first,v2,'\"my-kinds\" in version \"first/v2\"'",
    "my-kinds,'',v1,'\"my-kinds\" in version \"v1\"'"
  })
  void kindsFor_nothingFits_saysWhatWasAskedFor(
      String name, String group, String version, String written) {
    GroupVersionResource partial = new GroupVersionResource(group, version, name);

    assertThatThrownBy(() -> mapper("first").kindsFor(partial))
        .isInstanceOf(NoMatchException.class)
        .isInstanceOf(KubernetesException.class)
        .hasMessage("no matches for resource " + written);
  }

  @Test
  void kindsFor_noName_isAnError() {
    assertThatThrownBy(() -> mapper("first").kindsFor(new GroupVersionResource("first", "v", "")))
        .hasMessage("the name of the resource is empty");
  }

  /** Upstream's comparator is no ordering for versions outside the list. */
  @Test
  void kindsFor_versionsThatAreNotPreferred_comeLastInOrderOfAddition() {
    DefaultRESTMapper.Builder builder = DefaultRESTMapper.builder(new GroupVersion("p", "v"));
    for (int i = 0; i < 50; i++) {
      builder.add(new GroupVersionKind("g" + i, "v", "Thing"), Scope.ROOT);
    }
    builder.add(new GroupVersionKind("p", "v", "Thing"), Scope.ROOT);

    assertThat(builder.build().kindsFor(new GroupVersionResource("", "", "things")))
        .extracting(GroupVersionKind::group)
        .startsWith("p", "g0", "g1", "g2")
        .endsWith("g48", "g49");
  }

  /** TestRESTMapperResourceSingularizer and TestKindToResource. */
  @ParameterizedTest
  @CsvSource({
    "Pod,pods",
    "ReplicationController,replicationcontrollers",
    "ImageRepository,imagerepositories",
    "Status,statuses",
    "Lower,lowers",
    "Endpoints,endpoints",
    "Ingress,ingresses",
    "'',''"
  })
  void guessPlural_kind_isWhatUpstreamGuesses(String kind, String plural) {
    assertThat(DefaultRESTMapper.guessPlural(new GroupVersionKind("g", "v", kind)).resource())
        .isEqualTo(plural);
  }

  @Test
  void singularize_plurals_givesTheSingular() {
    RESTMapper mapper =
        DefaultRESTMapper.builder()
            .add(new GroupVersionKind("g", "v", "Status"), Scope.ROOT)
            .addSpecific(new GroupVersionKind("g", "v", "Ox"), "oxen", "ox", Scope.ROOT)
            .build();

    assertThat(mapper.singularize("statuses")).isEqualTo("status");
    assertThat(mapper.singularize("oxen")).isEqualTo("ox");
    assertThat(mapper.singularize("ox")).isEqualTo("ox");
    assertThatThrownBy(() -> mapper.singularize("cows")).isInstanceOf(NoMatchException.class);
  }

  @Test
  void singularize_severalSingulars_isAmbiguous() {
    RESTMapper mapper =
        DefaultRESTMapper.builder()
            .addSpecific(new GroupVersionKind("g", "v", "Ox"), "oxen", "ox", Scope.ROOT)
            .addSpecific(new GroupVersionKind("h", "v", "Oxen"), "oxen", "oxe", Scope.ROOT)
            .build();

    assertThatThrownBy(() -> mapper.singularize("oxen"))
        .isInstanceOf(AmbiguousMatchException.class)
        .hasMessageContaining("[ox, oxe]");
  }

  /** TestRESTMapperRESTMapping and TestRESTMapperRESTMappingSelectsVersion. */
  @Test
  void restMapping_versions_firstKnownWinsAndDefaultsOnlyWithoutAny() {
    GroupVersionKind v1 = new GroupVersionKind("g", "v1", "Thing");
    GroupVersionKind v2 = new GroupVersionKind("g", "v2", "Thing");
    RESTMapper mapper =
        DefaultRESTMapper.builder(v1.groupVersion(), v2.groupVersion())
            .add(v1, Scope.NAMESPACE)
            .add(v2, Scope.ROOT)
            .build();
    GroupKind thing = v1.groupKind();

    assertThat(mapper.restMapping(thing).kind()).isEqualTo(v1);
    assertThat(mapper.restMapping(thing, "v2"))
        .isEqualTo(new RESTMapping(v2.groupVersion().withResource("things"), v2, Scope.ROOT));
    assertThat(mapper.restMapping(thing, "v3", "v2").kind()).isEqualTo(v2);
    assertThat(mapper.restMapping(thing, "", "__internal").kind()).isEqualTo(v1);
    assertThat(mapper.restMappings(thing)).extracting(RESTMapping::kind).containsExactly(v1, v2);
    assertThatThrownBy(() -> mapper.restMapping(thing, "v3"))
        .isInstanceOf(NoMatchException.class)
        .hasMessage("no matches for kind \"Thing\" in version \"g/v3\"");
    assertThatThrownBy(() -> mapper.restMapping(thing, "v4", "v3"))
        .hasMessage("no matches for kind \"Thing\" in versions [\"g/v3\", \"g/v4\"]");
    assertThatThrownBy(() -> mapper.restMapping(new GroupKind("other", "Thing")))
        .isInstanceOf(NoMatchException.class)
        .hasMessage("no matches for kind \"Thing\" in group \"other\"");
    assertThatThrownBy(() -> mapper.restMapping(new GroupKind("g", "Other")))
        .isInstanceOf(NoMatchException.class)
        .hasMessage("no matches for kind \"Other\" in group \"g\"");
  }
}
