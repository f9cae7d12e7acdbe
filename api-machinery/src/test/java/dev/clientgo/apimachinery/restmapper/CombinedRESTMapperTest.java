package dev.clientgo.apimachinery.restmapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.AmbiguousMatchException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases of apimachinery's priority_test.go, multirestmapper_test.go and firsthit's behaviour. */
final class CombinedRESTMapperTest {

  private static final GroupVersionResource ANYTHING = new GroupVersionResource("", "", "x");
  private static final GroupKind FOO = new GroupKind("", "Foo");
  private static final GroupVersionKind FOO_ALPHA = new GroupVersionKind("", "v1alpha1", "Foo");
  private static final GroupVersionKind FOO_V1 = new GroupVersionKind("", "v1", "Foo");
  private static final GroupVersionKind OTHER_V1 = new GroupVersionKind("other", "v1", "Foo");
  private final RuntimeException broken = new IllegalStateException("fail on this");

  private static GroupVersionKind kind(String group, String version, String kind) {
    return new GroupVersionKind(group, version, kind);
  }

  /** TestPriorityRESTMapperKindForErrorHandling, and for resources. */
  @ParameterizedTest
  @MethodSource
  void priority_patterns_narrowDown(
      List<GroupVersionKind> found, List<GroupVersionKind> patterns, GroupVersionKind expected) {
    List<GroupVersionResource> resources =
        patterns.stream()
            .map(
                pattern ->
                    pattern
                        .groupVersion()
                        .withResource(pattern.kind().equals("*") ? "*" : pattern.kind() + "s"))
            .toList();
    RESTMapper mapper =
        PriorityRESTMapper.of(
            FixedRESTMapper.knows(found.toArray(GroupVersionKind[]::new)), resources, patterns);

    assertThat(mapper.kindFor(ANYTHING)).isEqualTo(expected);
    assertThat(mapper.resourceFor(ANYTHING)).isEqualTo(DefaultRESTMapper.guessPlural(expected));
  }

  static Stream<Arguments> priority_patterns_narrowDown() {
    GroupVersionKind first = kind("one", "a", "first");
    GroupVersionKind second = kind("two", "b", "second");
    return Stream.of(
        argumentSet("single hit", List.of(first), List.of(), first),
        argumentSet(
            "group selection", List.of(first, second), List.of(kind("one", "*", "*")), first),
        argumentSet(
            "empty match continues",
            List.of(first, second),
            List.of(kind("fail", "*", "*"), kind("one", "*", "*")),
            first),
        argumentSet(
            "group followed by version selection",
            List.of(first, second, kind("one", "c", "third")),
            List.of(kind("one", "*", "*"), kind("*", "a", "*")),
            first),
        argumentSet(
            "kind selection",
            List.of(first, kind("one", "a", "second")),
            List.of(kind("*", "*", "second")),
            kind("one", "a", "second")));
  }

  @Test
  void priority_nothingDecides_listsAllThatWereFound() {
    RESTMapper mapper =
        PriorityRESTMapper.of(
            FixedRESTMapper.knows(
                kind("one", "a", "x"), kind("one", "b", "x"), kind("two", "a", "x")),
            List.of(),
            List.of(kind("one", "*", "*")));

    assertThatThrownBy(() -> mapper.kindFor(ANYTHING))
        .isInstanceOfSatisfying(
            AmbiguousMatchException.class, e -> assertThat(e.matches()).hasSize(3))
        .isInstanceOf(KubernetesException.class)
        .hasMessageContaining("matches multiple kinds");
    assertThatThrownBy(() -> mapper.resourceFor(ANYTHING))
        .hasMessageContaining("matches multiple resources");
    assertThatThrownBy(
            () ->
                PriorityRESTMapper.of(
                        FixedRESTMapper.knows(
                            kind("extensions", "v1beta1", "x"), kind("", "v1", "x")),
                        List.of(),
                        List.of())
                    .kindFor(new GroupVersionResource("", "", "ingresses")))
        .hasMessage("\"ingresses\" matches multiple kinds [x in extensions/v1beta1, x in v1]");
  }

  /** TestPriorityRESTMapperRESTMapping and TestPriorityRESTMapperRESTMappingHonorsUserVersion. */
  @Test
  void priority_restMapping_prefersAskedVersionsThenPatterns() {
    RESTMapper all =
        MultiRESTMapper.of(
            List.of(
                FixedRESTMapper.knows(FOO_ALPHA),
                FixedRESTMapper.knows(FOO_V1),
                FixedRESTMapper.knows(OTHER_V1)));

    assertThatThrownBy(() -> PriorityRESTMapper.of(all, List.of(), List.of()).restMapping(FOO))
        .isInstanceOfSatisfying(
            AmbiguousMatchException.class,
            e -> assertThat(e.matches()).isEqualTo(List.of(FOO_ALPHA, FOO_V1, OTHER_V1)));
    assertThat(
            PriorityRESTMapper.of(
                    all, List.of(), List.of(kind("", "v1", "*"), kind("", "v1alpha1", "*")))
                .restMapping(FOO)
                .kind())
        .isEqualTo(FOO_V1);
    assertThat(
            PriorityRESTMapper.of(
                    all, List.of(), List.of(kind("*", "v1", "*"), kind("other", "*", "*")))
                .restMapping(FOO)
                .kind())
        .isEqualTo(OTHER_V1);
    assertThat(
            PriorityRESTMapper.of(all, List.of(), List.of(kind("", "v1", "*")))
                .restMapping(FOO, "v1alpha1")
                .kind())
        .isEqualTo(FOO_ALPHA);
  }

  @Test
  void multi_lookups_uniteAndSkipOnlyNoMatch() {
    RESTMapper mapper =
        MultiRESTMapper.of(
            List.of(
                FixedRESTMapper.knowsNothing(),
                FixedRESTMapper.knows(FOO_V1),
                FixedRESTMapper.knows(FOO_V1, OTHER_V1)));
    RESTMapper withFailure =
        MultiRESTMapper.of(List.of(FixedRESTMapper.knows(FOO_V1), FixedRESTMapper.fails(broken)));
    RESTMapper empty = MultiRESTMapper.of(List.of(FixedRESTMapper.knowsNothing()));

    assertThat(mapper.kindsFor(ANYTHING)).containsExactly(FOO_V1, OTHER_V1);
    assertThat(mapper.resourcesFor(ANYTHING)).hasSize(2);
    assertThatThrownBy(() -> mapper.kindFor(ANYTHING)).isInstanceOf(AmbiguousMatchException.class);
    assertThatThrownBy(() -> withFailure.kindsFor(ANYTHING)).isSameAs(broken);
    assertThatThrownBy(() -> empty.kindsFor(ANYTHING)).isInstanceOf(NoMatchException.class);
  }

  @Test
  void multi_restMapping_oneHitOutweighsFailures() {
    RESTMapper oneHit =
        MultiRESTMapper.of(List.of(FixedRESTMapper.fails(broken), FixedRESTMapper.knows(FOO_V1)));
    RESTMapper twoHits =
        MultiRESTMapper.of(List.of(FixedRESTMapper.knows(FOO_V1), FixedRESTMapper.knows(OTHER_V1)));
    RESTMapper noHit =
        MultiRESTMapper.of(List.of(FixedRESTMapper.fails(broken), FixedRESTMapper.knowsNothing()));

    assertThat(oneHit.restMapping(FOO).kind()).isEqualTo(FOO_V1);
    assertThatThrownBy(() -> oneHit.restMappings(FOO)).isSameAs(broken);
    assertThatThrownBy(() -> twoHits.restMapping(FOO)).isInstanceOf(AmbiguousMatchException.class);
    assertThatThrownBy(() -> noHit.restMapping(FOO)).isSameAs(broken);
    assertThatThrownBy(() -> MultiRESTMapper.of(List.of()).restMapping(FOO))
        .isInstanceOf(NoMatchException.class)
        .hasMessage("no matches for kind \"Foo\" in group \"\"");
  }

  @Test
  void multi_singularize_takesTheFirstThatKnows() {
    assertThat(
            MultiRESTMapper.of(
                    List.of(FixedRESTMapper.fails(broken), FixedRESTMapper.knows(FOO_V1)))
                .singularize("foos"))
        .isEqualTo("Foo");
  }
}
