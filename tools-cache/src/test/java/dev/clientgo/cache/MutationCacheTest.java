package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MutationCacheTest {

  private static final String BY_VERSION = "version";

  private final FakeClock clock = FakeClock.create();
  private final Indexer<ApiObject> store =
      Indexer.create(
          KeyFunction.metaNamespace(),
          Map.of(BY_VERSION, object -> List.of("v" + object.metadata().resourceVersion())));
  private final MutationCache<ApiObject> cache = MutationCache.builder(store).clock(clock).build();
  private final MutationCache<ApiObject> withAdds =
      MutationCache.builder(store).includeAdds(true).clock(clock).build();

  private static ApiObject pod(String uid, String resourceVersion) {
    return ApiObject.of("pod", resourceVersion).withUid(uid);
  }

  private static DeletedObject<ApiObject> deleted(ApiObject object) {
    return DeletedObject.of("pod", object);
  }

  @Test
  void getByKey_givesTheNewerOfCacheAndWrite() {
    store.add(pod("uid-1", "9"));
    cache.mutation(pod("uid-1", "10"));
    assertThat(cache.getByKey("pod")).contains(pod("uid-1", "10"));

    store.update(pod("uid-1", "11"));

    assertThat(cache.getByKey("pod")).contains(pod("uid-1", "11"));
    assertThat(cache.keys()).isEmpty();
  }

  @Test
  void mutation_olderThanTheLastOne_isIgnored() {
    store.add(pod("uid-1", "1"));
    cache.mutation(pod("uid-1", "10"));

    cache.mutation(pod("uid-1", "9"));

    assertThat(cache.getByKey("pod")).contains(pod("uid-1", "10"));
  }

  @Test
  void getByKey_ofWriteThatTheCacheDoesNotHave_isShownIfAddsAreIncluded() {
    cache.mutation(pod("uid-1", "2"));
    withAdds.mutation(pod("uid-1", "2"));

    assertThat(cache.getByKey("pod")).isEmpty();
    assertThat(withAdds.getByKey("pod")).contains(pod("uid-1", "2"));
    assertThat(cache.byIndex(BY_VERSION, "v2")).isEmpty();
    assertThat(withAdds.byIndex(BY_VERSION, "v2")).containsExactly(pod("uid-1", "2"));
  }

  @Test
  void getByKey_ofOldWrite_isThatOfTheCache() {
    store.add(pod("uid-1", "1"));
    cache.mutation(pod("uid-1", "2"));

    clock.advance(Duration.ofMinutes(5));
    assertThat(cache.getByKey("pod")).contains(pod("uid-1", "2"));
    clock.advance(Duration.ofNanos(1));

    assertThat(cache.getByKey("pod")).contains(pod("uid-1", "1"));
    assertThat(cache.keys()).isEmpty();
  }

  @Test
  void mutation_beyondTheMaximum_dropsTheOneNotUsedForTheLongestTime() {
    MutationCache<ApiObject> small =
        MutationCache.builder(store).includeAdds(true).maxSize(2).clock(clock).build();
    small.mutation(ApiObject.of("a", "1"));
    small.mutation(ApiObject.of("b", "2"));
    assertThat(small.getByKey("a")).isPresent();

    small.mutation(ApiObject.of("c", "3"));

    assertThat(small.keys()).containsExactlyInAnyOrder("a", "c");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MutationCache.builder(store).maxSize(0))
        .withMessageContaining("maxSize");
  }

  /** An observed object drops a write that is not newer (TestMutationCacheOnAddOrUpdate). */
  @ParameterizedTest
  @CsvSource({"2, true", "3, true", "1, false"})
  void onAddOrUpdate_dropsTheWriteIfItIsNotNewer(String observed, boolean dropped) {
    store.add(pod("uid-1", "1"));

    cache.mutation(pod("uid-1", "2"));
    cache.onAdd(pod("uid-1", observed), false);
    assertThat(cache.getByKey("pod")).contains(pod("uid-1", dropped ? "1" : "2"));

    cache.mutation(pod("uid-1", "2"));
    cache.onUpdate(pod("uid-1", "1"), pod("uid-1", observed));
    assertThat(cache.getByKey("pod")).contains(pod("uid-1", dropped ? "1" : "2"));
  }

  /** A deletion drops the write of the deleted object (TestMutationCacheOnDelete). */
  @ParameterizedTest
  @CsvSource({"uid-1, 1, false", "uid-2, 3, false", "uid-2, 4, false", "uid-other, 1, true"})
  void onDelete_dropsTheWriteOfTheObjectThatIsGone(String uid, String version, boolean kept) {
    withAdds.mutation(pod("uid-1", "3"));

    withAdds.onDelete(deleted(pod(uid, version)));

    assertThat(withAdds.getByKey("pod").isPresent()).isEqualTo(kept);
    assertThat(withAdds.byIndex(BY_VERSION, "v3")).hasSize(kept ? 1 : 0);
  }

  /**
   * A deletion drops the write even if the cache never had the object
   * (TestMutationCacheOnDeleteClearsStaleMutation).
   */
  @Test
  void onDelete_ofObjectThatTheCacheNeverHad_dropsTheWrite() {
    withAdds.mutation(pod("uid-1", "2"));

    withAdds.onDelete(DeletedObject.ofUnknownFinalState("pod", pod("uid-1", "1")));

    assertThat(withAdds.byIndex(BY_VERSION, "v2")).isEmpty();
  }

  @Test
  void onDelete_withoutAnyState_saysNothingAboutTheWrite() {
    withAdds.mutation(pod("uid-1", "2"));

    withAdds.onDelete(DeletedObject.ofUnknownFinalState("pod", null));

    assertThat(withAdds.getByKey("pod")).isPresent();
  }

  /**
   * A write that arrives after the deletion of its object is ignored
   * (TestMutationCacheUpdateConcurrentDelete).
   */
  @Test
  void mutation_ofObjectDeletedInTheMeantime_isIgnored() {
    ApiObject updated = pod("uid-1", "2");
    withAdds.onUpdate(pod("uid-1", "1"), updated);
    withAdds.onDelete(deleted(updated));

    withAdds.mutation(updated);
    withAdds.mutation(pod("uid-1", "3"));
    withAdds.mutation(pod("uid-0", "1"));
    withAdds.mutation(pod("uid-0", "2"));

    assertThat(withAdds.getByKey("pod")).isEmpty();
    assertThat(withAdds.keys()).containsExactly("pod");

    withAdds.mutation(pod("uid-2", "4"));
    assertThat(withAdds.getByKey("pod")).contains(pod("uid-2", "4"));
  }

  /**
   * A write that arrives after its object was created again is ignored
   * (TestMutationCacheUpdateConcurrentRecreate).
   */
  @Test
  void mutation_ofObjectCreatedAnewInTheMeantime_isIgnored() {
    ApiObject updated = pod("uid-1", "2");
    ApiObject recreated = pod("uid-2", "3");
    store.add(recreated);
    withAdds.onUpdate(pod("uid-1", "1"), updated);
    withAdds.onDelete(deleted(updated));
    withAdds.onAdd(recreated, false);

    withAdds.mutation(updated);

    assertThat(withAdds.getByKey("pod")).contains(recreated);
    assertThat(withAdds.keys()).isEmpty();
  }

  @Test
  void byIndex_ofWriteThatMovedTheObject_findsItUnderItsNewValue() {
    store.add(pod("uid-1", "1"));
    cache.mutation(pod("uid-1", "2"));

    assertThat(cache.byIndex(BY_VERSION, "v1")).isEmpty();
    assertThat(cache.byIndex(BY_VERSION, "v2")).containsExactly(pod("uid-1", "2"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cache.byIndex("nope", "x"))
        .withMessageContaining("\"nope\"");
  }

  @Test
  void mutation_withVersionThatCannotBeCompared_isRefused() {
    for (String version : new String[] {"opaque", "", null}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> cache.mutation(pod("uid-1", version)))
          .withMessageContaining("resourceVersion of pod");
    }
    assertThat(cache.keys()).isEmpty();
  }
}
