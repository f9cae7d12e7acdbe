package dev.clientgo.controller.internal.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.Request;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.workqueue.PriorityQueue;
import dev.clientgo.workqueue.QueueConfig;
import dev.clientgo.workqueue.WorkItem;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The reconciles of one worker, which is the thread of the test. */
final class ReconcileTermTest {

  /** No test reaches a server. */
  private static final RESTClient CLIENT =
      RESTClient.create(RestConfig.builder("http://127.0.0.1:9").build());

  private final FakeClock clock = FakeClock.create();
  private final ReconcileTerm term = ReconcileTerm.endless(CLIENT, clock);
  private final ActiveReconcile reconcile =
      new ActiveReconcile(new Request("default", "x"), /* startedAt= */ 0);

  @AfterAll
  static void close() {
    CLIENT.close();
  }

  @AfterEach
  void clearInterrupt() {
    Thread.interrupted();
  }

  /** Sends the reconcile through the term, with one more step. */
  private void run(Attempt.Step<Request> step) throws InterruptedException {
    try (PriorityQueue<Request> queue = PriorityQueue.create(QueueConfig.defaults())) {
      queue.add(new Request("default", "x"));
      try (WorkItem<Request> work = queue.get().orElseThrow()) {
        term.run(new Attempt<>(work, reconcile, CLIENT, queue, List.of(step)));
      }
    }
  }

  /** As one whose object belongs to another replica: the shard group may still report the loss. */
  @Test
  void reconcileThatNeverRan_keepsLateInterruptsFromTheNext() throws Exception {
    run(attempt -> {});

    reconcile.lose();
    reconcile.timeOut();

    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void end_clearsTheInterruptOfTheReconcile() throws Exception {
    run(attempt -> reconcile.lose());

    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void end_afterTheReconcilerHasReturned_keepsTheInterruptOfAnother() throws Exception {
    run(
        attempt -> {
          reconcile.lose();
          reconcile.end();
          Thread.currentThread().interrupt(); // As a controller that is being closed.
        });

    assertThat(Thread.interrupted()).isTrue();
  }
}
