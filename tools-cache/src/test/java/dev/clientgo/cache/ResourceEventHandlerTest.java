package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The handlers that pass on to functions or to other handlers. */
final class ResourceEventHandlerTest {

  private final RecordingHandler recorded = new RecordingHandler();
  private final ResourceEventHandler<ApiObject> filtering =
      FilteringResourceEventHandler.of(object -> !object.metadata().labels().isEmpty(), recorded);

  private static ApiObject in(String version) {
    return ApiObject.of("ns/a", version).withLabel("in", "yes");
  }

  private static ApiObject out(String version) {
    return ApiObject.of("ns/a", version);
  }

  private static DeletedObject<ApiObject> deleted(ApiObject object) {
    return DeletedObject.of("ns/a", object);
  }

  /**
   * Each function is called for its kind of event (TestTypedResourceEventHandlerFuncs,
   * TestTypedResourceEventHandlerDetailedFuncs).
   */
  @Test
  void funcs_areCalledForTheirEvents() {
    List<String> calls = new ArrayList<>();
    ResourceEventHandler<ApiObject> simple =
        ResourceEventHandlerFuncs.<ApiObject>builder()
            .onAdd(object -> calls.add("add " + RecordingHandler.describe(object)))
            .onUpdate((before, after) -> calls.add("update " + RecordingHandler.describe(after)))
            .onDelete(gone -> calls.add("delete " + gone.key()))
            .build();
    ResourceEventHandler<ApiObject> detailed =
        ResourceEventHandlerFuncs.<ApiObject>builder()
            .onAddDetailed((object, initial) -> calls.add("add " + initial))
            .build();

    simple.onAdd(in("1"), true);
    simple.onUpdate(in("1"), in("2"));
    simple.onDelete(deleted(in("3")));
    detailed.onAdd(in("1"), true);
    detailed.onUpdate(in("1"), in("2"));
    detailed.onDelete(deleted(in("3")));

    assertThat(calls).containsExactly("add ns/a@1", "update ns/a@2", "delete ns/a", "add true");
  }

  /** Only the controller counts, only of the right kind, in any version of its group. */
  @Test
  void owners_passOnTheNameOfTheController() {
    List<String> owners = new ArrayList<>();
    ResourceEventHandler<ApiObject> handler =
        ResourceEventHandler.owners(ofKind("Foo", true), name -> owners.add(name.toString()));

    handler.onAdd(ownedBy("example.com/v1", "Foo", "added", true), false);
    handler.onAdd(ownedBy("example.com/v2beta1", "Foo", "other-version", true), false);
    handler.onAdd(ownedBy("example.com/v1", "Foo", "not-controller", false), false);
    handler.onAdd(ownedBy("example.com/v1", "Bar", "other-kind", true), false);
    handler.onAdd(ownedBy("v1", "Foo", "other-group", true), false);
    handler.onAdd(in("1"), false);
    handler.onUpdate(
        ownedBy("example.com/v1", "Foo", "before", true),
        ownedBy("example.com/v1", "Foo", "after", true));
    handler.onUpdate(
        ownedBy("example.com/v1", "Foo", "same", true),
        ownedBy("example.com/v1", "Foo", "same", true));
    handler.onDelete(deleted(ownedBy("example.com/v1", "Foo", "deleted", true)));
    handler.onDelete(DeletedObject.ofUnknownFinalState("ns/a", null));

    assertThat(owners)
        .containsExactly(
            "ns/added", "ns/other-version", "ns/before", "ns/after", "ns/same", "ns/deleted");
  }

  @Test
  void owners_ofTheCluster_haveNoNamespace() {
    List<String> owners = new ArrayList<>();
    ResourceEventHandler<ApiObject> handler =
        ResourceEventHandler.owners(ofKind("Foo", false), name -> owners.add(name.toString()));

    handler.onAdd(ownedBy("example.com/v1", "Foo", "owner", true), false);

    assertThat(owners).containsExactly("owner");
  }

  private static ResourceType<Unstructured> ofKind(String kind, boolean namespaced) {
    GroupVersionKind foo = new GroupVersionKind("example.com", "v1", kind);
    return namespaced
        ? ResourceType.namespaced(foo, "foos", Unstructured.CODEC)
        : ResourceType.clusterScoped(foo, "foos", Unstructured.CODEC);
  }

  private static ApiObject ownedBy(
      String apiVersion, String kind, String name, boolean isController) {
    OwnerReference owner =
        OwnerReference.of(
            it ->
                it.apiVersion(apiVersion).kind(kind).name(name).uid("1").controller(isController));
    ApiObject object = in("1");
    return object.withMetadata(
        object.metadata().toBuilder().ownerReferences(List.of(owner)).build());
  }

  /**
   * A filter turns updates across its border into additions and deletions
   * (TestTypedFilteringResourceEventHandler).
   */
  @Test
  void filter_passesWhatIsInside() {
    filtering.onAdd(in("1"), true);
    filtering.onUpdate(in("1"), in("2"));
    filtering.onDelete(deleted(in("3")));

    assertThat(recorded.events())
        .containsExactly("add ns/a@1 initial", "update ns/a@1 2", "delete ns/a@3");
  }

  @Test
  void filter_dropsWhatIsOutside() {
    filtering.onAdd(out("1"), true);
    filtering.onUpdate(out("1"), out("2"));
    filtering.onDelete(deleted(out("3")));

    assertThat(recorded.events()).isEmpty();
  }

  @Test
  void filter_crossingInIsAddAndCrossingOutIsDelete() {
    filtering.onUpdate(out("1"), in("2"));
    filtering.onUpdate(in("2"), out("3"));

    assertThat(recorded.events()).containsExactly("add ns/a@2", "delete ns/a@2");
  }

  @Test
  void filter_deletionWithoutState_passes() {
    filtering.onDelete(DeletedObject.ofUnknownFinalState("ns/a", null));

    assertThat(recorded.events()).containsExactly("delete ns/a unknown");
  }

  @Test
  void handlerThatOverridesNothing_ignoresEverything() {
    ResourceEventHandler<ApiObject> nothing = new ResourceEventHandler<>() {};

    nothing.onAdd(in("1"), true);
    nothing.onUpdate(in("1"), in("2"));
    nothing.onDelete(deleted(in("3")));
  }

  @Test
  void keys_passesOnTheNameWhateverHappens() {
    List<ObjectName> names = new ArrayList<>();
    ResourceEventHandler<ApiObject> keys = ResourceEventHandler.keys(names::add);

    keys.onAdd(ApiObject.of("ns/added", "1"), true);
    keys.onUpdate(ApiObject.of("ns/updated", "1"), ApiObject.of("ns/updated", "2"));
    keys.onDelete(DeletedObject.of("ns/deleted", ApiObject.of("ns/deleted", "3")));
    keys.onDelete(DeletedObject.ofUnknownFinalState("never-seen", null));

    assertThat(names)
        .containsExactly(
            new ObjectName("ns", "added"),
            new ObjectName("ns", "updated"),
            new ObjectName("ns", "deleted"),
            new ObjectName("", "never-seen"));
  }

  @Test
  void keys_behindAFilter_hearsOfWhatLeavesIt() {
    List<ObjectName> names = new ArrayList<>();
    ResourceEventHandler<ApiObject> some =
        FilteringResourceEventHandler.of(
            object -> !object.metadata().labels().isEmpty(), ResourceEventHandler.keys(names::add));

    some.onAdd(out("1"), false);
    some.onUpdate(in("2"), out("3"));

    assertThat(names).containsExactly(new ObjectName("ns", "a"));
  }
}
