package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.cache.internal.threads.VersionSignal;
import dev.clientgo.clock.Clock;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ControllerTest {

  private static final KeyFunction<ApiObject> KEY = KeyFunction.metaNamespace();

  /** The names of objects on which the index function fails. */
  private final Set<String> refused = new HashSet<>();

  private final ThreadSafeStore<ApiObject> store =
      new ThreadSafeStore<>(KEY, Map.of("refusing", this::index));
  private final RecordingHandler handler = new RecordingHandler();
  private final Controller<ApiObject> controller = telling(handler);

  private Controller<ApiObject> telling(ResourceEventHandler<ApiObject> handler) {
    RealFIFO<ApiObject> queue = queue(true);
    return new Controller<>(
        Reflector.builder(new FakeServer(), queue).build(),
        queue,
        store,
        notifications -> notifications.forEach(each -> each.deliver(handler)),
        () -> {},
        new VersionSignal(Clock.system(), store::lastStoreSyncResourceVersion));
  }

  private List<String> index(ApiObject object) {
    if (refused.contains(RecordingHandler.describe(object))) {
      throw new IllegalStateException("refused");
    }
    return List.of();
  }

  private List<String> stored() {
    return store.list().stream().map(RecordingHandler::describe).sorted().toList();
  }

  private static Delta<ApiObject> added(String key, String version) {
    return new Delta.Added<>(key, ApiObject.of(key, version));
  }

  private static Delta<ApiObject> updated(String key, String version) {
    return new Delta.Updated<>(key, ApiObject.of(key, version));
  }

  private static Delta<ApiObject> deleted(String key, String version) {
    return new Delta.Deleted<>(DeletedObject.of(key, ApiObject.of(key, version)));
  }

  private static Delta<ApiObject> replacedAll(String version, ApiObject... objects) {
    Map<String, ApiObject> byKey = new LinkedHashMap<>();
    for (ApiObject object : objects) {
      byKey.put(KEY.keyOf(object), object);
    }
    return new Delta.ReplacedAll<>(byKey, Set.of(), version);
  }

  private RealFIFO<ApiObject> queue(boolean atomic) {
    RealFIFO.Builder<ApiObject> builder = RealFIFO.builder(KEY);
    if (!atomic) {
      builder.knownObjects(
          new KnownObjects<>() {
            @Override
            public List<String> listKeys() {
              return store.listKeys();
            }

            @Override
            public Optional<ApiObject> getByKey(String key) {
              return store.getByKey(key);
            }
          });
    }
    return builder.build();
  }

  private void drain(RealFIFO<ApiObject> queue) throws InterruptedException {
    queue.close();
    while (queue.popBatch(controller::processDeltasInBatch, controller::processDeltas)) {}
  }

  // ---- one by one

  @Test
  void storeDecidesBetweenAddAndUpdate() {
    controller.processDeltas(List.of(updated("a", "1")), true);
    controller.processDeltas(List.of(added("a", "2")), false);
    controller.processDeltas(List.of(new Delta.Replaced<>("b", ApiObject.of("b", "3"))), false);
    controller.processDeltas(List.of(new Delta.Sync<>("b", ApiObject.of("b", "3"))), false);

    assertThat(handler.events())
        .containsExactly("add a@1 initial", "update a@1 2", "add b@3", "update b@3 3");
    assertThat(stored()).containsExactly("a@2", "b@3");
  }

  /** Handlers receive a deletion even if the store did not have the object. */
  @Test
  void deletion_isAlwaysTold() {
    controller.processDeltas(List.of(added("a", "1"), deleted("a", "2"), deleted("b", "3")), false);

    assertThat(handler.events()).containsExactly("add a@1", "delete a@2", "delete b@3");
    assertThat(stored()).isEmpty();
  }

  @Test
  void deletionOfUnknownFinalState_removesByKey() {
    controller.processDeltas(List.of(added("a", "1")), false);

    controller.processDeltas(
        List.of(new Delta.Deleted<>(DeletedObject.ofUnknownFinalState("a", null))), false);

    assertThat(handler.events()).containsExactly("add a@1", "delete a@1 unknown");
    assertThat(stored()).isEmpty();
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("1");
  }

  /** For instance an object of which no state could be read. */
  @Test
  void deletionOfAnObjectOfWhichNoStateIsKnown_isNotTold() {
    Delta<ApiObject> deletion = new Delta.Deleted<>(DeletedObject.ofUnknownFinalState("a", null));

    controller.processDeltas(List.of(deletion), false);
    controller.processDeltasInBatch(List.of(deletion), false);

    assertThat(handler.events()).isEmpty();
  }

  @Test
  void syncAll_tellsOfEachStoredObject() {
    controller.processDeltas(List.of(added("a", "1"), added("b", "2")), false);

    controller.processDeltas(List.of(new Delta.SyncAll<>()), false);

    assertThat(handler.events().subList(2, 4))
        .containsExactlyInAnyOrder("update a@1 1", "update b@2 2");
  }

  /** The version of the store follows every delta (TestStoreResourceVersion). */
  @Test
  void storeVersion_followsEveryDelta() {
    controller.processDeltas(List.of(replacedAll("10", ApiObject.of("a", "1"))), true);
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("10");
    controller.processDeltas(List.of(added("b", "11")), false);
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("11");
    controller.processDeltas(List.of(new Delta.Bookmark<>("12")), false);
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("12");
    controller.processDeltas(List.of(deleted("b", "13")), false);
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("13");
    controller.processDeltasInBatch(List.of(updated("a", "14"), added("c", "15")), false);
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("15");
  }

  // ---- lists

  /**
   * Handlers hear the same, whether the queue or the controller splits a list (TestReplaceEvents).
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void list_isToldAsDeletionsThenUpdatesAndAdditions(boolean atomic) throws InterruptedException {
    RealFIFO<ApiObject> queue = queue(atomic);
    controller.processDeltas(List.of(added("p1", "1"), added("p2", "2"), added("p3", "3")), false);

    queue.replace(
        List.of(ApiObject.of("p1", "4"), ApiObject.of("p2", "5"), ApiObject.of("p4", "6")), "6");
    drain(queue);

    assertThat(handler.events().subList(3, 7))
        .containsExactly(
            "delete p3@3 unknown", "update p1@1 4", "update p2@2 5", "add p4@6 initial");
    assertThat(stored()).containsExactly("p1@4", "p2@5", "p4@6");
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("6");
  }

  /** An object that is listed but cannot be decoded exists, so it keeps its last state. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void list_unreadableObject_staysAsItIs(boolean atomic) throws InterruptedException {
    RealFIFO<ApiObject> queue = queue(atomic);
    controller.processDeltas(List.of(added("p1", "1"), added("p2", "2"), added("p3", "3")), false);

    queue.update(ApiObject.of("p1", "4"));
    queue.replace(List.of(ApiObject.of("p2", "5")), Set.of("p1", "unknown"), "6");
    drain(queue);

    assertThat(handler.events().subList(3, handler.events().size()))
        .containsExactly("update p1@1 4", "delete p3@3 unknown", "update p2@2 5");
    assertThat(stored()).containsExactly("p1@4", "p2@5");
  }

  @Test
  void list_unreadableObject_staysInPlainStore() {
    store.add(ApiObject.of("p1", "1"));
    store.add(ApiObject.of("p3", "3"));

    store.replace(List.of(ApiObject.of("p2", "5")), Set.of("p1", "unknown"), "6");

    assertThat(stored()).containsExactly("p1@1", "p2@5");
  }

  @Test
  void list_storeShowsItBeforeTheFirstEvent() {
    controller.processDeltas(List.of(added("a", "1")), false);
    ResourceEventHandler<ApiObject> looking =
        new ResourceEventHandler<>() {
          @Override
          public void onDelete(DeletedObject<ApiObject> deleted) {
            assertThat(stored()).containsExactly("b@2");
          }
        };

    telling(looking).processDeltas(List.of(replacedAll("2", ApiObject.of("b", "2"))), false);
  }

  /** Unlike client-go, where a failing index function is a panic. */
  @Test
  void list_objectThatCannotBeIndexed_keepsItsLastStateAndOthersGoIn() {
    controller.processDeltas(
        List.of(replacedAll("2", ApiObject.of("a", "1"), ApiObject.of("b", "2"))), true);
    refused.add("a@3");
    refused.add("c@4");

    assertThatThrownBy(
            () ->
                controller.processDeltas(
                    List.of(
                        replacedAll(
                            "9",
                            ApiObject.of("a", "3"),
                            ApiObject.of("c", "4"),
                            ApiObject.of("d", "5"))),
                    false))
        .isInstanceOf(TransactionException.class)
        .hasMessageContaining("failed to execute (2/4) transactions")
        .hasMessageContaining("\"refusing\" failed on the object \"a\"");

    assertThat(handler.events().subList(2, 4)).containsExactly("delete b@2 unknown", "add d@5");
    assertThat(stored()).containsExactly("a@1", "d@5");
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("9");
  }

  // ---- batches

  static Stream<Arguments> batches() {
    return Stream.of(
        argumentSet("all succeed", List.of("a"), List.of(), List.of("add a@1 initial"), ""),
        argumentSet("all fail", List.of("a"), List.of("a"), List.of(), "(1/1)"),
        argumentSet(
            "last fails", List.of("a", "b"), List.of("b"), List.of("add a@1 initial"), "(1/2)"),
        argumentSet(
            "middle fails",
            List.of("a", "b", "c"),
            List.of("b"),
            List.of("add a@1 initial", "add c@1 initial"),
            "(1/3)"));
  }

  /** Handlers receive the changes of a batch that the store accepted (TestProcessDeltasInBatch). */
  @ParameterizedTest
  @MethodSource("batches")
  void batch_tellsOfWhatSucceeded(
      List<String> keys, List<String> failing, List<String> events, String failure) {
    failing.forEach(key -> refused.add(key + "@1"));
    List<Delta<ApiObject>> deltas = keys.stream().map(key -> added(key, "1")).toList();

    if (failure.isEmpty()) {
      controller.processDeltasInBatch(deltas, true);
    } else {
      assertThatThrownBy(() -> controller.processDeltasInBatch(deltas, true))
          .hasMessageContaining("failed to execute " + failure + " transactions");
    }

    assertThat(handler.events()).isEqualTo(events);
    assertThat(stored()).hasSize(events.size());
  }

  @Test
  void batch_storeShowsAllOfItBeforeTheFirstEvent() {
    ResourceEventHandler<ApiObject> looking =
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(ApiObject object, boolean isInInitialList) {
            assertThat(stored()).containsExactly("a@1", "b@1");
          }
        };

    telling(looking).processDeltasInBatch(List.of(added("a", "1"), added("b", "1")), false);
  }

  @Test
  void batch_ofWholeCollection_isRefused() {
    assertThatThrownBy(
            () ->
                controller.processDeltasInBatch(
                    List.of(added("a", "1"), new Delta.SyncAll<>()), false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("SYNC_ALL");
    assertThat(stored()).isEmpty();
  }
}
