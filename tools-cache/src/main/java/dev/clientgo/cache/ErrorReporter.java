package dev.clientgo.cache;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;

/**
 * Reports what goes wrong between a Reflector and its server: to the health record, to the metrics
 * and to the error handler. A reporter that is stopped reports nothing.
 *
 * <p>Safe for use by many threads.
 */
final class ErrorReporter {

  private static final Logger LOG = System.getLogger(Reflector.class.getName());

  private final String reflector;
  private final ReflectorHealth health;
  private final InformerMetrics metrics;
  private final Consumer<RuntimeException> handler;
  private volatile boolean stopped;

  ErrorReporter(
      String reflector,
      ReflectorHealth health,
      InformerMetrics metrics,
      Consumer<RuntimeException> handler) {
    this.reflector = reflector;
    this.health = health;
    this.metrics = metrics;
    this.handler = handler;
  }

  /** Reports an error. An exception of the error handler goes to the log. */
  void report(RuntimeException error) {
    if (stopped) {
      return;
    }
    health.failed(error);
    metrics.failed(error);
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
