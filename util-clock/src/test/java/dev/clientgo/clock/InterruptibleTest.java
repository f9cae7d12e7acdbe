package dev.clientgo.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that block, from functions that throw no checked exception. */
final class InterruptibleTest {

  private final BlockingQueue<String> queue = new LinkedBlockingQueue<>(List.of("a", "b"));

  @AfterEach
  void clearTheFlag() {
    Thread.interrupted();
  }

  @Test
  void get_returnsTheResult() {
    assertThat(Stream.of(1, 2).map(each -> Interruptible.get(queue::take)).toList())
        .containsExactly("a", "b");
    Stream.of("c").forEach(each -> Interruptible.run(() -> queue.put(each)));
    assertThat(queue).containsExactly("c");
  }

  @Test
  void interruption_endsTheStream_andSetsTheFlag() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> Stream.of(1, 2).map(each -> Interruptible.get(queue::take)).toList())
        .isInstanceOf(UncheckedInterruptedException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(queue).hasSize(2);

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Interruptible.run(() -> queue.put("c")))
        .isInstanceOf(UncheckedInterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void interruption_turnedBack_clearsTheFlag() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(
            () -> {
              try {
                Interruptible.get(queue::take);
              } catch (UncheckedInterruptedException e) {
                throw e.interruption();
              }
            })
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void otherErrors_passUnchanged() {
    UncheckedIOException error = new UncheckedIOException(new IOException("broken"));

    assertThatThrownBy(
            () ->
                Interruptible.run(
                    () -> {
                      throw error;
                    }))
        .isSameAs(error);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
