package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An observer sees each object at each stage, can pause three of them, and can lose nothing. */
final class InformerObserverTest extends InformerFixture {

  private final Recorder recorder = new Recorder();

  private static class Recorder implements InformerObserver<ApiObject> {
    final List<String> steps = new CopyOnWriteArrayList<>();

    private void step(String stage, @Nullable Object before, @Nullable Object after) {
      String change = before == null ? "added" : after == null ? "deleted" : "updated";
      steps.add(stage + " " + change + (before != null && before == after ? " again" : ""));
    }

    @Override
    public void started(InformerObserver.Informer<? extends ApiObject> informer) {
      steps.add("started " + informer.name());
    }

    @Override
    public void listing(ListOptions request) {
      steps.add("listing");
    }

    @Override
    public void watching(ListOptions request) {
      steps.add("watching");
    }

    @Override
    public void received(WatchEvent<ApiObject> event) throws InterruptedException {
      steps.add("received " + event.getClass().getSimpleName());
    }

    @Override
    public void failed(RuntimeException error) {
      steps.add("failed");
    }

    @Override
    public void queued(Delta<ApiObject> delta) {
      steps.add("queued " + delta.type());
    }

    @Override
    public void popping() throws InterruptedException {
      steps.add("popping");
    }

    @Override
    public void popped(List<Delta<ApiObject>> deltas) {
      deltas.forEach(delta -> steps.add("popped " + delta.type()));
    }

    @Override
    public void stored(String key, @Nullable ApiObject before, @Nullable ApiObject after) {
      step("stored " + key, before, after);
    }

    @Override
    public void notified(String handler, @Nullable ApiObject before, @Nullable ApiObject after) {
      step("notified", before, after);
    }

    @Override
    public void delivering(String handler, @Nullable ApiObject before, @Nullable ApiObject after)
        throws InterruptedException {
      step("delivering", before, after);
    }

    @Override
    public void delivered(String handler, @Nullable Throwable error) {
      steps.add(error == null ? "delivered" : "delivered, " + error.getMessage());
    }
  }

  private SharedIndexInformer<ApiObject> observed(
      InformerObserver<ApiObject> observer, boolean useDeltaFIFO) throws Exception {
    SharedIndexInformer<ApiObject> informer =
        informer(
            SharedIndexInformer.builder(server).observer(observer).useDeltaFIFO(useDeltaFIFO),
            ReflectorOptions.builder().name("pods"));
    informer.addEventHandler(handler);
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();
    server.awaitWatch();
    return informer;
  }

  @Test
  void object_createdChangedAndDeleted_isSeenAtEachStage() throws Exception {
    observed(recorder, false);
    recorder.steps.clear();

    server.put("default/a");
    server.put("default/a");
    server.delete("default/a");
    settle(handler);

    assertThat(recorder.steps)
        .containsSubsequence(
            "received Added",
            "queued ADDED",
            "popping",
            "popped ADDED",
            "stored default/a added",
            "notified added",
            "delivering added",
            "delivered")
        .containsSubsequence(
            "received Modified",
            "queued UPDATED",
            "popped UPDATED",
            "stored default/a updated",
            "notified updated",
            "delivering updated",
            "delivered")
        .containsSubsequence(
            "received Deleted",
            "queued DELETED",
            "popped DELETED",
            "stored default/a deleted",
            "notified deleted",
            "delivering deleted",
            "delivered");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void list_ofAServerWithoutStreams_isSeenFromTheRequestToTheStore(boolean useDeltaFIFO)
      throws Exception {
    server.watchListUnsupported(true);
    server.put("default/a");

    observed(recorder, useDeltaFIFO);

    String queued = useDeltaFIFO ? "REPLACED" : "REPLACED_ALL";
    assertThat(recorder.steps)
        .startsWith("started pods")
        .containsSubsequence(
            "listing", "queued " + queued, "popped " + queued, "stored default/a added")
        .containsSubsequence("queued " + queued, "watching");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void resync_isSeenByTheHandlersAndSendsNoRequest(boolean useDeltaFIFO) throws Exception {
    SharedIndexInformer<ApiObject> informer = observed(recorder, useDeltaFIFO);
    server.put("default/a");
    settle(handler);
    recorder.steps.clear();
    server.forgetRequests();

    informer.resync();
    settle(handler);

    assertThat(informer.usesDeltaFIFO()).isEqualTo(useDeltaFIFO);
    assertThat(recorder.steps)
        .containsSubsequence(
            useDeltaFIFO ? "queued SYNC" : "queued SYNC_ALL",
            "notified updated again",
            "delivering updated again");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void resync_beforeTheStart_doesNothing() {
    SharedIndexInformer<ApiObject> informer = informer();

    assertThatCode(informer::resync).doesNotThrowAnyException();
  }

  /** While the Controller is paused, a DeltaFIFO collects, and the store stays as it is. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void popping_thatBlocks_pausesTheStoreAndNothingElse(boolean useDeltaFIFO) throws Exception {
    CountDownLatch resumed = new CountDownLatch(1);
    CountDownLatch threeQueued = new CountDownLatch(3);
    Recorder pausing =
        new Recorder() {
          private volatile boolean paused;

          @Override
          public void popping() throws InterruptedException {
            if (paused) {
              resumed.await();
            }
          }

          @Override
          public void queued(Delta<ApiObject> delta) {
            super.queued(delta);
            if (delta instanceof Delta.ObjectDelta<ApiObject> object
                && object.key().equals("default/a")) {
              paused = true;
              threeQueued.countDown();
            }
          }
        };
    SharedIndexInformer<ApiObject> informer = observed(pausing, useDeltaFIFO);

    server.put("default/a");
    server.put("default/a");
    server.put("default/a");
    boolean allQueued = threeQueued.await(SOON.toSeconds(), TimeUnit.SECONDS);
    boolean stored = informer.indexer().getByKey("default/a").isPresent();
    resumed.countDown();
    settle(handler);

    assertThat(allQueued).isTrue();
    assertThat(stored).isFalse();
    assertThat(informer.indexer().getByKey("default/a")).isPresent();
  }

  @Test
  void handler_thatThrows_isSeen() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    Recorder awaiting =
        new Recorder() {
          @Override
          public void delivered(String handler, @Nullable Throwable error) {
            super.delivered(handler, error);
            if (error != null) {
              failed.countDown();
            }
          }
        };
    SharedIndexInformer<ApiObject> informer = observed(awaiting, false);
    informer.addEventHandler(
        other ->
            other.onAdd(
                object -> {
                  throw new IllegalStateException("no disk space");
                }));

    server.put("default/a");
    assertThat(failed.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    settle(handler);

    assertThat(awaiting.steps).contains("delivered, no disk space", "delivered");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void observer_thatThrows_losesNoEvent(boolean useDeltaFIFO) throws Exception {
    SharedIndexInformer<ApiObject> informer = observed(broken(), useDeltaFIFO);

    server.put("default/a");
    server.delete("default/a");
    server.put("default/b");
    informer.resync();
    settle(handler);

    assertThat(informer.indexer().getByKey("default/a")).isEmpty();
    assertThat(informer.indexer().getByKey("default/b")).isPresent();
  }

  @SuppressWarnings("unchecked")
  private static InformerObserver<ApiObject> broken() {
    return (InformerObserver<ApiObject>)
        java.lang.reflect.Proxy.newProxyInstance(
            InformerObserver.class.getClassLoader(),
            new Class<?>[] {InformerObserver.class},
            (proxy, method, args) -> {
              throw new IllegalStateException("the observer is broken");
            });
  }

  /** An informer closes while its observer blocks. */
  @ParameterizedTest
  @ValueSource(strings = {"received", "popping"})
  void close_whileTheObserverBlocks_endsTheThreads(String stage) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    Recorder blocking =
        new Recorder() {
          private void block(String at) throws InterruptedException {
            if (at.equals(stage)) {
              entered.countDown();
              new CountDownLatch(1).await();
            }
          }

          @Override
          public void received(WatchEvent<ApiObject> event) throws InterruptedException {
            block("received");
          }

          @Override
          public void popping() throws InterruptedException {
            block("popping");
          }
        };
    server.put("default/a");
    SharedIndexInformer<ApiObject> informer =
        informer(
            SharedIndexInformer.builder(server).observer(blocking), ReflectorOptions.builder());
    informer.addEventHandler(handler);
    informer.start();
    assertThat(entered.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

    informer.close(); // InformerFixture checks that the threads have ended.

    assertThat(informer.isStopped()).isTrue();
  }
}
