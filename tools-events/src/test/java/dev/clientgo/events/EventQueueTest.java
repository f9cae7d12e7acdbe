package dev.clientgo.events;

import static dev.clientgo.events.Broadcasters.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The queue and its threads, when there is much to do and when it closes. */
@Timeout(300)
final class EventQueueTest {

  private static long threads() {
    Thread[] all = new Thread[Thread.activeCount() + 100];
    int count = Thread.enumerate(all);
    long found = 0;
    for (int i = 0; i < count; i++) {
      String name = all[i].getName();
      found += name.startsWith("event-writer-") || name.startsWith("event-series-") ? 1 : 0;
    }
    return found;
  }

  /** 8 events are with the threads, 1000 wait; the others are dropped, and callers never wait. */
  @Test
  void fullQueue_dropsAndCounts_andNeverBlocks() throws InterruptedException {
    try (Broadcasters test = Broadcasters.series()) {
      test.sink.hang(true);
      for (int i = 0; i < 8; i++) {
        test.recorder.normal(pod("busy-" + i), "A", "B", "note");
      }
      test.sink.awaitSent(8);
      List<Thread> callers = new ArrayList<>();
      for (int caller = 0; caller < 4; caller++) {
        String name = "pod-" + caller + "-";
        Thread thread =
            new Thread(
                () -> {
                  for (int i = 0; i < 25_000; i++) {
                    test.recorder.normal(pod(name + i), "A", "B", "note %d", i);
                  }
                });
        thread.start();
        callers.add(thread);
      }
      for (Thread caller : callers) {
        caller.join();
      }

      assertThat(test.broadcaster.stats())
          .isEqualTo(new EventBroadcaster.Stats(100_008, 0, 99_000, 0, 0));
      test.sink.hang(false);
      test.flush();
      assertThat(test.sink.objects()).isEqualTo(1008);
    }
  }

  @Test
  void droppedEvent_isSentWithItsNextOccurrence() throws InterruptedException {
    try (Broadcasters test = Broadcasters.series()) {
      test.sink.hang(true);
      for (int i = 0; i < 8; i++) {
        test.recorder.normal(pod("busy-" + i), "A", "B", "note");
      }
      test.sink.awaitSent(8);
      for (int i = 0; i < 1001; i++) {
        test.recorder.normal(pod("pod-" + i), "A", "B", "note");
      }
      assertThat(test.broadcaster.stats().dropped()).isEqualTo(1);
      test.sink.hang(false);
      test.flush();
      test.recorder.normal(pod("pod-1000"), "A", "B", "note");
      test.flush();

      assertThat(test.sink.objects()).isEqualTo(1009);
      assertThat(test.broadcaster.stats().dropped()).isEqualTo(1);
    }
  }

  /** Go's {@code TestLotsOfEvents}: a thousand events at once, none of which is lost. */
  @Test
  void thousandEventsAtOnce_areAllSent() throws InterruptedException {
    try (Broadcasters test = Broadcasters.series()) {
      List<Thread> callers = new ArrayList<>();
      for (int caller = 0; caller < 10; caller++) {
        String name = "pod-" + caller + "-";
        Thread thread =
            new Thread(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    test.recorder.normal(pod(name + i), "A", "B", "note");
                  }
                });
        thread.start();
        callers.add(thread);
      }
      for (Thread caller : callers) {
        caller.join();
      }
      test.flush();

      assertThat(test.sink.objects()).isEqualTo(1000);
    }
  }

  /**
   * Go's {@code TestBroadcasterShutdown} and {@code TestStartEventWatcherExitsOnDirectShutdown}.
   */
  @Test
  void close_leavesNoThread_andDropsWhatComesLater() {
    long before = threads();
    Broadcasters test = Broadcasters.series();
    for (int i = 0; i < 100; i++) {
      test.recorder.normal(pod("pod-" + i), "A", "B", "note");
    }

    assertThat(test.broadcaster.close(Broadcasters.LONG)).isTrue();
    assertThat(test.sink.objects()).isEqualTo(100);
    assertThat(threads()).isLessThanOrEqualTo(before);
    test.recorder.normal(pod("late"), "A", "B", "note");
    assertThat(threads()).isLessThanOrEqualTo(before);
    assertThat(test.broadcaster.stats()).isEqualTo(new EventBroadcaster.Stats(101, 100, 1, 0, 0));
    test.broadcaster.close();
  }

  /** Go's {@code TestNonRacyShutdown}. */
  @Test
  void close_whileOthersRecord_isSafe() throws InterruptedException {
    Broadcasters test = Broadcasters.series();
    List<Thread> callers = new ArrayList<>();
    CountDownLatch running = new CountDownLatch(10);
    for (int caller = 0; caller < 10; caller++) {
      String name = "pod-" + caller + "-";
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 200; i++) {
                  test.recorder.normal(pod(name + i), "A", "B", "note");
                  if (i == 100) {
                    running.countDown();
                  }
                }
              });
      thread.start();
      callers.add(thread);
    }
    running.await();
    test.broadcaster.close(Broadcasters.LONG);
    for (Thread caller : callers) {
      caller.join();
    }

    EventBroadcaster.Stats stats = test.broadcaster.stats();
    assertThat(stats.recorded()).isEqualTo(2000);
    assertThat(stats.sent() + stats.dropped()).isEqualTo(2000);
  }

  @Test
  void close_whileTheServerHangs_endsAtItsDeadline() throws InterruptedException {
    long before = threads();
    Broadcasters test = Broadcasters.series();
    test.sink.hang(true);
    for (int i = 0; i < 20; i++) {
      test.recorder.normal(pod("pod-" + i), "A", "B", "note");
    }
    test.sink.awaitSent(8);
    boolean[] isFlushed = {true};
    Thread closing = new Thread(() -> isFlushed[0] = test.broadcaster.close(Duration.ofSeconds(5)));
    closing.start();
    test.clock.awaitWaiterWithin(Duration.ofSeconds(5));
    test.clock.advance(Duration.ofSeconds(5));
    closing.join();

    assertThat(isFlushed[0]).isFalse();
    assertThat(threads()).isLessThanOrEqualTo(before);
    assertThat(test.broadcaster.stats()).isEqualTo(new EventBroadcaster.Stats(20, 0, 0, 0, 20));
  }

  /** Go's {@code TestCancelEvent}: each event gets one attempt more, and no pause. */
  @Test
  void close_whileTheServerIsAway_triesOnceMore() throws InterruptedException {
    Broadcasters test = Broadcasters.series();
    test.sink.failWith(
        request -> new TransportException(Kind.CONNECTION_REFUSED, "nobody there", null));
    test.recorder.normal(pod("pod"), "A", "B", "note");
    test.sink.awaitSent(1);
    test.clock.awaitWaiterWithin(Duration.ofMillis(12_500));

    assertThat(test.broadcaster.close(Broadcasters.LONG)).isTrue();
    assertThat(test.sink.sent()).hasSize(2);
    assertThat(test.broadcaster.stats()).isEqualTo(new EventBroadcaster.Stats(1, 0, 0, 0, 1));
  }

  @Test
  void close_ofAnInterruptedThread_givesUp_andKeepsTheInterrupt() throws InterruptedException {
    Broadcasters test = Broadcasters.series();
    test.sink.hang(true);
    test.recorder.normal(pod("pod"), "A", "B", "note");
    test.sink.awaitSent(1);

    Thread.currentThread().interrupt();
    boolean isFlushed = test.broadcaster.close(Broadcasters.LONG);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(isFlushed).isFalse();
  }

  @Test
  void caller_thatIsInterrupted_recordsAllTheSame() throws InterruptedException {
    try (Broadcasters test = Broadcasters.series()) {
      Thread.currentThread().interrupt();
      test.recorder.normal(pod("pod"), "A", "B", "note");

      assertThat(Thread.interrupted()).isTrue();
      test.flush();
      assertThat(test.sink.objects()).isEqualTo(1);
    }
  }
}
