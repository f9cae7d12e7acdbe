package dev.clientgo.cache.synctrack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class DoneCheckerTest {

  private final FakeClock clock = FakeClock.create();
  private final DoneChecker.Signal pods = DoneChecker.Signal.create("pods", clock);

  /** Another clock, so that the test notices the wait for the nodes. */
  private final FakeClock clockOfNodes = FakeClock.create();

  private final DoneChecker.Signal nodes = DoneChecker.Signal.create("nodes", clockOfNodes);
  private final ExecutorService waiter = Executors.newSingleThreadExecutor();

  @AfterEach
  void stop() {
    waiter.shutdownNow();
  }

  private Future<Boolean> waitForBoth(Duration timeout) {
    return waiter.submit(() -> DoneChecker.waitFor(clock, "test", timeout, List.of(pods, nodes)));
  }

  /** Without pending conditions, the wait returns at once (TestWaitFor…). */
  @Test
  void waitFor_whatIsDone_returnsAtOnce() throws Exception {
    pods.done();
    nodes.done();

    assertThat(DoneChecker.waitFor("test", Duration.ZERO, pods, nodes)).isTrue();
    assertThat(DoneChecker.waitFor("test", Duration.ZERO)).isTrue();
  }

  @Test
  void waitFor_oneThatIsNotDoneInTime_returnsFalse() throws Exception {
    Future<Boolean> waiting = waitForBoth(Duration.ofSeconds(5));
    clock.awaitWaiters(1);
    pods.done();
    clockOfNodes.awaitWaiters(1);

    clockOfNodes.advance(Duration.ofSeconds(5));

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void waitFor_allDoneInTime_returnsTrue() throws Exception {
    Future<Boolean> waiting = waitForBoth(Duration.ofSeconds(5));
    clock.awaitWaiters(1);

    clock.advance(Duration.ofSeconds(4));
    nodes.done();
    pods.done();

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void waitFor_timeIsUpButTheLastIsDone_looksAtAll() throws Exception {
    nodes.done();
    Future<Boolean> waiting = waitForBoth(Duration.ZERO);

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isFalse();
    pods.done();
    assertThat(waitForBoth(Duration.ZERO).get(30, TimeUnit.SECONDS)).isTrue();
  }
}
