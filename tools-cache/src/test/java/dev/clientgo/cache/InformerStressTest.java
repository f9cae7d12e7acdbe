package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@link Simulation} does in one thread, with all the threads: a server that changes and
 * fails, and handlers that come and go. The seed gives the events, not their interleaving.
 * Corresponds to client-go's TestHammerController.
 */
final class InformerStressTest {

  private static final int CHANGES = 400;

  private final FakeServer server = new FakeServer(100);
  private final List<CheckingHandler> handlers = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @Timeout(300)
  void serverAndHandlersInDisorder_endInAgreement(long seed) throws Exception {
    Backoff soon = Backoff.builder(Duration.ofMillis(1)).build();
    SplittableRandom random = new SplittableRandom(seed);
    server.watchListUnsupported(random.nextBoolean());
    try (SharedIndexInformer<ApiObject> informer =
        SharedIndexInformer.builder(server)
            .watchErrorHandler((reflector, error) -> {})
            .resyncPeriod(Duration.ofSeconds(1))
            .options(ReflectorOptions.builder().backoff(soon).random(new Random(seed)).build())
            .build()) {
      addHandler(informer);
      informer.start();
      ExecutorService executor = Executors.newFixedThreadPool(3);
      try {
        List<Future<?>> all = new ArrayList<>();
        SplittableRandom one = random.split();
        SplittableRandom other = random.split();
        all.add(executor.submit(() -> change(one)));
        all.add(executor.submit(() -> change(other)));
        all.add(executor.submit(() -> comeAndGo(informer)));
        for (Future<?> future : all) {
          future.get(40, TimeUnit.SECONDS);
        }
      } finally {
        executor.shutdownNow();
      }
      awaitAgreement(informer);
    }
    for (CheckingHandler handler : handlers) {
      handler.requireNoViolation();
      assertThat(handler.state).isEqualTo(server.objects());
    }
  }

  private void addHandler(SharedIndexInformer<ApiObject> informer) {
    CheckingHandler handler = new CheckingHandler();
    handler.registration = (ProcessorListener<?>) informer.addEventHandler(handler);
    handlers.add(handler);
  }

  private void comeAndGo(SharedIndexInformer<ApiObject> informer) {
    for (int i = 0; i < 40; i++) {
      addHandler(informer);
      if (i % 3 == 0) {
        informer.removeEventHandler(handlers.remove(handlers.size() / 2).registration);
      }
    }
  }

  private void change(SplittableRandom random) {
    for (int i = 0; i < CHANGES; i++) {
      String key = "default/" + random.nextInt(10);
      int what = random.nextInt(100);
      if (what < 65) {
        server.put(key);
      } else if (what < 93) {
        server.delete(key);
      } else if (what < 95) {
        server.compact();
      } else if (what < 98) {
        server.disconnect();
      } else {
        server.send(new WatchEvent.Failed<>(ReflectorFixture.internalError()));
      }
    }
  }

  private void awaitAgreement(SharedIndexInformer<ApiObject> informer) throws InterruptedException {
    String last = server.put(CheckingHandler.LAST).metadata().resourceVersion();
    assertThat(informer.awaitResourceVersion(last, Duration.ofSeconds(30))).isTrue();
    for (CheckingHandler handler : handlers) {
      assertThat(handler.registration.hasSyncedChecker().await(Duration.ofSeconds(30))).isTrue();
      assertThat(handler.heardLast.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }
}
