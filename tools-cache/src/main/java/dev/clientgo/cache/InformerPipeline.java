package dev.clientgo.cache;

import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link SharedIndexInformer} is made of, and how the parts are put together.
 *
 * <p>Safe for use by many threads. Corresponds to the inside of client-go's {@code
 * sharedIndexInformer}, and to {@code tools/cache.Config}.
 *
 * @param <T> the type of the objects
 */
final class InformerPipeline<T extends KubernetesObject> {

  /*
   *   server ──► Reflector ──► RealFIFO ──► DeltaDispatcher ──► SharedProcessor ──► ProcessorListener ──► handler
   *             │ thread 1 │              │ thread 2: changes  │                  │ one thread for    │
   *             │          │              │ the Indexer        │                  │ each handler      │
   *
   * Locks, in the order in which they are taken:
   *
   *   lifecycle        of the informer: its states, and adding and removing handlers
   *   DeltaDispatcher  one delta, or one batch, at a time. Whoever adds a handler takes it, too, so
   *                    the handler hears of the objects in the cache and then of what comes next,
   *                    without a gap and without a repetition.
   *   SharedProcessor  the set of handlers
   *   the store's, a listener's: each for a moment only
   *
   * Thread 2 holds the queue's lock before all these if the queue is long. No handler is called
   * with a lock held. Index functions run with the locks of thread 2 held, so they must not call
   * back. Thread 3, the Reflector's timers, only puts into the queue and asks the SharedProcessor.
   */

  private static final Logger LOG = System.getLogger(SharedIndexInformer.class.getName());

  /** How long to wait for threads before handlers are interrupted and, after that, given up. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration INTERRUPT_TIMEOUT = Duration.ofSeconds(1);

  private final ReflectorOptions options;
  private final InformerMetrics metrics;
  private final Indexer<T> indexer;
  private final DeltaQueue<T> queue;
  private final SharedProcessor<T> processor;
  private final DeltaDispatcher<T> dispatcher;
  private final VersionSignal storeVersion;
  private final Controller<T> controller;

  /**
   * Creates an instance, without starting a thread.
   *
   * @param informer the informer, which is closed if it is to close itself
   */
  InformerPipeline(SharedIndexInformer.Builder<T> settings, SharedIndexInformer<T> informer) {
    options = settings.options;
    metrics = settings.metrics;
    Clock clock = options.clock();
    KeyFunction<T> keyFunction = KeyFunction.metaNamespace();
    indexer = Indexer.create(keyFunction, settings.indexers);
    queue = newQueue(keyFunction, settings.useDeltaFIFO);
    processor = new SharedProcessor<>(settings.resyncPeriod, clock, options.threadFactory());
    dispatcher = new DeltaDispatcher<>(keyFunction, indexer, processor);
    storeVersion = new VersionSignal(clock, indexer);
    controller =
        new Controller<>(
            newReflector(settings, informer), queue, dispatcher, this::processed, clock);
  }

  /** The Reflector transforms, one object at a time, so the queue need not. */
  private DeltaQueue<T> newQueue(KeyFunction<T> keyFunction, boolean useDeltaFIFO) {
    if (useDeltaFIFO) {
      return DeltaFIFO.<T>builder(keyFunction)
          .name("DeltaFIFO " + options.name())
          .clock(options.clock())
          .metrics(metrics)
          .knownObjects(indexer)
          .build();
    }
    return RealFIFO.<T>builder(keyFunction)
        .name("RealFIFO " + options.name())
        .clock(options.clock())
        .metrics(metrics)
        .unlockWhileProcessing(true)
        .emitBookmarks(true)
        .build();
  }

  private Reflector<T> newReflector(
      SharedIndexInformer.Builder<T> settings, SharedIndexInformer<T> informer) {
    Reflector.Builder<T> reflector =
        Reflector.builder(settings.listerWatcher, queue)
            .options(options)
            .lastKnown(indexer)
            .watchErrorHandler(
                new Closing(informer, settings.closeWhenMissing, settings.watchErrorHandler))
            .resync(processor)
            .metrics(metrics);
    if (settings.transform != null) {
      reflector.transform(settings.transform);
    }
    if (settings.expectedKind != null) {
      reflector.expectedKind(settings.expectedKind);
    }
    return reflector.build();
  }

  /**
   * Also closes the informer if it has nobody to ask any more or, on request, if its resource is
   * missing for too long.
   */
  private record Closing(
      SharedIndexInformer<?> informer, @Nullable Duration whenMissing, WatchErrorHandler handler)
      implements WatchErrorHandler {

    @Override
    public void onError(Reflector<?> reflector, RuntimeException error) {
      try {
        handler.onError(reflector, error);
      } finally {
        if (ServerErrors.isClientClosed(error)) {
          informer.close();
        } else if (whenMissing != null && reflector.vitals().isMissingFor(whenMissing)) {
          LOG.log(
              Level.WARNING,
              "The server has no such resource any more, the informer closes itself: informer={0}",
              reflector.name());
          informer.close();
        }
      }
    }
  }

  Indexer<T> indexer() {
    return indexer;
  }

  DeltaQueue<T> queue() {
    return queue;
  }

  VersionSignal storeVersion() {
    return storeVersion;
  }

  Controller<T> controller() {
    return controller;
  }

  InformerHealth health() {
    ReflectorVitals vitals = controller.reflector().vitals();
    return new InformerHealth(
        vitals,
        omitted(vitals.omitted(), dispatcher.omitted()),
        queue.hasSynced(),
        indexer.lastStoreSyncResourceVersion(),
        processor.health());
  }

  private OmittedObjects omitted(OmittedObjectTracker reading, OmittedObjectTracker storing) {
    return reading.isEmpty() && storing.isEmpty()
        ? OmittedObjects.NONE
        : OmittedObjectTracker.of(reading, storing, indexer.listKeys().isEmpty());
  }

  // ---- lifecycle

  void start() {
    processor.start();
    controller.start(options.threadFactory());
  }

  /** Run by thread 2 each time the store has changed. */
  private void processed() {
    metrics.storeResourceVersion(indexer.lastStoreSyncResourceVersion());
    storeVersion.moved();
    if (queue.hasSynced()) {
      processor.sourceHasSynced();
    }
  }

  /** Makes the threads end. */
  void stop() {
    controller.close();
  }

  /** Waits until the threads have ended, but not for the current one, and not for ever. */
  void awaitStopped() {
    OwnedThreads own = controller.threads();
    own.join(CLOSE_TIMEOUT);
    // Only now: the last of what was processed should not find its handlers gone.
    OwnedThreads handlers = processor.close();
    if (!handlers.join(CLOSE_TIMEOUT)) {
      handlers.interrupt();
      handlers.join(INTERRUPT_TIMEOUT);
    }
    queue.abandon();
    storeVersion.close();
    own.warnOfThoseThatGoOn();
    handlers.warnOfThoseThatGoOn();
  }

  // ---- handlers

  ProcessorListener<T> newListener(ResourceEventHandler<T> handler, HandlerOptions handlerOptions) {
    String name = handlerOptions.name().orElse(handler.getClass().getName());
    return new ProcessorListener<>(
        options.name() + " handler " + name, handler, options.clock(), metrics);
  }

  /** Adds a handler that first hears of what the store has, and then of what comes next. */
  void add(ProcessorListener<T> listener, Duration resyncPeriod) {
    dispatcher.between(() -> processor.add(listener, resyncPeriod, indexer.list()));
  }

  /** Removes a handler and returns whether it was here. */
  boolean remove(ResourceEventHandlerRegistration registration) {
    boolean[] removed = new boolean[1];
    dispatcher.between(() -> removed[0] = processor.remove(registration));
    return removed[0];
  }
}
