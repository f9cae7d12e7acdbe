package dev.clientgo.workqueue;

import static dev.clientgo.workqueue.Queues.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An observer sees each step of an item, in order, and cannot harm the queue. */
final class QueueObserverTest {

  private final FakeClock clock = FakeClock.create();
  private final List<String> steps = new ArrayList<>();
  private final QueueObserver recorder = new Recorder();

  private final class Recorder implements QueueObserver {
    @Override
    public void added(Object item) {
      steps.add("added " + item);
    }

    @Override
    public void alreadyAdded(Object item) {
      steps.add("alreadyAdded " + item);
    }

    @Override
    public void delayed(Object item, Duration delay) {
      steps.add("delayed " + item + " " + delay.toMillis() + " ms");
    }

    @Override
    public void due(Object item) {
      steps.add("due " + item);
    }

    @Override
    public void got(Object item) {
      steps.add("got " + item);
    }

    @Override
    public void starting(Object item) {
      steps.add("starting " + item);
    }

    @Override
    public void done(Object item) {
      steps.add("done " + item);
    }

    @Override
    public void forgotten(Object item) {
      steps.add("forgotten " + item);
    }

    @Override
    public void shutDown(boolean drops) {
      steps.add(drops ? "shutDown, drops" : "shutDown");
    }
  }

  private RateLimitingQueue<String> queue(boolean priority, QueueObserver observer) {
    QueueConfig config = QueueConfig.builder().clock(clock).observer(observer).build();
    RateLimiter<String> limiter =
        RateLimiter.itemExponentialFailure(Duration.ofMillis(5), Duration.ofSeconds(10));
    return priority
        ? PriorityQueue.create(limiter, config)
        : RateLimitingQueue.create(limiter, config);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void item_addedTwiceAndWhileProcessed_isSeenAtEachStep(boolean priority) throws Exception {
    RateLimitingQueue<String> queue = queue(priority, recorder);

    queue.add("a");
    queue.add("a");
    WorkItem<String> work = take(queue);
    queue.add("a");
    work.done();
    take(queue).done();
    queue.forget("a");
    queue.shutDown();

    assertThat(steps)
        .containsExactly(
            "added a",
            "alreadyAdded a",
            "got a",
            "starting a",
            "added a",
            "done a",
            "got a",
            "starting a",
            "done a",
            "forgotten a",
            priority ? "shutDown, drops" : "shutDown");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void item_thatFails_isSeenWaiting(boolean priority) throws Exception {
    RateLimitingQueue<String> queue = queue(priority, recorder);

    queue.addRateLimited("a");
    clock.advance(Duration.ofMillis(5));
    take(queue).done();
    queue.addRateLimited("a");

    assertThat(steps)
        .containsExactly(
            "delayed a 5 ms",
            "due a",
            "added a",
            "got a",
            "starting a",
            "done a",
            "delayed a 10 ms");
  }

  @Test
  void priorityQueue_addOfAWaitingItem_isSeenAsDue() {
    RateLimitingQueue<String> queue = queue(true, recorder);

    queue.addAfter("a", Duration.ofSeconds(1));
    queue.add("a");

    assertThat(steps).containsExactly("delayed a 1000 ms", "due a", "added a");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void observer_thatThrows_losesNoItem(boolean priority) throws Exception {
    RuntimeException failure = new IllegalStateException("no disk space");
    QueueObserver broken =
        new QueueObserver() {
          @Override
          public void added(Object item) {
            throw failure;
          }

          @Override
          public void starting(Object item) {
            throw failure;
          }

          @Override
          public void done(Object item) {
            throw failure;
          }
        };
    RateLimitingQueue<String> queue = queue(priority, broken);

    queue.add("a");
    WorkItem<String> work = take(queue);
    queue.add("a");
    work.done();

    assertThat(work.value()).isEqualTo("a");
    assertThat(take(queue).value()).isEqualTo("a");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void worker_interruptedWhileTheObserverBlocks_givesTheItemBack(boolean priority)
      throws Exception {
    List<String> interruptions = new ArrayList<>(List.of("once"));
    QueueObserver interrupted =
        new QueueObserver() {
          @Override
          public void starting(Object item) throws InterruptedException {
            if (!interruptions.isEmpty()) {
              throw new InterruptedException(interruptions.remove(0));
            }
          }
        };
    RateLimitingQueue<String> queue = queue(priority, interrupted);
    queue.add("a");

    assertThatThrownBy(queue::get).isInstanceOf(InterruptedException.class).hasMessage("once");

    assertThat(take(queue).value()).isEqualTo("a");
    assertThatThrownBy(() -> queue.get(Duration.ZERO)).isInstanceOf(TimeoutException.class);
  }
}
