package dev.clientgo.cache;

import dev.clientgo.apimachinery.runtime.KubernetesObject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
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

  private final Reflector<T> reflector;
  private final Queue<T> queue;
  private final DeltaDispatcher<T> dispatcher;
  private final Runnable processed;

  private volatile boolean closed;

  /**
   * Creates an instance.
   *
   * @param processed called each time something was taken from the queue and processed
   */
  Controller(
      Reflector<T> reflector, Queue<T> queue, DeltaDispatcher<T> dispatcher, Runnable processed) {
    this.reflector = reflector;
    this.queue = queue;
    this.dispatcher = dispatcher;
    this.processed = processed;
  }

  Reflector<T> reflector() {
    return reflector;
  }

  /** Starts the two threads and returns them. */
  List<OwnedThread> start(ThreadFactory factory) {
    return List.of(
        OwnedThread.start(factory, reflector.name() + " reflector", () -> repeat(reflector::run)),
        OwnedThread.start(factory, reflector.name() + " processor", () -> repeat(this::process)));
  }

  /**
   * Only close() ends the threads. An interruption from elsewhere, say by a transform function that
   * restores a flag it should not, is survived.
   */
  private void repeat(OwnedThread.Body body) {
    while (!closed) {
      try {
        body.run();
      } catch (InterruptedException e) {
        if (!closed) {
          LOG.log(
              Level.WARNING,
              () -> "A thread was interrupted by a stranger, it goes on: informer=" + name(),
              e);
        }
      }
    }
  }

  private String name() {
    return reflector.name();
  }

  private void process() throws InterruptedException {
    while (!closed) {
      processNext();
    }
  }

  /** Waits for something in the queue and processes it, or a batch. */
  void processNext() throws InterruptedException {
    try {
      queue.popBatch(dispatcher::processBatch, dispatcher::process);
    } catch (RuntimeException e) {
      // What failed is out of the queue; the rest can be processed.
      reflector.report(e);
    }
    processed.run();
  }

  /** Makes the threads end, if in addition they are interrupted. */
  void close() {
    closed = true;
    reflector.stop();
    queue.close();
  }
}
