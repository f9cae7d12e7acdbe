package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The report of a factory after the wait for the first lists of its informers. */
final class SyncResultTest extends InformerFactoryFixture {

  @Test
  void awaitSynced_serverSaysNothing_saysSo() throws InterruptedException {
    pods().onRequest(request -> hangUntilInterrupted(request, new CountDownLatch(1)));
    factory.informer(PODS);
    factory.start();

    SyncResult result = factory.awaitSynced(Duration.ofMillis(50));

    assertThat(result.toString())
        .isIn("pods (not started)", "pods (STREAMING, the server has sent nothing yet)");
  }

  @Test
  void awaitSynced_reportsWhatHasNotSyncedAndWhy() throws InterruptedException {
    CountDownLatch refused = new CountDownLatch(1);
    factory =
        builder()
            .configureAll(all -> all.watchErrorHandler((reflector, error) -> refused.countDown()))
            .build();
    server("nodes//{}")
        .onRequest(
            request -> {
              throw ReflectorFixture.forbidden();
            });
    factory.informer(PODS);
    factory.informer(NODES);
    factory.start();
    factory.informer(DEPLOYMENTS, "a");
    assertThat(factory.informer(PODS).awaitSynced(SOON)).isTrue();
    assertThat(refused.await(30, TimeUnit.SECONDS)).isTrue();

    SyncResult result = factory.awaitSynced(Duration.ofMillis(50));

    assertThat(result.isSynced()).isFalse();
    assertThat(result.unsynced()).containsExactly("deployments.apps in a", "nodes");
    assertThat(result.toString())
        .startsWith("deployments.apps in a (not started), nodes (")
        .endsWith(", no)");
    assertThatThrownBy(result::orThrow)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("failed to sync all caches: " + result);
  }

  /** The result of synced informers throws nothing (TestSyncResultAsError). */
  @Test
  void syncResult_ofInformersThatHaveSynced_doesNotThrow() throws InterruptedException {
    factory.informer(PODS);
    factory.start();

    SyncResult result = factory.awaitSynced(SOON);

    result.orThrow();
    assertThat(result.isSynced()).isTrue();
    assertThat(result.unsynced()).isEmpty();
    assertThat(result).hasToString("all synced");
  }

  /** An easy mistake: {@code List.of} throws for an object without the value. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void orThrow_indexFunctionFailsOnEveryObject_throws(boolean deltaFifo)
      throws InterruptedException {
    for (char name = 'a'; name <= 'm'; name++) {
      pods().put("default/" + name);
    }
    factory =
        builder()
            .configure(
                PODS,
                pods ->
                    pods.useDeltaFIFO(deltaFifo)
                        .indexer("byNode", pod -> List.of(pod.metadata().generateName())))
            .build();
    SharedIndexInformer<ApiObject> pods = factory.informer(PODS);
    factory.start();

    SyncResult result = factory.awaitSynced(SOON);

    assertThat(pods.health().lastError()).isPresent();
    assertThatThrownBy(result::orThrow)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "the caches are synced, but lack objects: pods (13 objects omitted: default/a,"
                + " default/b, ")
        .hasMessageEndingWith(
            "default/j and 3 more; the first because of: the index function of \"byNode\" failed on"
                + " the object \"default/a\": a value of its list is null; use"
                + " IndexFunction.ofNullable if objects may have no value)")
        .cause()
        .hasMessageContaining("byNode");
    assertThat(result.isSynced()).isTrue();
    assertThat(result.omitted()).containsOnlyKeys("pods");
    assertThat(result.omitted().get("pods").count()).isEqualTo(13);
  }

  @Test
  void orThrow_transformFails_throws() throws InterruptedException {
    pods().put("default/a");
    pods().put("default/b");
    factory =
        builder()
            .configure(
                PODS,
                pods ->
                    pods.transform(
                        pod -> {
                          if (pod.metadata().name().equals("b")) {
                            throw new IllegalStateException("no");
                          }
                          return pod;
                        }))
            .build();
    factory.informer(PODS);
    factory.start();

    SyncResult result = factory.awaitSynced(SOON);

    assertThatThrownBy(result::orThrow)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("pods (1 object omitted: default/b; because of: the transform failed")
        .hasRootCauseMessage("no");
  }

  /** Any client may create an object that cannot be decoded; it must not stop a program. */
  @Test
  void orThrow_oneObjectCannotBeDecoded_passesAndTells() throws InterruptedException {
    pods().put("default/a");
    pods().put("default/b");
    pods().undecodable("default/b", true);
    factory.informer(PODS);
    factory.start();

    SyncResult result = factory.awaitSynced(SOON);

    result.orThrow();
    assertThat(result.omitted().get("pods").names()).containsExactly("default/b");
    assertThat(result.toString())
        .startsWith("pods (1 object omitted: default/b; because of: ")
        .contains("a broken object");
  }

  /** With a wrong type, a program with an empty cache would do nothing, or harm. */
  @Test
  void orThrow_noObjectCanBeDecoded_throws() throws InterruptedException {
    for (String key : List.of("default/a", "default/b")) {
      pods().put(key);
      pods().undecodable(key, true);
    }
    factory.informer(PODS);
    factory.start();

    assertThatThrownBy(factory.awaitSynced(SOON)::orThrow)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("pods (2 objects omitted: default/a, default/b; the first because of")
        .hasMessageContaining("a broken object");
  }

  @Test
  void awaitSynced_informerClosedMeanwhile_doesNotWaitInVain() throws Exception {
    pods()
        .onRequest(
            request -> {
              throw ReflectorFixture.forbidden();
            });
    SharedIndexInformer<ApiObject> pods = factory.informer(PODS);
    factory.start();
    Thread closing = new Thread(pods::close);
    closing.start();

    assertThat(factory.awaitSynced(Duration.ofHours(1)).unsynced()).containsExactly("pods");
    closing.join();
  }
}
