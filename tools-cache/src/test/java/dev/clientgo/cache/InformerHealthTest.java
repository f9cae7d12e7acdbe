package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The problems of its cache that an informer reports, before the start, while it runs, and after
 * the end.
 */
final class InformerHealthTest extends InformerFixture {

  private static final Duration MAX_AGE = Duration.ofMinutes(5);

  private final FakeClock clock = FakeClock.create();

  @Test
  void cache_thatIsFilledAndConfirmed_hasNoProblem() throws Exception {
    SharedIndexInformer<ApiObject> informer = informer(clock, Duration.ZERO);
    assertThat(informer.health().problem(MAX_AGE)).contains("is not running: NEW");
    assertThat(informer.health().age()).isEmpty();

    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();

    assertThat(informer.health().problem(MAX_AGE)).isEmpty();
    informer.close();
    assertThat(informer.health().problem(MAX_AGE)).contains("is not running: STOPPED");
  }

  @Test
  void cache_thatTheServerHasNotConfirmedForTooLong_isAProblemUntilTheNextEvent() throws Exception {
    SharedIndexInformer<ApiObject> informer = informer(clock, Duration.ZERO);
    informer.addEventHandler(handler);
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();

    clock.advance(MAX_AGE);
    assertThat(informer.health().problem(MAX_AGE)).isEmpty();
    InformerHealth before = informer.health();
    clock.advance(Duration.ofSeconds(1));

    assertThat(informer.health().age()).contains(MAX_AGE.plusSeconds(1));
    assertThat(informer.health().problem(MAX_AGE))
        .contains("was last confirmed by the server PT5M1S ago");
    assertThat(before.age()).as("of that moment").contains(MAX_AGE);
    server.put("default/a");
    handler.await(1);
    assertThat(informer.health().problem(MAX_AGE)).isEmpty();
  }

  @Test
  void cache_whoseFirstListFails_saysWhy() throws Exception {
    server.onRequest(
        request -> {
          throw FakeServer.error("Forbidden", 403, "no list for you");
        });
    SharedIndexInformer<ApiObject> informer = informer(clock, Duration.ZERO);
    informer.start();
    clock.awaitWaiters(1);

    assertThat(informer.health().problem(MAX_AGE).orElseThrow())
        .startsWith("has no first list yet: ")
        .contains("; last error: ", "no list for you");
  }
}
