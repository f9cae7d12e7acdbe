package dev.clientgo.cache;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports an error to the health record, the metrics and the error handler of a Reflector. After
 * {@link #stop} it reports nothing.
 *
 * <p>Safe for use by many threads.
 */
final class ErrorReporter {

  private static final Logger LOG = System.getLogger("dev.clientgo.cache.Reflector");

  private final String reflector;
  private final ReflectorHealth health;
  private final InformerMetrics metrics;
  private final @Nullable InformerObserver<?> observer;
  private final Consumer<RuntimeException> handler;
  private volatile boolean stopped;

  ErrorReporter(
      String reflector,
      ReflectorHealth health,
      InformerMetrics metrics,
      @Nullable InformerObserver<?> observer,
      Consumer<RuntimeException> handler) {
    this.reflector = reflector;
    this.health = health;
    this.metrics = metrics;
    this.observer = observer;
    this.handler = handler;
  }

  /** Reports an error. If the error handler throws, that exception goes to the log. */
  void report(RuntimeException error) {
    if (stopped) {
      return;
    }
    health.failed(error);
    metrics.failed(error);
    if (observer != null) {
      observer.failed(error);
    }
    try {
      handler.accept(error);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, () -> "The watch error handler failed: reflector=" + reflector, e);
    }
  }

  void stop() {
    stopped = true;
  }
}
