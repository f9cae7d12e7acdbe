package dev.clientgo.apimachinery.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the page of the package shows. */
final class ExampleTest {

  private final CountDownLatch ran = new CountDownLatch(1);

  @Test
  void page_daemons_haveNames() throws Exception {
    ThreadFactory threads = Daemons.named("reflector-pods-");
    threads.newThread(this::listAndWatch).start(); // reflector-pods-0, virtual on Java 21

    assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private void listAndWatch() {
    ran.countDown();
  }
}
