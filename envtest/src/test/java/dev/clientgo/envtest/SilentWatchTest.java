package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.TestClient.Events;
import dev.clientgo.envtest.traffic.OpenWatch;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/** Watches that a test makes silent. */
final class SilentWatchTest {

  private static final String PATH = "/api/v1/namespaces/default/configmaps";

  /** The system clock, which can hold back the thread of a watch after its wait. */
  private static final class HoldingClock implements Clock {
    private final Clock system = Clock.system();
    private final Semaphore waits = new Semaphore(0);
    private volatile CountDownLatch gate = new CountDownLatch(0);

    @Override
    public Instant now() {
      return system.now();
    }

    @Override
    public long nanoTime() {
      return system.nanoTime();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      system.sleep(duration);
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout)
        throws InterruptedException {
      waits.release();
      boolean before = system.await(lock, condition, timeout);
      CountDownLatch held = gate;
      lock.unlock();
      try {
        held.await();
      } finally {
        lock.lock();
      }
      return before;
    }
  }

  /** The thread of the watch may notice the silence only after the change. */
  @Test
  void goSilent_beforeAChange_holdsItBack_howeverLateTheWatchNoticesIt() throws Exception {
    HoldingClock clock = new HoldingClock();
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().clock(clock).start();
        TestClient client = TestClient.of(server);
        Events events = client.watch(PATH + "?watch=true&resourceVersion=0")) {
      OpenWatch watch = server.awaitWatches(1).get(0);
      clock.waits.acquire();
      clock.gate = new CountDownLatch(1);

      watch.goSilent();
      client.post(PATH, "{'metadata':{'name':'a'}}");
      CountDownLatch gate = clock.gate;
      clock.gate = new CountDownLatch(0);
      gate.countDown();
      clock.waits.acquire(); // The watch waits again.
      watch.end();

      assertThat(events.rest()).isEmpty();
    }
  }
}
