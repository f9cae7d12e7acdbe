package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The rate limiting queue of client-go: a delaying queue and a rate limiter, which it asks. */
final class LimitedDelayingQueue<T> extends ForwardingWorkQueue<T, DelayingQueue<T>>
    implements RateLimitingQueue<T> {

  private final RateLimiter<? super T> limiter;
  private final @Nullable QueueObserver observer;

  LimitedDelayingQueue(
      DelayingQueue<T> queue, RateLimiter<? super T> limiter, @Nullable QueueObserver observer) {
    super(queue);
    this.observer = observer;
    this.limiter = requireNonNull(limiter, "limiter");
  }

  @Override
  public void addAfter(T item, Duration delay) {
    queue.addAfter(item, delay);
  }

  @Override
  public void addRateLimited(T item) {
    queue.addAfter(item, limiter.delayFor(requireNonNull(item, "item")));
  }

  @Override
  public void forget(T item) {
    limiter.forget(requireNonNull(item, "item"));
    if (observer != null) {
      observer.forgotten(item);
    }
  }

  @Override
  public int numRequeues(T item) {
    return limiter.numRequeues(requireNonNull(item, "item"));
  }
}
