package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MapFunctionTest {

  private static OwnerReference owner(
      String apiVersion, String kind, String name, boolean controller) {
    return OwnerReference.builder()
        .apiVersion(apiVersion)
        .kind(kind)
        .name(name)
        .uid("u")
        .controller(controller)
        .build();
  }

  private static Pod pod(OwnerReference... owners) {
    return Pod.builder()
        .metadata(
            ObjectMeta.builder()
                .namespace("shop")
                .name("web-0")
                .ownerReferences(List.of(owners))
                .build())
        .build();
  }

  @Test
  void self_namesTheObject_evenIfItsFinalStateIsUnknown() {
    MapFunction<Pod> self = MapFunction.self();

    assertThat(self.map(pod())).containsExactly(new Request("shop", "web-0"));
    assertThat(self.mapDeleted(DeletedObject.ofUnknownFinalState("shop/gone", null)))
        .containsExactly(new Request("shop", "gone"));
  }

  @Test
  void controller_comparesGroupAndKind_ofTheControllerAlone() {
    MapFunction<Pod> map = MapFunction.controller(Deployment.TYPE);

    assertThat(map.map(pod(owner("apps/v1beta1", "Deployment", "web", true))))
        .as("any version")
        .containsExactly(new Request("shop", "web"));
    assertThat(map.map(pod(owner("apps/v1", "Deployment", "web", false)))).isEmpty();
    assertThat(map.map(pod(owner("example.com/v1", "Deployment", "web", true)))).isEmpty();
    assertThat(map.map(pod(owner("apps/v1", "ReplicaSet", "web", true)))).isEmpty();
    assertThat(map.map(pod(owner("a/b/c", "Deployment", "web", true)))).isEmpty();
    assertThat(map.map(pod())).isEmpty();
  }

  @Test
  void controller_ofAClusterScopedOwner_hasNoNamespace() {
    assertThat(MapFunction.<Pod>controller(Node.TYPE).map(pod(owner("v1", "Node", "n1", true))))
        .containsExactly(new Request("", "n1"));
  }

  @Test
  void owners_mapsToEachOwner() {
    assertThat(
            MapFunction.<Pod>owners(Deployment.TYPE)
                .map(
                    pod(
                        owner("apps/v1", "Deployment", "a", true),
                        owner("apps/v1", "ReplicaSet", "b", false),
                        owner("apps/v1", "Deployment", "c", false))))
        .containsExactly(new Request("shop", "a"), new Request("shop", "c"));
  }

  @Test
  void deletion_withoutAnyState_mapsToNothing() {
    assertThat(
            MapFunction.<Pod>controller(Deployment.TYPE)
                .mapDeleted(DeletedObject.ofUnknownFinalState("shop/web-0", null)))
        .isEmpty();
  }

  @Test
  void owner_withoutAKind_isRefused() {
    assertThatThrownBy(
            () ->
                MapFunction.controller(
                    Unstructured.type(new GroupVersionResource("example.com", "v1", "foos"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("foos.example.com does not tell its kind");
  }
}
