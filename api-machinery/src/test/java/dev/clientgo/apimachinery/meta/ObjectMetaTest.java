package dev.clientgo.apimachinery.meta;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ObjectMetaTest {

  private static final String CLEANUP = "example.com/cleanup";

  @Test
  void accessors_onEmptyMetadata_findNothing() {
    assertThat(ObjectMeta.EMPTY.label("app")).isEmpty();
    assertThat(ObjectMeta.EMPTY.annotation("note")).isEmpty();
    assertThat(ObjectMeta.EMPTY.isBeingDeleted()).isFalse();
    assertThat(ObjectMeta.EMPTY.hasFinalizer(CLEANUP)).isFalse();
    assertThat(ObjectMeta.EMPTY.controller()).isEmpty();
  }

  @Test
  void accessors_findWhatIsSet() {
    ObjectMeta metadata =
        ObjectMeta.of(
            m ->
                m.labels(Map.of("app", "web"))
                    .annotations(Map.of("note", ""))
                    .finalizers(List.of(CLEANUP))
                    .deletionTimestamp(Time.of(Instant.EPOCH)));

    assertThat(metadata.label("app")).contains("web");
    assertThat(metadata.label("tier")).isEmpty();
    assertThat(metadata.annotation("note")).contains("");
    assertThat(metadata.isBeingDeleted()).isTrue();
    assertThat(metadata.hasFinalizer(CLEANUP)).isTrue();
  }

  @Test
  void builder_edits_beginEmptyAndChangeCopies() {
    ObjectMeta before =
        ObjectMeta.of(m -> m.name("a").editLabels(labels -> labels.put("app", "web")));

    ObjectMeta after =
        before.with(
            m ->
                m.editLabels(labels -> labels.put("tier", "front"))
                    .editAnnotations(annotations -> annotations.put("note", "x"))
                    .editFinalizers(finalizers -> finalizers.add(CLEANUP))
                    .editOwnerReferences(owners -> owners.add(OwnerReference.builder().build()))
                    .managedFields(null));

    assertThat(before).isEqualTo(ObjectMeta.of(m -> m.name("a").labels(Map.of("app", "web"))));
    assertThat(after.labels()).containsExactly(Map.entry("app", "web"), Map.entry("tier", "front"));
    assertThat(after.annotations()).containsExactly(Map.entry("note", "x"));
    assertThat(after.finalizers()).containsExactly(CLEANUP);
    assertThat(after.ownerReferences()).hasSize(1);
    assertThat(after.managedFields()).isEmpty();
  }

  @Test
  void edit_ofAnyObject_returnsItsType() {
    PartialObjectMetadata pod = new PartialObjectMetadata("v1", "Pod", ObjectMeta.EMPTY);

    PartialObjectMetadata named =
        KubernetesObject.edit(pod, metadata -> metadata.with(m -> m.name("a")));

    assertThat(named.metadata().name()).isEqualTo("a");
    assertThat(KubernetesObject.edit(pod, metadata -> metadata)).isSameAs(pod);
  }

  /** controller-runtime: AddFinalizer, RemoveFinalizer and ContainsFinalizer in controllerutil. */
  @Test
  void finalizers_areAddedOnceAndRemoved() {
    PartialObjectMetadata pod = new PartialObjectMetadata("v1", "Pod", ObjectMeta.EMPTY);

    PartialObjectMetadata held = Finalizers.add(pod, CLEANUP);
    assertThat(Finalizers.contains(held, CLEANUP)).isTrue();
    assertThat(Finalizers.add(held, CLEANUP)).isSameAs(held);
    assertThat(Finalizers.add(held, "z").metadata().finalizers()).containsExactly(CLEANUP, "z");

    PartialObjectMetadata free = Finalizers.remove(held, CLEANUP);
    assertThat(free.metadata().finalizers()).isEmpty();
    assertThat(Finalizers.remove(free, CLEANUP)).isSameAs(free);

    PartialObjectMetadata twice =
        pod.withMetadata(ObjectMeta.of(m -> m.finalizers(List.of(CLEANUP, "z", CLEANUP))));
    assertThat(Finalizers.remove(twice, CLEANUP).metadata().finalizers()).containsExactly("z");
  }
}
