package dev.clientgo.cache.internal.errors;

import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.clock.CrashLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Passes figures on to metrics and logs the exceptions that they throw, so that an error in metrics
 * loses no event and ends no thread.
 */
public final class GuardedMetrics implements InformerMetrics {

  private static final Logger LOG = System.getLogger(InformerMetrics.class.getName());

  private final InformerMetrics metrics;

  private GuardedMetrics(InformerMetrics metrics) {
    this.metrics = metrics;
  }

  /** Returns metrics that pass on to the given ones and do not throw. */
  public static InformerMetrics of(InformerMetrics metrics) {
    return metrics == NONE || metrics instanceof GuardedMetrics
        ? metrics
        : new GuardedMetrics(metrics);
  }

  private static void guarded(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      CrashLog.log(LOG, Level.WARNING, "Metrics failed", e);
    }
  }

  @Override
  public void queueLength(int length) {
    guarded(() -> metrics.queueLength(length));
  }

  @Override
  public void processed(Duration duration) {
    guarded(() -> metrics.processed(duration));
  }

  @Override
  public void listed(Duration duration, int objects, boolean streamed) {
    guarded(() -> metrics.listed(duration, objects, streamed));
  }

  @Override
  public void watched(Duration duration, long events) {
    guarded(() -> metrics.watched(duration, events));
  }

  @Override
  public void failed(RuntimeException error) {
    guarded(() -> metrics.failed(error));
  }

  @Override
  public void storeResourceVersion(String resourceVersion) {
    guarded(() -> metrics.storeResourceVersion(resourceVersion));
  }

  @Override
  public void handlerBacklog(String handler, int notifications) {
    guarded(() -> metrics.handlerBacklog(handler, notifications));
  }

  @Override
  public void handlerFailed(String handler, Throwable error) {
    guarded(() -> metrics.handlerFailed(handler, error));
  }
}
