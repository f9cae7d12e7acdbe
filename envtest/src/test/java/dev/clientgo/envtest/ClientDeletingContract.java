package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.DeletionPropagation;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.MetadataClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Deletes through this library's client. */
abstract class ClientDeletingContract extends OurClient {

  private static DeleteOptions only(Preconditions preconditions) {
    return DeleteOptions.builder().preconditions(preconditions).build();
  }

  private static DeleteOptions propagating(DeletionPropagation policy) {
    return DeleteOptions.builder().propagationPolicy(policy).build();
  }

  private static String uid(Unstructured object) {
    return Objects.requireNonNull(object.metadata().uid());
  }

  private static Unstructured labelled(Kind kind, String name, String label) {
    return kind.object(name, "1")
        .withMetadata(ObjectMeta.builder().name(name).labels(Map.of("l", label)).build());
  }

  @ParameterizedTest
  @EnumSource
  void preconditions_notMet_areConflicts(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    Unstructured created = objects.create(kind.object("a", "1"));
    Unstructured current = objects.update(created.with("2", "data", "k"));
    String before = created.metadata().resourceVersion();
    String now = current.metadata().resourceVersion();

    assertThat(refused(409, () -> objects.delete("a", only(Preconditions.ofUid("other")))))
        .hasMessageContaining("the UID in the precondition (other) does not match");
    assertThat(
            refused(
                409,
                () ->
                    objects.delete(
                        "a", only(Preconditions.builder().resourceVersion(before).build()))))
        .hasMessageContaining("the ResourceVersion in the precondition (" + before + ")");
    objects.delete(
        "a", only(Preconditions.builder().uid(uid(created)).resourceVersion(now).build()));
    refused(404, () -> objects.get("a"));
    refused(404, () -> objects.delete("a"));
  }

  @ParameterizedTest
  @EnumSource
  void propagation_isLeftToTheGarbageCollector(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    for (String name : List.of("a", "b", "c")) {
      objects.create(kind.object(name, "1"));
    }

    objects.delete("a", propagating(DeletionPropagation.FOREGROUND));
    objects.delete("b", propagating(DeletionPropagation.ORPHAN));
    objects.delete("c", propagating(DeletionPropagation.BACKGROUND));

    assertThat(objects.get("a").metadata().finalizers()).containsExactly("foregroundDeletion");
    assertThat(objects.get("a").metadata().deletionTimestamp()).isNotNull();
    assertThat(objects.get("b").metadata().finalizers()).containsExactly("orphan");
    refused(404, () -> objects.get("c"));
    objects.edit("a", it -> withoutFinalizers(it));
    refused(404, () -> objects.get("a"));
  }

  private static Unstructured withoutFinalizers(Unstructured object) {
    return object.withMetadata(object.metadata().toBuilder().finalizers(List.of()).build());
  }

  @Test
  void gracePeriod_podOnANode_setsADeadline() throws Exception {
    createPod("p", "n");
    ResourceClient<Unstructured> pods = of("", "pods");

    pods.delete("p", DeleteOptions.builder().gracePeriod(Duration.ofSeconds(9)).build());
    assertThat(pods.get("p").metadata().deletionGracePeriodSeconds()).isEqualTo(9);
    pods.delete("p", DeleteOptions.builder().gracePeriod(Duration.ZERO).build());
    refused(404, () -> pods.get("p"));
  }

  @ParameterizedTest
  @EnumSource
  void deleteCollection_deletesTheSelectedObjects(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    objects.create(labelled(kind, "a", "x"));
    objects.create(labelled(kind, "b", "x"));
    objects.create(labelled(kind, "c", "y"));
    objects.create(labelled(kind, "d", "z"));

    objects.deleteCollection(ListOptions.builder().labelSelector("l=x").build());
    objects.deleteCollection(
        ListOptions.builder().fieldSelector("metadata.name=c").build(),
        propagating(DeletionPropagation.ORPHAN));

    assertThat(objects.list(ListOptions.NONE).items())
        .extracting(OurClient::nameOf)
        .containsExactly("c", "d");
    assertThat(objects.get("c").metadata().finalizers()).containsExactly("orphan");
    objects.deleteCollection(ListOptions.builder().labelSelector("l=none").build());
    assertThat(objects.list(ListOptions.NONE).items()).hasSize(2);
    refused(
        400, () -> objects.deleteCollection(ListOptions.builder().labelSelector("l in").build()));
  }

  @ParameterizedTest
  @EnumSource
  void metadataClient_deletes(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    Unstructured a = objects.create(labelled(kind, "a", "x"));
    objects.create(labelled(kind, "b", "x"));
    objects.create(labelled(kind, "c", "y"));
    MetadataClient metadata = client.metadata(kind.resource()).inNamespace(namespace);

    refused(409, () -> metadata.delete("a", only(Preconditions.ofUid("other"))));
    metadata.delete("a", only(Preconditions.ofUid(uid(a))));
    metadata.deleteCollection(
        ListOptions.builder().labelSelector("l=x").build(), DeleteOptions.NONE);

    assertThat(metadata.list(ListOptions.NONE).items())
        .extracting(it -> it.metadata().name())
        .containsExactly("c");
  }
}
