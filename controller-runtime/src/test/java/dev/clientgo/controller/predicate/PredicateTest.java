package dev.clientgo.controller.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class PredicateTest {

  private static final ConfigMap BEFORE =
      object(m -> m.generation(1L).resourceVersion("1").labels(Map.of("a", "1")));

  private static ConfigMap object(UnaryOperator<ObjectMeta.Builder> edit) {
    return ConfigMap.builder().metadata(edit.apply(ObjectMeta.builder().name("x")).build()).build();
  }

  private static ConfigMap changed(UnaryOperator<ObjectMeta.Builder> edit) {
    return BEFORE.withMetadata(edit.apply(BEFORE.metadata().toBuilder()).build());
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        argumentSet("a resync", BEFORE, "none"),
        argumentSet("status", changed(m -> m.resourceVersion("2")), "resourceVersion"),
        argumentSet(
            "spec",
            changed(m -> m.resourceVersion("2").generation(2L)),
            "resourceVersion generation"),
        argumentSet(
            "labels",
            changed(m -> m.resourceVersion("2").labels(Map.of("a", "2"))),
            "resourceVersion labels"),
        argumentSet(
            "annotations",
            changed(m -> m.resourceVersion("2").annotations(Map.of("a", "2"))),
            "resourceVersion annotations"));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void readyOnes_passTheirUpdatesAndAllElse(ConfigMap after, String passing) {
    Map<String, Predicate<ConfigMap>> all =
        Map.of(
            "generation", Predicate.generationChanged(),
            "resourceVersion", Predicate.resourceVersionChanged(),
            "labels", Predicate.labelsChanged(),
            "annotations", Predicate.annotationsChanged());

    all.forEach(
        (name, predicate) -> {
          assertThat(predicate.onUpdate(BEFORE, after)).as(name).isEqualTo(passing.contains(name));
          assertThat(predicate.onAdd(after)).as(name).isTrue();
          assertThat(predicate.onDelete(after)).as(name).isTrue();
        });
  }

  @Test
  void of_looksAtTheNewState() {
    Predicate<ConfigMap> second =
        Predicate.of(object -> "2".equals(object.metadata().resourceVersion()));
    ConfigMap after = changed(m -> m.resourceVersion("2"));

    assertThat(second.onAdd(BEFORE)).isFalse();
    assertThat(second.onUpdate(BEFORE, after)).isTrue();
    assertThat(second.onUpdate(after, BEFORE)).isFalse();
    assertThat(second.onDelete(after)).isTrue();
  }

  @Test
  void combinations_areLogical() {
    Predicate<ConfigMap> yes = Predicate.everything();
    Predicate<ConfigMap> no = yes.negate();

    assertThat(no.onAdd(BEFORE)).isFalse();
    assertThat(yes.and(no).onUpdate(BEFORE, BEFORE)).isFalse();
    assertThat(yes.or(no).onUpdate(BEFORE, BEFORE)).isTrue();
    assertThat(no.or(no).onDelete(BEFORE)).isFalse();
    assertThat(no.negate().and(yes).onDelete(BEFORE)).isTrue();
  }
}
