package dev.clientgo.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class ClockTest {

  private static final Clock CLOCK = FakeClock.create();

  @Test
  void join_threadsThatEnd_returnsTrue() throws Exception {
    Thread one = new Thread(() -> {});
    Thread two = new Thread(() -> {});
    one.start();
    two.start();

    assertThat(CLOCK.join(List.of(one, two), Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
    assertThat(one.isAlive() || two.isAlive()).isFalse();
  }

  @Test
  void join_threadThatGoesOn_returnsFalseWhenTheTimeIsUp() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Thread busy = new Thread(() -> Interruptible.run(end::await));
    busy.start();

    assertThat(CLOCK.join(List.of(busy), Duration.ofMillis(1))).isFalse();
    assertThat(CLOCK.join(List.of(busy), Duration.ZERO)).isFalse();

    end.countDown();
    assertThat(CLOCK.join(List.of(busy), Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void join_threadThatWasNeverStarted_countsAsEnded() throws Exception {
    assertThat(CLOCK.join(List.of(new Thread(() -> {})), Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void join_interrupted_throws() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> CLOCK.join(List.of(new Thread(() -> {})), Duration.ofSeconds(30)))
        .isInstanceOf(InterruptedException.class);
  }
}
