package dev.clientgo.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;

/** Checks what must hold inside a queue whenever nobody holds its lock. */
final class Consistency {

  private Consistency() {}

  static void check(WorkQueue<?> queue) {
    check((QueueCore<?, ?>) queue);
  }

  private static <T, L extends Life<T>> void check(QueueCore<T, L> queue) {
    queue.lock.lock();
    try {
      Set<Life<T>> processing = new HashSet<>();
      for (Life<T> life = queue.processing.first(); life != null; life = life.next) {
        assertThat(life.state).isEqualTo(Life.State.PROCESSING);
        assertThat(processing.add(life)).isTrue();
      }
      assertThat(processing).hasSize(queue.processing.size());

      int ready = 0;
      int held = 0;
      Set<Life<T>> reachable = new HashSet<>();
      for (L life : queue.lives.values()) {
        assertThat(queue.lives.get(life.value())).isSameAs(life);
        ready += life.state == Life.State.READY ? 1 : 0;
        held += life.state == Life.State.HELD ? 1 : 0;
        assertThat(life.state).isNotEqualTo(Life.State.OVER);
        if (life.state == Life.State.PROCESSING) {
          assertThat(life.running).isNull();
          reachable.add(life);
        } else if (life.running != null) {
          assertThat(life.state).isNotEqualTo(Life.State.READY);
          assertThat(life.running.value()).isEqualTo(life.value());
          reachable.add(life.running);
        } else {
          assertThat(life.state).isNotEqualTo(Life.State.HELD);
        }
      }
      assertThat(reachable).isEqualTo(processing);
      assertThat(ready).isEqualTo(queue.readyLocked());
      assertThat(held).isEqualTo(queue.held);
    } finally {
      queue.lock.unlock();
    }
  }
}
