package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.clientgo.cache.Transaction.Put;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class IndexerTest {

  /** An object with the values under which an index files it. */
  private record Tagged(String name, String tags) {

    static Tagged of(String name, String tags) {
      return new Tagged(name, tags);
    }

    List<String> tagList() {
      return Arrays.asList(tags.split(",", -1));
    }
  }

  private static final IndexFunction<Tagged> BY_TAG = Tagged::tagList;

  private final Indexer<Tagged> indexer = Indexer.create(Tagged::name, Map.of("tag", BY_TAG));

  private void assertIndexed(String tag, String... names) {
    assertThat(indexer.indexKeys("tag", tag)).containsExactly(names);
    assertThat(indexer.byIndex("tag", tag).stream().map(Tagged::name))
        .containsExactlyInAnyOrder(names);
  }

  /** An index finds the objects that share a value with the given one (TestIndex, doTestIndex). */
  @Test
  void index_givesObjectsWithTheSameValue() {
    indexer.add(Tagged.of("a", "b"));
    indexer.add(Tagged.of("c", "b"));
    indexer.add(Tagged.of("e", "f"));
    indexer.add(Tagged.of("g", "h"));

    assertThat(indexer.index("tag", Tagged.of("", "b")))
        .containsExactlyInAnyOrder(Tagged.of("a", "b"), Tagged.of("c", "b"));
    assertThat(indexer.index("tag", Tagged.of("", "f"))).containsExactly(Tagged.of("e", "f"));
    assertThat(indexer.index("tag", Tagged.of("", "none"))).isEmpty();
  }

  @Test
  void index_ofObjectWithSeveralValues_givesEachObjectOnce() {
    indexer.add(Tagged.of("one", "x,y"));
    indexer.add(Tagged.of("two", "y,z"));
    indexer.add(Tagged.of("three", "z"));

    assertThat(indexer.index("tag", Tagged.of("", "x,y")))
        .containsExactlyInAnyOrder(Tagged.of("one", "x,y"), Tagged.of("two", "y,z"));
  }

  /** An object is found under each of its values (TestMultiIndexKeys). */
  @Test
  void byIndex_ofObjectsWithSeveralValues_followsEachChange() {
    indexer.add(Tagged.of("one", "ernie,bert"));
    indexer.add(Tagged.of("two", "bert,oscar"));
    indexer.add(Tagged.of("tre", "ernie,elmo"));
    assertIndexed("ernie", "one", "tre");
    assertIndexed("bert", "one", "two");
    assertIndexed("elmo", "tre");
    assertIndexed("oscar", "two");
    assertIndexed("elmo1");

    indexer.delete(Tagged.of("tre", "whatever"));
    assertIndexed("ernie", "one");
    assertIndexed("elmo");

    indexer.update(Tagged.of("two", "oscar"));
    assertIndexed("bert", "one");
  }

  /**
   * An update moves an object from its old values to its new ones
   * (TestThreadSafeStoreIndexingFunctionsWithMultipleValues).
   */
  @Test
  void update_movesTheObjectFromItsOldValuesToTheNew() {
    indexer.add(Tagged.of("key1", "foo"));
    indexer.add(Tagged.of("key2", "bar"));

    indexer.update(Tagged.of("key2", "foo,bar"));
    assertIndexed("foo", "key1", "key2");
    assertIndexed("bar", "key2");

    indexer.update(Tagged.of("key1", "foo,bar"));
    indexer.add(Tagged.of("key3", "foo,bar,baz"));
    assertIndexed("foo", "key1", "key2", "key3");
    assertIndexed("bar", "key1", "key2", "key3");
    assertIndexed("baz", "key3");

    indexer.update(Tagged.of("key1", "foo"));
    indexer.update(Tagged.of("key2", "bar"));
    assertIndexed("foo", "key1", "key3");
    assertIndexed("bar", "key2", "key3");
    assertIndexed("baz", "key3");

    indexer.delete(Tagged.of("key1", ""));
    indexer.deleteByKey("key3");
    assertIndexed("foo");
    assertIndexed("bar", "key2");
    assertIndexed("baz");
  }

  /**
   * An index lists only values with objects (TestGetIndexFuncValues,
   * TestThreadSafeStoreDeleteRemovesEmptySetsFromIndex,
   * TestThreadSafeStoreAddKeepsNonEmptySetPostDeleteFromIndex).
   */
  @Test
  void listIndexFuncValues_hasNoValuesWithoutObjects() {
    indexer.add(Tagged.of("one", "bar"));
    indexer.add(Tagged.of("two", "bar"));
    indexer.add(Tagged.of("tre", "biz"));
    assertThat(indexer.listIndexFuncValues("tag")).containsExactlyInAnyOrder("bar", "biz");

    indexer.delete(Tagged.of("one", ""));
    indexer.delete(Tagged.of("tre", ""));

    assertThat(indexer.listIndexFuncValues("tag")).containsExactly("bar");
    indexer.delete(Tagged.of("two", ""));
    assertThat(indexer.listIndexFuncValues("tag")).isEmpty();
  }

  @Test
  void replace_buildsTheIndicesAnew() {
    indexer.add(Tagged.of("old", "x"));

    indexer.replace(List.of(Tagged.of("new", "y"), Tagged.of("newer", "y")), "1");

    assertIndexed("x");
    assertIndexed("y", "new", "newer");
    assertThat(indexer.listIndexFuncValues("tag")).containsExactly("y");
  }

  @Test
  void transaction_withSeveralChangesOfOneKey_indexesTheLast() {
    indexer.add(Tagged.of("one", "a"));

    indexer.transaction(
        List.of(
            new Put<>(Tagged.of("one", "b")),
            new Transaction.DeleteByKey<>("one"),
            new Put<>(Tagged.of("one", "c,d")),
            new Put<>(Tagged.of("two", "c"))));

    assertThat(indexer.listIndexFuncValues("tag")).containsExactlyInAnyOrder("c", "d");
    assertIndexed("c", "one", "two");
    assertIndexed("d", "one");
  }

  @Test
  void addIndexers_withObjectsInTheStore_indexesThem() {
    indexer.add(Tagged.of("one", "a,b"));
    indexer.add(Tagged.of("two", "a"));

    indexer.addIndexers(
        Map.of("count", tagged -> List.of(String.valueOf(tagged.tagList().size()))));
    indexer.add(Tagged.of("three", "c"));

    assertThat(indexer.indexKeys("count", "2")).containsExactly("one");
    assertThat(indexer.indexKeys("count", "1")).containsExactly("three", "two");
    assertThat(indexer.indexers()).containsOnlyKeys("tag", "count");
  }

  @Test
  void addIndexers_withANameThatIsTaken_addsNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> indexer.addIndexers(Map.of("tag", BY_TAG, "other", BY_TAG)))
        .withMessageContaining("indexer conflict")
        .withMessageContaining("[tag]");

    assertThat(indexer.indexers()).containsOnlyKeys("tag");
  }

  @Test
  void byIndex_ofUnknownIndex_fails() {
    for (Runnable query :
        List.<Runnable>of(
            () -> indexer.byIndex("nope", "x"),
            () -> indexer.indexKeys("nope", "x"),
            () -> indexer.index("nope", Tagged.of("a", "b")),
            () -> indexer.listIndexFuncValues("nope"))) {
      assertThatIllegalArgumentException()
          .isThrownBy(query::run)
          .withMessage("index with name \"nope\" does not exist, there are [tag]");
    }
  }

  @Test
  void namespaceIndex_filesObjectsOfTheClusterUnderTheEmptyString() {
    Indexer<ApiObject> objects =
        Indexer.create(
            KeyFunction.metaNamespace(),
            Map.of(Indexer.NAMESPACE_INDEX, IndexFunction.metaNamespace()));
    objects.add(ApiObject.of("ns/pod", "1"));
    objects.add(ApiObject.of("node", "2"));

    assertThat(objects.indexKeys(Indexer.NAMESPACE_INDEX, "ns")).containsExactly("ns/pod");
    assertThat(objects.indexKeys(Indexer.NAMESPACE_INDEX, "")).containsExactly("node");
  }

  /** Fails on objects with the tag "bad". */
  private static List<String> pickyValues(Tagged tagged) {
    if (tagged.tagList().contains("bad")) {
      throw new UnsupportedOperationException("bad tag");
    }
    return tagged.tagList();
  }

  /** Otherwise the error would end the thread that fills the cache, and lose the other objects. */
  @Test
  void add_indexFunctionFailsWithAnError_isRefusedLikeAnyOther() {
    Indexer<Tagged> strict =
        Indexer.create(
            Tagged::name,
            Map.of(
                "strict",
                tagged -> {
                  throw new AssertionError("never");
                }));

    assertThatIllegalStateException()
        .isThrownBy(() -> strict.add(Tagged.of("one", "a")))
        .withMessageContaining("\"strict\" failed on the object \"one\"")
        .withCauseInstanceOf(AssertionError.class);
    assertThat(strict.list()).isEmpty();
  }

  @Test
  void change_whoseIndexFunctionFails_throwsAndChangesNothing() {
    indexer.add(Tagged.of("one", "a"));
    indexer.addIndexers(Map.of("picky", IndexerTest::pickyValues));
    List<Tagged> before = indexer.list();

    for (Runnable change :
        List.<Runnable>of(
            () -> indexer.add(Tagged.of("new", "good,bad")),
            () -> indexer.update(Tagged.of("one", "bad")),
            () -> indexer.replace(List.of(Tagged.of("x", "y"), Tagged.of("new", "bad")), "7"))) {
      assertThatIllegalStateException()
          .isThrownBy(change::run)
          .withMessageContaining("\"picky\"")
          .withMessageContaining("bad tag")
          .withCauseInstanceOf(UnsupportedOperationException.class);
    }

    assertThat(indexer.list()).isEqualTo(before);
    assertIndexed("a", "one");
    assertThat(indexer.listIndexFuncValues("tag")).containsExactly("a");
    assertThat(indexer.listIndexFuncValues("picky")).containsExactly("a");
    assertThat(indexer.lastStoreSyncResourceVersion()).isEmpty();
    indexer.update(Tagged.of("one", "b"));
    assertIndexed("b", "one");
  }

  @Test
  void transaction_withAnObjectOnWhichAnIndexFunctionFails_makesTheOtherChanges() {
    indexer.addIndexers(Map.of("picky", IndexerTest::pickyValues));
    indexer.add(Tagged.of("two", "old"));

    assertThatExceptionOfType(TransactionException.class)
        .isThrownBy(
            () ->
                indexer.transaction(
                    List.of(
                        new Put<>(Tagged.of("one", "a")),
                        new Put<>(Tagged.of("two", "bad")),
                        new Put<>(Tagged.of("three", "a")))))
        .satisfies(e -> assertThat(e.successfulIndices()).containsExactly(0, 2))
        .withMessageContaining("\"two\"");

    assertIndexed("a", "one", "three");
    assertIndexed("old", "two");
    assertIndexed("bad");
  }

  @Test
  void addIndexers_whoseFunctionFails_addsNone() {
    indexer.add(Tagged.of("one", "bad"));

    assertThatIllegalStateException()
        .isThrownBy(() -> indexer.addIndexers(Map.of("picky", IndexerTest::pickyValues)));

    assertThat(indexer.indexers()).containsOnlyKeys("tag");
  }

  @Test
  void add_withIndexFunctionThatGivesNull_throwsAndChangesNothing() {
    indexer.addIndexers(
        Map.of("null", tagged -> tagged.name().equals("list") ? null : Arrays.asList("x", null)));

    for (String name : List.of("list", "element")) {
      assertThatIllegalStateException()
          .isThrownBy(() -> indexer.add(Tagged.of(name, "a")))
          .withMessageContaining("\"null\"");
    }

    assertThat(indexer.list()).isEmpty();
    assertThat(indexer.listIndexFuncValues("tag")).isEmpty();
  }

  /** There are two ways to return a null value; the error names the remedy. */
  @Test
  void add_withIndexFunctionThatGivesANullValue_errorNamesOfNullable() {
    List<IndexFunction<Tagged>> functions =
        List.of(tagged -> List.of(nothing()), tagged -> Arrays.asList("x", null));
    for (IndexFunction<Tagged> function : functions) {
      Indexer<Tagged> indexer = Indexer.create(Tagged::name, Map.of("byNode", function));

      assertThatIllegalStateException()
          .isThrownBy(() -> indexer.add(Tagged.of("a", "")))
          .withMessage(
              "the index function of \"byNode\" failed on the object \"a\": a value of its list is"
                  + " null; use IndexFunction.ofNullable if objects may have no value");
    }
  }

  private static String nothing() {
    return null;
  }

  /** Another mistake, for which ofNullable is no remedy. */
  @Test
  void add_withIndexFunctionThatMeetsNull_errorDoesNotNameOfNullable() {
    IndexFunction<Tagged> function = tagged -> List.of(nothing().trim());
    Indexer<Tagged> indexer = Indexer.create(Tagged::name, Map.of("byNode", function));

    assertThatIllegalStateException()
        .isThrownBy(() -> indexer.add(Tagged.of("a", "")))
        .withMessageContaining("NullPointerException")
        .withMessageNotContaining("ofNullable");
  }

  @Test
  void ofNullable_leavesObjectsWithoutTheValueOut() {
    IndexFunction<Tagged> byTag =
        IndexFunction.ofNullable(tagged -> tagged.tags().isEmpty() ? null : tagged.tags());
    Indexer<Tagged> indexer = Indexer.create(Tagged::name, Map.of("byTag", byTag));

    indexer.add(Tagged.of("a", "x"));
    indexer.add(Tagged.of("b", ""));

    assertThat(indexer.indexKeys("byTag", "x")).containsExactly("a");
    assertThat(indexer.listIndexFuncValues("byTag")).containsExactly("x");
    assertThat(indexer.listKeys()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void indexFunctionThatIsNotPure_leavesNoOldObjects() {
    List<String> values = new ArrayList<>(List.of("a"));
    Indexer<Tagged> impure =
        Indexer.create(Tagged::name, Map.of("tag", tagged -> List.copyOf(values)));
    impure.add(Tagged.of("one", ""));

    values.set(0, "b");
    impure.update(Tagged.of("one", "new"));

    assertThat(impure.byIndex("tag", "a")).isEmpty();
    assertThat(impure.byIndex("tag", "b")).containsExactly(Tagged.of("one", "new"));

    values.set(0, "c");
    impure.deleteByKey("one");

    assertThat(impure.byIndex("tag", "b")).isEmpty();
    assertThat(impure.index("tag", Tagged.of("", ""))).isEmpty();
  }

  @Test
  void read_whileAnIndexFunctionHangs_doesNotWait() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    indexer.add(Tagged.of("one", "a"));
    indexer.addIndexers(
        Map.of(
            "slow",
            tagged -> {
              if (tagged.name().equals("slow")) {
                entered.countDown();
                try {
                  release.await();
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              }
              return List.of();
            }));
    Thread writer = new Thread(() -> indexer.add(Tagged.of("slow", "a")));
    writer.start();
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();

    assertIndexed("a", "one");
    assertThat(indexer.list()).hasSize(1);
    assertThat(indexer.getByKey("slow")).isEmpty();

    release.countDown();
    writer.join(TimeUnit.SECONDS.toMillis(30));
    assertIndexed("a", "one", "slow");
  }

  @Test
  void indexFunctionThatReadsTheStore_doesNotDeadlock() {
    indexer.add(Tagged.of("one", "a"));
    indexer.addIndexers(Map.of("size", tagged -> List.of(String.valueOf(indexer.list().size()))));

    indexer.add(Tagged.of("two", "a"));

    assertThat(indexer.listIndexFuncValues("size")).containsExactly("1");
  }
}
