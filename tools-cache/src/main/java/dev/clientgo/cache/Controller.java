package dev.clientgo.cache;

import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/**
 * Two threads and the queue between them: one runs the {@link Reflector}, which fills the queue,
 * the other processes what is in it.
 *
 * <p>Corresponds to client-go's {@code tools/cache.Controller}.
 *
 * @param <T> the type of the objects
 */
final class Controller<T extends KubernetesObject> {

  private static final Logger LOG = System.getLogger(Controller.class.getName());

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Reflector<T> reflector;
  private final Queue<T> queue;
  private final DeltaDispatcher<T> dispatcher;
  private final Runnable processed;
  private final Clock clock;

  private volatile boolean closed;

  /** Written by whoever starts it, before anybody else knows of it. */
  private volatile OwnedThreads threads = OwnedThreads.NONE;

  /**
   * Creates an instance.
   *
   * @param processed called each time something was taken from the queue and processed
   */
  Controller(
      Reflector<T> reflector,
      Queue<T> queue,
      DeltaDispatcher<T> dispatcher,
      Runnable processed,
      Clock clock) {
    this.reflector = reflector;
    this.queue = queue;
    this.dispatcher = dispatcher;
    this.processed = processed;
    this.clock = clock;
  }

  Reflector<T> reflector() {
    return reflector;
  }

  /** Starts the two threads. */
  void start(ThreadFactory factory) {
    threads =
        new OwnedThreads(
            List.of(
                start(factory, reflector.name() + " reflector", reflector::run),
                start(factory, reflector.name() + " processor", this::process)));
  }

  private OwnedThread start(ThreadFactory factory, String name, OwnedThread.Body body) {
    return OwnedThread.start(factory, name, () -> repeat(name, body));
  }

  /**
   * Only close() ends the threads. What else might is survived, as it would not be noticed: an
   * interruption by a transform function that restores a flag it should not, or an Error.
   */
  private void repeat(String thread, OwnedThread.Body body) {
    while (!closed) {
      try {
        body.run();
      } catch (InterruptedException e) {
        survive(thread, e);
      } catch (Throwable t) {
        survive(thread, t);
      }
    }
  }

  private void survive(String thread, Throwable failure) {
    if (!closed) {
      LOG.log(Level.ERROR, () -> "Failed, and goes on after a second: thread=" + thread, failure);
      pause();
    }
  }

  private void pause() {
    try {
      clock.sleep(PAUSE);
    } catch (InterruptedException e) {
      // Closed, or a stranger again.
      LOG.log(Level.TRACE, () -> "Interrupted: informer=" + reflector.name(), e);
    }
  }

  private void process() throws InterruptedException {
    while (!closed) {
      processNext();
    }
  }

  /** Waits for something in the queue and processes it, or a batch. */
  void processNext() throws InterruptedException {
    try {
      queue.popBatch(
          (deltas, isInInitialList) ->
              recordingErrors(dispatcher::processBatch, deltas, isInInitialList),
          (deltas, isInInitialList) -> recordingErrors(dispatcher, deltas, isInInitialList));
    } catch (RuntimeException e) {
      // What failed is out of the queue; the rest can be processed.
      reflector.report(e);
    }
    processed.run();
  }

  /**
   * The queue says that it is synced when the processor returns, so the health must show an error
   * before. The error handler is called later, without the lock of the queue.
   */
  private void recordingErrors(
      DeltaProcessor<T> processor, List<Delta<T>> deltas, boolean isInInitialList)
      throws InterruptedException {
    try {
      processor.process(deltas, isInInitialList);
    } catch (RuntimeException e) {
      reflector.vitals().failed(e);
      throw e;
    }
  }

  OwnedThreads threads() {
    return threads;
  }

  /** Makes the threads end. */
  void close() {
    closed = true;
    reflector.stop();
    queue.close();
    threads.interrupt();
  }
}
