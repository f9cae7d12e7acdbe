package dev.clientgo.apimachinery.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The cases of controller-runtime are those of controllerutil_test.go. */
final class OwnerReferencesTest {

  private final KubernetesObject foo = object("extensions/v1", "Deployment", "default", "foo", "1");
  private final KubernetesObject bar = object("extensions/v1", "Deployment", "default", "bar", "2");
  private final PartialObjectMetadata pod = object("v1", "Pod", "default", "web-0", "3");

  private final OwnerReference fooController =
      new OwnerReference("extensions/v1", "Deployment", "foo", "1", true, true);
  private final OwnerReference fooOwner =
      new OwnerReference("extensions/v1", "Deployment", "foo", "1", null, null);

  /** Upstream: TestNewControllerRef of meta/v1. */
  @Test
  void newControllerRef_isAControllerThatBlocksDeletion() {
    assertThat(OwnerReferences.newControllerRef(foo)).isEqualTo(fooController);
    assertThat(OwnerReferences.newOwnerRef(foo)).isEqualTo(fooOwner);
  }

  @Test
  void newOwnerRef_ofWhatNoServerHas_fails() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerReferences.newOwnerRef(object("v1", "Pod", "default", "a", null)))
        .withMessageContaining("the owner Pod default/a has no uid");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerReferences.newOwnerRef(object("v1", "", "default", "a", "1")))
        .withMessageContaining("has no kind");
  }

  /** Upstream: TestGetControllerOf and TestIsControlledBy of meta/v1. */
  @Test
  void controllerOf_isTheFirstThatSaysSo() {
    PartialObjectMetadata owned = owned(fooOwner.toBuilder().controller(false).build());

    assertThat(OwnerReferences.controllerOf(pod)).isEmpty();
    assertThat(OwnerReferences.controllerOf(owned)).isEmpty();
    assertThat(OwnerReferences.hasController(owned)).isFalse();

    PartialObjectMetadata controlled = owned(OwnerReferences.newOwnerRef(bar), fooController);

    assertThat(OwnerReferences.controllerOf(controlled)).contains(fooController);
    assertThat(OwnerReferences.hasController(controlled)).isTrue();
    assertThat(OwnerReferences.isControlledBy(controlled, foo)).isTrue();
    assertThat(OwnerReferences.isControlledBy(controlled, bar)).isFalse();
  }

  /** Upstream: TestIsControlledBy of meta/v1: the uid decides, not the name. */
  @Test
  void isControlledBy_ofALaterOwnerOfTheSameName_isFalse() {
    KubernetesObject later = object("extensions/v1", "Deployment", "default", "foo", "9");
    KubernetesObject nobody = object("extensions/v1", "Deployment", "default", "foo", null);

    assertThat(OwnerReferences.isControlledBy(owned(fooController), later)).isFalse();
    assertThat(OwnerReferences.isControlledBy(owned(fooController), nobody)).isFalse();
    assertThat(OwnerReferences.hasOwner(owned(fooController), later)).isTrue();
  }

  /** controller-runtime: "should set the OwnerReference if it can't find any references". */
  @Test
  void setController_onAFreeObject_addsIt() {
    PartialObjectMetadata controlled = OwnerReferences.setController(pod, foo);

    assertThat(controlled.metadata().ownerReferences()).containsExactly(fooController);
    assertThat(controlled.metadata().name()).isEqualTo("web-0");
  }

  /** controller-runtime: "should not add any owner reference if it is already there". */
  @Test
  void setController_again_returnsTheObjectItself() {
    PartialObjectMetadata controlled = owned(fooController);

    assertThat(OwnerReferences.setController(controlled, foo)).isSameAs(controlled);
  }

  /**
   * controller-runtime: "should return an error if object is already owned by another controller".
   */
  @Test
  void setController_onAControlledObject_namesTheOther() {
    PartialObjectMetadata controlled = owned(fooController);

    assertThatExceptionOfType(OwnerReferences.AlreadyOwnedException.class)
        .isThrownBy(() -> OwnerReferences.setController(controlled, bar))
        .withMessage(
            "object Pod default/web-0 is already owned by another Deployment controller foo, so"
                + " Deployment bar cannot control it")
        .satisfies(e -> assertThat(e.owner()).isEqualTo(fooController))
        .satisfies(e -> assertThat(e.owned()).isEqualTo(controlled));
  }

  /** controller-runtime: "should not duplicate existing owner reference", of another version. */
  @Test
  void setController_ofAnotherVersionOfTheGroup_replacesTheReference() {
    KubernetesObject v2 = object("extensions/v2", "Deployment", "default", "foo", "1");

    assertThat(OwnerReferences.setController(owned(fooOwner), v2).metadata().ownerReferences())
        .containsExactly(new OwnerReference("extensions/v2", "Deployment", "foo", "1", true, true));
  }

  /** controller-runtime: "should be able to set an owner reference besides a controller". */
  @Test
  void setOwner_besidesAController_addsIt() {
    PartialObjectMetadata both = OwnerReferences.setOwner(owned(fooController), bar);

    assertThat(both.metadata().ownerReferences())
        .containsExactly(fooController, OwnerReferences.newOwnerRef(bar));
  }

  /** controller-runtime: cross-namespace and cluster-scoped owners. */
  @Test
  void setOwner_acrossNamespaces_fails() {
    KubernetesObject elsewhere = object("v1", "ConfigMap", "other", "c", "5");
    PartialObjectMetadata node = object("v1", "Node", null, "n", "6");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerReferences.setController(pod, elsewhere))
        .withMessageContaining(
            "ConfigMap other/c cannot own Pod default/web-0: cross-namespace owner references are"
                + " disallowed");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerReferences.setOwner(node, elsewhere))
        .withMessageContaining(
            "ConfigMap other/c cannot own Node n: a cluster-scoped object must not have a namespaced"
                + " owner");
    assertThat(OwnerReferences.hasOwner(OwnerReferences.setOwner(pod, node), node)).isTrue();
    assertThat(
            OwnerReferences.hasOwner(
                OwnerReferences.setController(node, object("v1", "Node", "", "m", "7")), node))
        .isFalse();
  }

  /** controller-runtime: WithBlockOwnerDeletion. */
  @Test
  void upsert_setsAReferenceAsItIs() {
    OwnerReference lenient = fooController.toBuilder().blockOwnerDeletion(false).build();

    assertThat(OwnerReferences.upsert(owned(fooController), lenient).metadata().ownerReferences())
        .containsExactly(lenient);
    assertThatExceptionOfType(OwnerReferences.AlreadyOwnedException.class)
        .isThrownBy(
            () ->
                OwnerReferences.upsert(
                    owned(fooController), OwnerReferences.newControllerRef(bar)));
  }

  /** controller-runtime: RemoveOwnerReference. */
  @Test
  void removeOwner_dropsTheReference() {
    assertThat(OwnerReferences.removeOwner(owned(fooController), foo).metadata().ownerReferences())
        .isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerReferences.removeOwner(owned(fooController), bar))
        .withMessage(
            "Pod default/web-0 does not have an owner reference for Deployment default/bar");
  }

  /** controller-runtime: RemoveControllerReference. */
  @Test
  void removeController_ofAnOwnerThatIsNone_fails() {
    assertThat(
            OwnerReferences.removeController(owned(fooController), foo)
                .metadata()
                .ownerReferences())
        .isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerReferences.removeController(owned(fooOwner), foo))
        .withMessageContaining("does not have a controller reference for Deployment default/foo");
  }

  @Test
  void refersToSame_ofNoGroup_isFalse() {
    OwnerReference odd = fooOwner.toBuilder().apiVersion("a/b/c").build();

    assertThat(odd.refersToSame(fooOwner)).isFalse();
  }

  @Test
  void setController_onAnUntypedObject_keepsTheRest() {
    Unstructured untyped =
        Unstructured.parse(
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"spec\":{\"x\":1},"
                + "\"metadata\":{\"name\":\"a\",\"namespace\":\"default\",\"future\":true}}");

    Unstructured controlled = OwnerReferences.setController(untyped, foo);

    assertThat(controlled.nestedLong("spec", "x")).contains(1L);
    assertThat(controlled.nestedBoolean("metadata", "future")).contains(true);
    assertThat(controlled.metadata().controller()).contains(fooController);
  }

  private PartialObjectMetadata owned(OwnerReference... owners) {
    return pod.withMetadata(pod.metadata().with(m -> m.ownerReferences(List.of(owners))));
  }

  private static PartialObjectMetadata object(
      String apiVersion, String kind, String namespace, String name, String uid) {
    return new PartialObjectMetadata(
        apiVersion, kind, ObjectMeta.of(m -> m.namespace(namespace).name(name).uid(uid)));
  }
}
