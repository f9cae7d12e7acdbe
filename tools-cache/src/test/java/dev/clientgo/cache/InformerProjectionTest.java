package dev.clientgo.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.SharedInformerFactory.ResourceInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Informers that read only some fields of the objects. */
final class InformerProjectionTest {

  private static final ResourceType<Unstructured> PODS =
      Unstructured.type(new GroupVersionKind("", "v1", "Pod"), "pods", true);

  private final List<ResourceType<?>> asked = new ArrayList<>();
  private SharedInformerFactory factory = builder().build();

  private SharedInformerFactory.Builder builder() {
    return SharedInformerFactory.builder(new NoServer());
  }

  /** Notes which types are asked for, and has no objects. */
  private final class NoServer implements SharedInformerFactory.Source {
    @Override
    public <T extends KubernetesObject> ListerWatcher<T> listerWatcher(
        ResourceType<T> type, String namespace, ListOptions selectors) {
      asked.add(type);
      return ListWatch.of(
          (options, context, sink) -> ListMeta.EMPTY,
          (options, context) -> {
            throw new AssertionError("nothing is started");
          });
    }
  }

  @AfterEach
  void close() {
    factory.close();
  }

  @Test
  void keep_ofTheSameFields_isShared() {
    ResourceInformer<Unstructured> phases = factory.of(PODS).keep("status.phase");

    assertThat(phases.informer())
        .isSameAs(factory.informer(PODS.keep("status.phase")))
        .isNotSameAs(factory.informer(PODS))
        .isNotSameAs(factory.of(PODS).keep("status").informer())
        .isNotSameAs(factory.of(PODS).drop("status").informer());
    assertThat(phases.inNamespace("a").withLabels("app=web").type().projection())
        .contains(Projection.keep("status.phase"));
    assertThat(asked.get(0).projection()).contains(Projection.keep("status.phase"));
    assertThat(asked.get(1).projection()).isEmpty();
  }

  @Test
  void keep_inTwoSteps_keepsWhatBothKeep() {
    ResourceInformer<Unstructured> pods =
        factory.of(PODS).keep("spec", "status.phase").drop("spec.containers");

    Projection projection = pods.type().projection().orElseThrow();
    assertThat(projection.keeps("spec.nodeName")).isTrue();
    assertThat(projection.keeps("spec.containers")).isFalse();
    assertThat(projection.keeps("status.podIP")).isFalse();
    assertThat(pods.type().whole().projection()).isEmpty();
  }

  @Test
  void dropManagedFields_ofTheFactory_holdsForAllInformers() {
    factory = builder().dropManagedFields(true).build();

    SharedIndexInformer<Unstructured> pods = factory.informer(PODS);

    assertThat(pods).isSameAs(factory.of(PODS).dropManagedFields().informer());
    factory.of(PODS).keep("metadata.managedFields", "spec").informer();
    factory.metadata(PODS).informer();
    assertThat(asked)
        .allSatisfy(
            type ->
                assertThat(type.projection().orElseThrow().keeps("metadata.managedFields"))
                    .isFalse());
    assertThat(asked).hasSize(3);
  }

  @Test
  void metadataOnly_isTheInformerOfMetadata() {
    ResourceInformer<PartialObjectMetadata> metadata = factory.metadata(PODS).inNamespace("a");

    assertThat(metadata.type().serializers().accept()).contains("as=PartialObjectMetadata;");
    assertThat(factory.of(PODS).inNamespace("a").metadataOnly().informer())
        .isSameAs(metadata.informer());
    assertThat(metadata.type().kind()).isEqualTo(PODS.kind());
    assertThat(factory.of(PODS).dropManagedFields().metadataOnly().type().serializers().accept())
        .contains("as=PartialObjectMetadata;g=meta.k8s.io;v=v1;drop=metadata.managedFields");
  }

  @Test
  void configure_appliesToInformersOfSomeFields() {
    factory = builder().configure(PODS, pods -> pods.indexer("app", pod -> List.of("web"))).build();

    assertThat(factory.of(PODS).keep("status").informer().indexer().indexers()).containsKey("app");
  }

  /** The reason is then that the field was not read, not that the object has none. */
  @Test
  void index_onAFieldThatIsNotRead_namesTheProjection() {
    Indexer<Unstructured> store =
        Indexer.create(
            KeyFunction.metaNamespace(),
            Map.of("node", pod -> List.of(pod.nestedString("spec", "nodeName").orElseThrow())));
    Unstructured pod =
        JsonReader.fromBytes(
            PODS.keep("status.phase").codec(),
            "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"nodeName\":\"n\"}}".getBytes(UTF_8));

    assertThatIllegalStateException()
        .isThrownBy(() -> store.add(pod))
        .withMessageContaining("the object \"a\", which was read with keep(status.phase): ");
  }

  @Test
  void keep_typeWithoutTheField_isRefusedAtOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> factory.metadata(PODS).keep("metadata.anotations"))
        .withMessageContaining("did you mean annotations?");
  }
}
