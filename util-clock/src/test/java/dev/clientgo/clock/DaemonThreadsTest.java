package dev.clientgo.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@Timeout(300)
final class DaemonThreadsTest {

  @Test
  void named_threads_areNumberedDaemonThreads() throws Exception {
    for (ThreadFactory factory :
        new ThreadFactory[] {DaemonThreads.named("a-"), DaemonThreads.platform("a-")}) {
      AtomicReference<Thread> ran = new AtomicReference<>();
      Thread first = factory.newThread(() -> ran.set(Thread.currentThread()));
      Thread second = factory.newThread(() -> {});

      assertThat(first.getName()).isEqualTo("a-0");
      assertThat(second.getName()).isEqualTo("a-1");
      assertThat(first.isDaemon()).isTrue();
      assertThat(first.isAlive()).isFalse();
      first.start();
      first.join();
      assertThat(ran.get()).isSameAs(first);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void named_onJava21_areVirtual() throws Exception {
    Thread thread = DaemonThreads.named("a-").newThread(() -> {});

    assertThat(Thread.class.getMethod("isVirtual").invoke(thread)).isEqualTo(true);
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_20)
  void named_beforeJava21_arePlatformThreads() {
    assertThat(DaemonThreads.named("a-").newThread(() -> {}).getThreadGroup().getName())
        .isNotEqualTo("VirtualThreads");
  }
}
