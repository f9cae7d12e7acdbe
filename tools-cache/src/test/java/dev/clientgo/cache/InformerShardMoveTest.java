package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardRange;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.InformerHealth.Shard.FilteredBy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An informer whose shard changes lists only what is new in it. */
final class InformerShardMoveTest extends ShardFixture {

  private static final List<ShardRange> THIRDS = ShardRange.split(3);
  private static final ShardSelector FIRST = ShardSelector.of(ShardField.UID, THIRDS.get(0));
  private static final ShardSelector SECOND = ShardSelector.of(ShardField.UID, THIRDS.get(1));
  private static final ShardSelector LAST = ShardSelector.of(ShardField.UID, THIRDS.get(2));
  private static final ShardSelector TWO_THIRDS =
      ShardSelector.of(ShardField.UID, THIRDS.get(0), THIRDS.get(1));

  private SharedIndexInformer<ApiObject> started(ShardSelector shard) throws InterruptedException {
    SharedIndexInformer<ApiObject> informer =
        informer(
            SharedIndexInformer.builder(server).shard(shard),
            ReflectorOptions.builder().backoff(Backoff.builder(Duration.ofMillis(1)).build()));
    informer.addEventHandler(handler);
    informer.start();
    assertThat(informer.awaitShard(SOON)).isTrue();
    handler.await(onServer(shard).size());
    server.awaitWatch();
    server.forgetRequests();
    return informer;
  }

  private List<String> listed() {
    return server.requests().stream()
        .filter(request -> !request.isWatch())
        .map(request -> String.valueOf(request.options().shardSelector()))
        .toList();
  }

  private List<FakeServer.Request> watched() {
    return server.requests().stream().filter(FakeServer.Request::isWatch).toList();
  }

  /** Does something when the server receives the first list, before it answers. */
  private void beforeTheList(Runnable action) {
    beforeTheList(action, () -> {});
  }

  /** Does something before the first list, and before the first watch. */
  private void beforeTheList(Runnable list, Runnable watch) {
    Set<Boolean> done = new HashSet<>();
    server.onRequest(
        request -> {
          if (done.add(request.isWatch())) {
            (request.isWatch() ? watch : list).run();
          }
          return request;
        });
  }

  private void moveTo(SharedIndexInformer<ApiObject> informer, ShardSelector shard)
      throws InterruptedException {
    informer.shard(shard);
    assertThat(informer.awaitShard(SOON)).isTrue();
  }

  /** Waits until the cache and the handlers show the server's state. */
  private void converge(SharedIndexInformer<ApiObject> informer, ShardSelector shard)
      throws InterruptedException {
    String key = "zz/end" + server.version();
    ApiObject last = create(key, shard);
    handler.awaitEvent(event -> event.equals("add " + RecordingHandler.describe(last)));
    assertThat(cached(informer)).isEqualTo(onServer(shard));
    assertThat(handler.replay()).isEqualTo(onServer(shard));
  }

  private List<String> eventsSince(int count) {
    return handler.events().subList(count, handler.events().size());
  }

  // ---- what is requested

  @Test
  void growth_listsWhatIsNew_andWatchesFromBefore() throws InterruptedException {
    create("d/a", FIRST);
    create("d/b", SECOND);
    create("d/c", LAST);
    SharedIndexInformer<ApiObject> informer = started(FIRST);
    String before = informer.lastSyncResourceVersion();
    beforeTheList(() -> create("d/b2", SECOND));

    moveTo(informer, TWO_THIRDS);
    converge(informer, TWO_THIRDS);

    assertThat(listed()).containsExactly(SECOND.toString());
    assertThat(watched()).hasSize(1);
    assertThat(watched().get(0).options().resourceVersion()).isEqualTo(before);
    assertThat(watched().get(0).options().shardSelector()).isEqualTo(TWO_THIRDS.toString());
    assertThat(handler.events())
        .containsExactly("add d/a@1 initial", "add d/b@2", "add d/b2@4", "add zz/end4@5");
  }

  @Test
  void growthToEverything_listsTheRest() throws InterruptedException {
    create("d/a", FIRST);
    create("d/b", SECOND);
    create("d/c", LAST);
    SharedIndexInformer<ApiObject> informer = started(SECOND);
    beforeTheList(() -> change("d/a"));

    moveTo(informer, ShardSelector.EVERYTHING);
    converge(informer, ShardSelector.EVERYTHING);

    assertThat(listed())
        .containsExactly(ShardSelector.of(ShardField.UID, THIRDS.get(0), THIRDS.get(2)).toString());
    assertThat(watched().get(0).options().shardSelector()).isNull();
    assertThat(handler.events()).noneMatch(event -> event.startsWith("update"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reduction_listsNothing(boolean supported) throws InterruptedException {
    server.supportShards(supported);
    create("d/a", FIRST);
    create("d/b", SECOND);
    SharedIndexInformer<ApiObject> informer = started(TWO_THIRDS);

    moveTo(informer, FIRST);
    converge(informer, FIRST);

    assertThat(listed()).isEmpty();
    assertThat(handler.events()).contains("delete d/b@2 left").doesNotContain("delete d/a@1 left");
  }

  @Test
  void exchange_listsTheNewAndDropsTheOld() throws InterruptedException {
    create("d/a", FIRST);
    create("d/b", SECOND);
    create("d/c", LAST);
    SharedIndexInformer<ApiObject> informer = started(TWO_THIRDS);
    ShardSelector next = ShardSelector.of(ShardField.UID, THIRDS.get(1), THIRDS.get(2));

    moveTo(informer, next);
    converge(informer, next);

    assertThat(listed()).containsExactly(LAST.toString());
    assertThat(handler.events()).contains("delete d/a@1 left", "add d/c@3");
  }

  @Test
  void nothingInCommon_listsAll() throws InterruptedException {
    create("d/a", FIRST);
    create("d/c", LAST);
    SharedIndexInformer<ApiObject> informer = started(FIRST);

    moveTo(informer, LAST);
    converge(informer, LAST);

    assertThat(listed()).containsExactly(LAST.toString());
  }

  @Test
  void serverWithoutShards_listsAll() throws InterruptedException {
    server.supportShards(false);
    create("d/a", FIRST);
    create("d/b", SECOND);
    create("d/c", LAST);
    SharedIndexInformer<ApiObject> informer = started(FIRST);

    moveTo(informer, TWO_THIRDS);
    converge(informer, TWO_THIRDS);

    assertThat(listed()).containsExactly(TWO_THIRDS.toString());
  }

  /** For instance another server after a change of its configuration. */
  @Test
  void serverThatIgnoresTheSelectorOfThePart_isNoticed() throws InterruptedException {
    create("d/a", FIRST);
    create("d/b", SECOND);
    create("d/c", LAST);
    SharedIndexInformer<ApiObject> informer = started(FIRST);
    beforeTheList(() -> server.supportShards(false));

    moveTo(informer, TWO_THIRDS);
    converge(informer, TWO_THIRDS);

    assertThat(informer.health().shard().orElseThrow().filteredBy()).isEqualTo(FilteredBy.CLIENT);
    moveTo(informer, ShardSelector.EVERYTHING);
    converge(informer, ShardSelector.EVERYTHING);
    assertThat(listed()).containsExactly(SECOND.toString(), "null");
  }

  // ---- what happens meanwhile

  @Test
  void changesBeforeTheList_reachHandlersOnce() throws InterruptedException {
    for (String name : List.of("1", "2", "3")) {
      create("a/" + name, FIRST);
      create("b/" + name, SECOND);
    }
    SharedIndexInformer<ApiObject> informer = started(FIRST);
    int count = handler.events().size();
    beforeTheList(
        () -> {
          change("a/1"); // 7
          change("b/1"); // 8
          server.delete("a/2"); // 9
          server.delete("b/2"); // 10
          create("a/4", FIRST); // 11
          create("b/4", SECOND); // 12
          server.delete("b/3"); // 13
          create("b/3", SECOND); // 14
        },
        () -> {
          change("a/1"); // 15
          change("b/1"); // 16
        });

    moveTo(informer, TWO_THIRDS);
    handler.awaitEvent(event -> event.equals("update b/1@8 16"));
    converge(informer, TWO_THIRDS);

    assertThat(listed()).containsExactly(SECOND.toString());
    List<String> events =
        eventsSince(count).stream().filter(event -> !event.contains("zz/end")).toList();
    assertThat(events.subList(0, 3))
        .containsExactlyInAnyOrder("add b/1@8", "add b/3@14", "add b/4@12");
    assertThat(events.subList(3, events.size()))
        .containsExactly(
            "update a/1@1 7", "delete a/2@9", "add a/4@11", "update a/1@7 15", "update b/1@8 16");
  }

  /** The events of the former object come after a list that shows the latter. */
  @Test
  void nameThatAnObjectOfTheNewPartTakesOver_keepsThatObject() throws InterruptedException {
    create("d/a", FIRST);
    SharedIndexInformer<ApiObject> informer = started(FIRST);
    beforeTheList(
        () -> {
          change("d/a"); // 2
          server.delete("d/a"); // 3
          create("d/a", SECOND); // 4
        });

    moveTo(informer, TWO_THIRDS);
    converge(informer, TWO_THIRDS);

    assertThat(listed()).containsExactly(SECOND.toString());
    assertThat(handler.events())
        .containsExactly("add d/a@1 initial", "update d/a@1 4", "add zz/end4@5");
  }

  @Test
  void nameThatAnObjectOfTheOldPartTakesOver_keepsThatObject() throws InterruptedException {
    create("d/a", SECOND);
    SharedIndexInformer<ApiObject> informer = started(FIRST);
    beforeTheList(
        () -> {
          server.delete("d/a");
          create("d/a", FIRST);
        });

    moveTo(informer, TWO_THIRDS);
    converge(informer, TWO_THIRDS);

    assertThat(handler.events()).containsExactly("add d/a@3", "add zz/end3@4");
  }

  /** Whose deletion it is, of which version, cannot be seen. */
  @Test
  void undecodableDeletionThatTheListShows_deletesNoLaterObject() throws InterruptedException {
    create("d/b", SECOND);
    create("d/a", FIRST);
    SharedIndexInformer<ApiObject> informer = started(FIRST);
    beforeTheList(
        () -> {
          server.delete("d/b");
          create("d/b", SECOND);
        },
        () -> server.undecodable("d/b", true));

    moveTo(informer, TWO_THIRDS);
    handler.awaitEvent(event -> event.startsWith("add d/b"));
    converge(informer, ShardSelector.of(ShardField.UID, THIRDS.get(0), THIRDS.get(1)));
    assertThat(handler.events()).noneMatch(event -> event.startsWith("delete d/b"));
  }

  @Test
  void watchFromBefore_thatHasExpired_isFollowedByAListThatIsNotOlder()
      throws InterruptedException {
    create("d/a", FIRST);
    create("d/b", SECOND);
    SharedIndexInformer<ApiObject> informer = started(FIRST);
    beforeTheList(
        () -> {
          change("d/a"); // 3
          change("d/b"); // 4
        },
        () -> {
          throw FakeServer.error(StatusReason.EXPIRED, 410, "too old resource version");
        });

    moveTo(informer, TWO_THIRDS);
    // The next server that answers has a cache that is behind that of the one before.
    handler.awaitEvent(event -> event.equals("add d/b@4"));
    converge(informer, TWO_THIRDS);

    assertThat(listed()).containsExactly(SECOND.toString(), TWO_THIRDS.toString());
    assertThat(server.listedVersions().get(1)).isEmpty();
    assertThat(handler.events()).doesNotContain("update d/b@4 2");
  }

  @ParameterizedTest
  @CsvSource({"Forbidden,403", "Expired,410", "TooManyRequests,429", "InternalError,500"})
  void listOfThePart_thatFails_isFollowedByAListOfAll(String reason, int code)
      throws InterruptedException {
    create("d/a", FIRST);
    create("d/b", SECOND);
    SharedIndexInformer<ApiObject> informer = started(FIRST);
    server.onRequest(
        request -> {
          if (!request.isWatch() && SECOND.toString().equals(request.options().shardSelector())) {
            throw FakeServer.error(reason, code, "no part");
          }
          return request;
        });

    moveTo(informer, TWO_THIRDS);
    converge(informer, TWO_THIRDS);

    assertThat(listed()).endsWith(TWO_THIRDS.toString());
    assertThat(informer.health().lastError()).isEmpty();
  }

  @Test
  void listOfThePart_thatBreaksOff_isFollowedByAListOfAll() throws InterruptedException {
    create("d/a", FIRST);
    create("d/b", SECOND);
    create("d/b2", SECOND);
    SharedIndexInformer<ApiObject> informer = started(FIRST);
    int[] items = {0};
    BooleanSupplier second = () -> ++items[0] == 2;
    server.breakList(second);

    moveTo(informer, TWO_THIRDS);
    converge(informer, TWO_THIRDS);

    assertThat(listed()).containsExactly(SECOND.toString(), TWO_THIRDS.toString());
  }

  @Test
  void serverThatWentBack_isListedAgain() throws InterruptedException {
    create("d/a", FIRST);
    create("d/b", SECOND);
    SharedIndexInformer<ApiObject> informer = started(FIRST);
    // As of an older cache, whatever version is asked for.
    server.onRequest(
        request ->
            request.isWatch()
                ? request
                : new FakeServer.Request(
                    false, request.options().toBuilder().resourceVersion("0").build()));
    server.answerFrom((oldest, newest) -> 1);

    informer.shard(TWO_THIRDS);
    handler.awaitEvent(event -> event.equals("update d/a@1 1"));
    server.answerFrom((oldest, newest) -> newest);
    assertThat(informer.awaitShard(SOON)).isTrue();
    converge(informer, TWO_THIRDS);

    assertThat(listed()).startsWith(SECOND.toString(), TWO_THIRDS.toString());
  }

  @Test
  void shardThatChangesDuringTheList_isFollowedNext() throws InterruptedException {
    create("d/a", FIRST);
    create("d/b", SECOND);
    create("d/c", LAST);
    SharedIndexInformer<ApiObject> informer = started(FIRST);
    beforeTheList(
        () -> {
          change("d/b");
          change("d/a");
          informer.shard(ShardSelector.EVERYTHING);
        });

    moveTo(informer, TWO_THIRDS);
    informer.shard(ShardSelector.EVERYTHING);
    assertThat(informer.awaitShard(SOON)).isTrue();
    converge(informer, ShardSelector.EVERYTHING);

    assertThat(handler.events()).noneMatch(event -> event.startsWith("delete"));
  }

  /** As when a member dies and comes back at once. */
  @Test
  void shardThatIsTakenBackBeforeItsWatchHasEnded_isWatchedFurther() throws InterruptedException {
    create("d/a", FIRST);
    AtomicReference<SharedIndexInformer<ApiObject>> moving = new AtomicReference<>();
    SharedIndexInformer<ApiObject> informer =
        informer(
            SharedIndexInformer.builder(movingOnce(moving)).shard(FIRST),
            ReflectorOptions.builder());
    moving.set(informer);
    informer.addEventHandler(handler);

    informer.start();
    handler.await(1);
    converge(informer, FIRST);

    assertThat(informer.health().lastError()).isEmpty();
    assertThat(listed()).containsExactly(FIRST.toString());
  }

  /** Returns a source that moves the shard to and fro before the first event is awaited. */
  private ListerWatcher<ApiObject> movingOnce(
      AtomicReference<SharedIndexInformer<ApiObject>> moving) {
    return new ListerWatcher<>() {
      @Override
      public ListMeta list(ListOptions options, ListSink<? super ApiObject> sink) {
        return server.list(options, sink);
      }

      @Override
      public Watch<ApiObject> watch(ListOptions options) {
        Watch<ApiObject> watch = server.watch(options);
        return new Watch<>() {
          @Override
          public Optional<WatchEvent<ApiObject>> next() throws InterruptedException {
            SharedIndexInformer<ApiObject> informer = moving.getAndSet(null);
            if (informer != null) {
              informer.shard(LAST);
              informer.shard(FIRST);
            }
            return watch.next();
          }

          @Override
          public void close() {
            watch.close();
          }
        };
      }

      @Override
      public boolean isWatchListSemanticsUnsupported() {
        return true;
      }
    };
  }

  // ---- objects that the cache refuses

  /** Otherwise the informer would report objects of other replicas as missing. */
  @Test
  void objectThatAnIndexFunctionRefuses_isNotMissingOnceItBelongsToAnotherShard()
      throws InterruptedException {
    create("d/bad", SECOND);
    SharedIndexInformer<ApiObject> informer =
        informer(
            SharedIndexInformer.builder(server).shard(TWO_THIRDS).indexer("i", this::refusing),
            ReflectorOptions.builder());
    informer.addEventHandler(handler);
    informer.start();
    assertThat(informer.awaitShard(SOON)).isTrue();
    assertThat(informer.health().omitted().names()).containsExactly("d/bad");

    moveTo(informer, FIRST);

    assertThat(informer.health().omitted().isEmpty()).isTrue();
    assertThat(informer.health().problem(SOON)).isEmpty();
  }

  private List<String> refusing(ApiObject object) {
    if ("bad".equals(object.metadata().name())) {
      throw new IllegalStateException("bad");
    }
    return List.of();
  }
}
