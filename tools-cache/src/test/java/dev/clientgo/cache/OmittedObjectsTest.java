package dev.clientgo.cache;

import static dev.clientgo.cache.ReflectorFixture.NO_THREADS;
import static dev.clientgo.cache.ReflectorFixture.undecodable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.testing.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects that do not get into the cache show in the health of the informer, and in the log. */
final class OmittedObjectsTest extends InformerFixture {

  /** The keys of objects on which the index function fails. */
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  private SharedIndexInformer<ApiObject> start(
      UnaryOperator<SharedIndexInformer.Builder<ApiObject>> settings) throws InterruptedException {
    SharedIndexInformer<ApiObject> informer =
        informer(
            settings.apply(
                SharedIndexInformer.<ApiObject>builder(server).indexer("refusing", this::index)),
            ReflectorOptions.builder());
    informer.addEventHandler(handler);
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();
    return informer;
  }

  private List<String> index(ApiObject object) {
    if (refused.contains(ObjectName.of(object).toString())) {
      throw new IllegalStateException("refused");
    }
    return List.of();
  }

  private void putAndRefuse(int count) {
    for (int i = 0; i < count; i++) {
      String key = "default/" + (char) ('a' + i);
      server.put(key);
      refused.add(key);
    }
  }

  /** The error is visible before the informer reports that it is synced. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void indexFunctionFailsOnEveryObject_healthSaysSoAsSoonAsSynced(boolean deltaFifo)
      throws InterruptedException {
    putAndRefuse(12);

    SharedIndexInformer<ApiObject> informer = start(settings -> settings.useDeltaFIFO(deltaFifo));

    InformerHealth health = informer.health();
    assertThat(health.omitted().count()).isEqualTo(12);
    assertThat(health.omitted().undecodable()).isZero();
    assertThat(health.omitted().names())
        .hasSize(10)
        .startsWith("default/a", "default/b")
        .endsWith("default/j");
    assertThat(health.omitted().toString())
        .startsWith("12 objects omitted: default/a, ")
        .endsWith(
            "default/j and 2 more; the first because of: the index function of \"refusing\" failed"
                + " on the object \"default/a\": java.lang.IllegalStateException: refused");
    assertThat(health.lastError())
        .containsInstanceOf(TransactionException.class)
        .hasValueSatisfying(error -> assertThat(error.getSuppressed()).hasSizeLessThan(11));
    assertThat(informer.indexer().list()).isEmpty();
  }

  @Test
  void objectIsAcceptedOrDeletedLater_isNotCountedAnyMore() throws InterruptedException {
    putAndRefuse(3);
    server.undecodable("default/d", true);
    server.put("default/d");
    SharedIndexInformer<ApiObject> informer = start(settings -> settings);
    assertThat(informer.health().omitted().names())
        .containsExactlyInAnyOrder("default/a", "default/b", "default/c", "default/d");
    assertThat(informer.health().omitted().undecodable()).isEqualTo(1);

    refused.clear();
    server.undecodable("default/d", false);
    server.put("default/a");
    server.delete("default/b");
    server.put("default/d");
    settle(handler);
    assertThat(informer.health().omitted().names()).containsExactly("default/c");

    server.put("default/c");
    settle(handler);
    assertThat(informer.health().omitted().isEmpty()).isTrue();
    assertThat(informer.health().omitted()).hasToString("no objects omitted");
  }

  @Test
  void laterStateIsRefused_countsTheObjectThatIsBehind() throws InterruptedException {
    server.put("default/a");
    server.put("default/b");
    SharedIndexInformer<ApiObject> informer = start(settings -> settings);
    assertThat(informer.health().omitted().isEmpty()).isTrue();

    refused.add("default/a");
    server.put("default/a");
    server.undecodable("default/b", true);
    server.put("default/b");
    settle(handler);

    assertThat(informer.health().omitted().names())
        .containsExactlyInAnyOrder("default/a", "default/b");
    assertThat(informer.indexer().listKeys()).contains("default/a", "default/b");
  }

  @Test
  void transformFails_isCounted() throws InterruptedException {
    server.put("default/a");
    server.put("default/b");

    SharedIndexInformer<ApiObject> informer =
        start(
            settings ->
                settings.transform(
                    object -> {
                      throw new IllegalStateException("no");
                    }));

    assertThat(informer.health().omitted().names()).containsExactly("default/a", "default/b");
    assertThat(informer.health().omitted().cause())
        .hasValueSatisfying(
            cause ->
                assertThat(cause)
                    .hasMessageStartingWith("the transform failed on the object \"default/a\": "));
  }

  /** A new list replaces the omitted objects of the last one. */
  @Test
  void listedAnew_countsAnew() throws InterruptedException {
    putAndRefuse(2);
    server.undecodable("default/u", true);
    server.put("default/u");
    SharedIndexInformer<ApiObject> informer = start(settings -> settings);
    assertThat(informer.health().omitted().count()).isEqualTo(3);

    refused.remove("default/a");
    server.silently(
        () -> {
          server.undecodable("default/u", false);
          server.delete("default/b");
          server.put("default/z");
          server.compact();
        });
    handler.awaitEvent(event -> event.startsWith("add default/z"));

    assertThat(informer.health().omitted().isEmpty()).isTrue();
  }

  // ---- the log

  /** Without a limit, 10,000 objects made 130,085 lines. */
  @Test
  void indexFunctionFailsOnEveryObject_logIsShort() throws InterruptedException {
    for (int i = 0; i < 2000; i++) {
      server.put("default/" + i);
      refused.add("default/" + i);
    }
    try (CapturedLog log = CapturedLog.of(Reflector.class)) {
      SharedIndexInformer<ApiObject> informer = start(settings -> settings);
      server.put("default/good");
      handler.awaitEvent(event -> event.startsWith("add default/good"));
      informer.close();

      assertThat(log.traces())
          .singleElement()
          .asString()
          .startsWith("WARNING Failed: reflector=reflector")
          .contains("failed to execute (2000/2000) transactions", "and 1990 more");
      assertThat(log.traces().stream().flatMap(String::lines).count()).isLessThan(300);
    }
  }

  /** The log has at most one stack trace and nine lines a minute. */
  @Test
  void errorsOfObjects_areLoggedTenTimesAMinute() {
    SimClock clock = new SimClock();
    Reflector<ApiObject> reflector = reflector(clock);
    WatchErrorHandler logging = WatchErrorHandler.logging();
    try (CapturedLog log = CapturedLog.of(Reflector.class)) {
      for (int i = 0; i < 1000; i++) {
        logging.onError(reflector, new IllegalStateException("object " + i));
      }

      assertThat(log.traces()).hasSize(10);
      assertThat(log.traces().get(0)).contains("object 0", "\n\tat ");
      assertThat(log.traces().subList(1, 9))
          .allSatisfy(line -> assertThat(line).doesNotContain("\n", "not logged"));
      assertThat(log.traces().get(9)).contains("object 9; more errors of objects are not logged");

      logging.onError(reflector, undecodable("a"));
      logging.onError(reflector, ReflectorFixture.forbidden());
      assertThat(log.traces()).hasSize(11);
      assertThat(log.traces().get(10)).contains("List or watch failed");

      clock.advance(Duration.ofMinutes(1));
      logging.onError(reflector, undecodable("b"));
      logging.onError(reflector, new IllegalStateException("again"));
      assertThat(log.traces()).hasSize(13);
      assertThat(log.traces().get(11)).contains("Cannot read what the server sent");
      assertThat(log.traces().get(12)).contains("again", "\n\tat ");
    }
  }

  @Test
  void errorsOfOneReflector_doNotSilenceThoseOfAnother() {
    SimClock clock = new SimClock();
    Reflector<ApiObject> one = reflector(clock);
    Reflector<ApiObject> other = reflector(clock);
    WatchErrorHandler logging = WatchErrorHandler.logging();
    try (CapturedLog log = CapturedLog.of(Reflector.class)) {
      for (int i = 0; i < 20; i++) {
        logging.onError(one, undecodable("a"));
      }
      logging.onError(other, undecodable("b"));

      assertThat(log.traces()).hasSize(11);
    }
  }

  private Reflector<ApiObject> reflector(SimClock clock) {
    return Reflector.builder(server, Indexer.<ApiObject>create(KeyFunction.metaNamespace()))
        .options(ReflectorOptions.builder().clock(clock).threadFactory(NO_THREADS).build())
        .build();
  }

  // ---- which of them matter to SyncResult.orThrow

  private static InformerHealth.Omitted objects(int count, int undecodable, boolean cacheIsEmpty) {
    return new InformerHealth.Omitted(count, undecodable, cacheIsEmpty, List.of("a"), null);
  }

  @Test
  void isFatal_ifTheProgramFailedOrTheCacheIsEmpty() {
    assertThat(InformerHealth.Omitted.NONE.isFatal()).isFalse();
    assertThat(objects(1, 0, false).isFatal()).isTrue();
    assertThat(objects(2, 1, false).isFatal()).isTrue();
    assertThat(objects(2, 2, false).isFatal()).isFalse();
    assertThat(objects(2, 2, true).isFatal()).isTrue();
  }
}
