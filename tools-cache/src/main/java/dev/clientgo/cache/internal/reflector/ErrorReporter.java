package dev.clientgo.cache.internal.reflector;

import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.clock.CrashLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;

/**
 * Reports an error to the health record, the metrics and the error handler of a Reflector. After
 * {@link #stop} it reports nothing.
 *
 * <p>Safe for use by many threads.
 */
public final class ErrorReporter {

  private static final Logger LOG = System.getLogger("dev.clientgo.cache.Reflector");

  private final String reflector;
  private final ReflectorHealth health;
  private final InformerMetrics metrics;
  private final Consumer<RuntimeException> handler;
  private volatile boolean stopped;

  /**
   * Creates an instance.
   *
   * @param reflector the name of the Reflector in logs
   */
  public ErrorReporter(
      String reflector,
      ReflectorHealth health,
      InformerMetrics metrics,
      Consumer<RuntimeException> handler) {
    this.reflector = reflector;
    this.health = health;
    this.metrics = metrics;
    this.handler = handler;
  }

  /** Reports an error. If the error handler throws, that exception goes to the log. */
  public void report(RuntimeException error) {
    if (stopped) {
      return;
    }
    health.failed(error);
    metrics.failed(error);
    try {
      handler.accept(error);
    } catch (Throwable e) {
      CrashLog.log(LOG, Level.WARNING, "The watch error handler failed: reflector=" + reflector, e);
    }
  }

  /** Returns what was thrown, an error of a user's function, too, in the form of the reports. */
  public static RuntimeException reportable(Throwable thrown) {
    return thrown instanceof RuntimeException exception
        ? exception
        : new IllegalStateException("a function failed: " + CrashLog.text(thrown), thrown);
  }

  /** Ends the reports. */
  public void stop() {
    stopped = true;
  }
}
