package dev.clientgo.cache.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class VersionSignalTest {

  /** The thread that fills the cache calls the listeners: neither it nor the others suffer. */
  @Test
  void listenerThatThrows_doesNotConcernTheOthers() {
    VersionSignal signal = new VersionSignal(FakeClock.create(), () -> "1");
    AtomicInteger calls = new AtomicInteger();
    signal.onMoved(
        () -> {
          throw new StackOverflowError("of a user");
        });
    signal.onMoved(calls::incrementAndGet);

    signal.moved();
    signal.moved();

    assertThat(calls).hasValue(2);
  }
}
