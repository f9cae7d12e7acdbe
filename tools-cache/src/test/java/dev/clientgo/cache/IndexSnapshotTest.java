package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.cache.Transaction.Put;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class IndexSnapshotTest {

  private static final String BY_VERSION = "version";

  private final Indexer<ApiObject> indexer =
      Indexer.create(
          KeyFunction.metaNamespace(),
          Map.of(
              Indexer.NAMESPACE_INDEX,
              IndexFunction.metaNamespace(),
              BY_VERSION,
              IndexSnapshotTest::version));

  private static List<String> version(KubernetesObject object) {
    String version = object.metadata().resourceVersion();
    if (version == null || version.startsWith("-")) {
      throw new UnsupportedOperationException("no index for " + version);
    }
    return List.of(version);
  }

  private static List<String> names(List<ApiObject> objects) {
    return objects.stream().map(object -> object.metadata().name()).sorted().toList();
  }

  @Test
  void snapshot_afterEachKindOfChange_showsTheStateOfItsMoment() {
    indexer.replace(List.of(ApiObject.of("a", "1"), ApiObject.of("b", "2")), "5");
    IndexSnapshot<ApiObject> before = indexer.snapshot();
    List<ApiObject> list = indexer.list();

    indexer.update(ApiObject.of("a", "6"));
    indexer.delete(ApiObject.of("b", "7"));
    indexer.add(ApiObject.of("c", "8"));
    indexer.bookmark("9");
    indexer.addIndexers(Map.of("more", object -> List.of("all")));
    indexer.replace(List.of(ApiObject.of("d", "10")), "11");

    assertThat(before.resourceVersion()).isEqualTo("5");
    assertThat(before.size()).isEqualTo(2);
    assertThat(names(before.list())).containsExactly("a", "b");
    assertThat(before.listKeys()).containsExactlyInAnyOrder("a", "b");
    assertThat(before.getByKey("a")).hasValueSatisfying(a -> assertThat(version(a)).contains("1"));
    assertThat(before.getByKey("c")).isEmpty();
    assertThat(names(before.byIndex(BY_VERSION, "2"))).containsExactly("b");
    assertThat(before.listIndexFuncValues(BY_VERSION)).containsExactlyInAnyOrder("1", "2");
    assertThat(before.indexers()).doesNotContainKey("more");
    assertThat(before).hasToString("IndexSnapshot[size=2, resourceVersion=5]");
    assertThat(names(list)).containsExactly("a", "b");
    assertThat(indexer.snapshot().resourceVersion()).isEqualTo("11");
    assertThat(names(indexer.snapshot().byIndex("more", "all"))).containsExactly("d");
  }

  @Test
  void with_andWithout_changeAllReadsOfTheNewSnapshot_andNothingElse() {
    indexer.replace(List.of(ApiObject.of("a", "1"), ApiObject.of("b", "2")), "5");
    IndexSnapshot<ApiObject> before = indexer.snapshot();

    IndexSnapshot<ApiObject> after =
        before.with("a", ApiObject.of("a", "6")).with("c", ApiObject.of("c", "6")).without("b");

    assertThat(names(after.byIndex(BY_VERSION, "6"))).containsExactly("a", "c");
    assertThat(after.byIndex(BY_VERSION, "1")).isEmpty();
    assertThat(after.indexKeys(Indexer.NAMESPACE_INDEX, "")).containsExactly("a", "c");
    assertThat(after.size()).isEqualTo(2);
    assertThat(after.resourceVersion()).isEqualTo("5");
    assertThat(names(before.list())).containsExactly("a", "b");
    assertThat(names(indexer.list())).containsExactly("a", "b");
  }

  @Test
  void with_ofAnObjectThatAnIndexRefuses_hasItInTheOtherReads() {
    indexer.add(ApiObject.of("a", "1"));
    ApiObject refused = ApiObject.of("a", "-1");
    assertThatIllegalStateException().isThrownBy(() -> indexer.update(refused));

    IndexSnapshot<ApiObject> after = indexer.snapshot().with("a", refused);

    assertThat(after.getByKey("a")).containsSame(refused);
    assertThat(after.byIndex(Indexer.NAMESPACE_INDEX, "")).containsExactly(refused);
    assertThat(after.listIndexFuncValues(BY_VERSION)).isEmpty();
    assertThat(after.without("a").list()).isEmpty();
  }

  @Test
  void byIndex_ofAFunctionThatReturnsAValueTwice_hasEachObjectOnce() {
    indexer.replace(List.of(ApiObject.of("a", "1"), ApiObject.of("b", "2")), "5");
    indexer.addIndexers(Map.of("twice", object -> List.of("x", "y", "x")));

    assertThat(names(indexer.byIndex("twice", "x"))).containsExactly("a", "b");
    indexer.add(ApiObject.of("c", "6"));
    assertThat(names(indexer.byIndex("twice", "x"))).containsExactly("a", "b", "c");
    indexer.replace(List.of(ApiObject.of("d", "7")), "7");
    assertThat(names(indexer.byIndex("twice", "x"))).containsExactly("d");
    indexer.deleteByKey("d");
    assertThat(indexer.listIndexFuncValues("twice")).isEmpty();
  }

  @Test
  void lister_ofASnapshot_keepsReadingThatState() {
    indexer.add(ApiObject.of("a", "1"));
    Lister<ApiObject> lister = Lister.of(indexer, new GroupResource("", "things"));
    Lister<ApiObject> snapshot = lister.snapshot();

    indexer.deleteByKey("a");

    assertThat(lister.find("a")).isEmpty();
    assertThat(snapshot.find("a")).isPresent();
    assertThat(snapshot.list(Selector.everything())).hasSize(1);
    assertThat(snapshot.inNamespace("").list()).hasSize(1);
  }

  @Test
  void byIndex_ofAnUnknownIndex_namesThoseThatThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> indexer.snapshot().byIndex("node", "n1"))
        .withMessageStartingWith("index with name \"node\" does not exist, there are [")
        .withMessageContaining(BY_VERSION);
  }

  /**
   * A writer gives two objects a new version at a time, one that is also that of the collection.
   * Readers that take a snapshot in between must see both or none, in each of its reads.
   */
  @Test
  void snapshot_takenWhileAWriterWorks_agreesWithItself() throws Exception {
    int changes = 20_000;
    AtomicBoolean done = new AtomicBoolean();
    indexer.replace(List.of(ApiObject.of("a", "0"), ApiObject.of("b", "0")), "0");
    ExecutorService readers = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> reads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        reads.add(readers.submit(() -> readUntil(done)));
      }
      for (int i = 1; i <= changes; i++) {
        String version = Integer.toString(i);
        indexer.transaction(
            List.of(new Put<>(ApiObject.of("a", version)), new Put<>(ApiObject.of("b", version))));
      }
      done.set(true);
      for (Future<Integer> read : reads) {
        assertThat(read.get(60, TimeUnit.SECONDS)).isPositive();
      }
    } finally {
      done.set(true);
      readers.shutdownNow();
    }
    assertThat(indexer.snapshot().resourceVersion()).isEqualTo(Integer.toString(changes));
  }

  private int readUntil(AtomicBoolean done) {
    int reads = 0;
    int last = 0;
    while (!done.get() || reads == 0) {
      IndexSnapshot<ApiObject> snapshot = indexer.snapshot();
      String version = snapshot.resourceVersion();
      assertThat(Integer.parseInt(version)).isGreaterThanOrEqualTo(last);
      assertThat(snapshot.listIndexFuncValues(BY_VERSION)).containsExactly(version);
      assertThat(snapshot.indexKeys(BY_VERSION, version)).containsExactly("a", "b");
      for (ApiObject object : snapshot.list()) {
        assertThat(object.metadata().resourceVersion()).isEqualTo(version);
      }
      last = Integer.parseInt(version);
      reads++;
    }
    return reads;
  }
}
