package dev.clientgo.rest.internal.policy;

import dev.clientgo.rest.config.RequestMetrics;
import java.time.Duration;
import java.time.Instant;

/** Passes all events on to two receivers. */
record BothMetrics(RequestMetrics first, RequestMetrics second) implements RequestMetrics {

  @Override
  public void attempted(Attempt attempt, int code, Duration latency) {
    first.attempted(attempt, code, latency);
    second.attempted(attempt, code, latency);
  }

  @Override
  public void retried(Attempt attempt, int code) {
    first.retried(attempt, code);
    second.retried(attempt, code);
  }

  @Override
  public void throttled(Attempt attempt, Duration wait) {
    first.throttled(attempt, wait);
    second.throttled(attempt, wait);
  }

  @Override
  public void transferred(Attempt attempt, long sent, long received) {
    first.transferred(attempt, sent, received);
    second.transferred(attempt, sent, received);
  }

  @Override
  public void pluginCalled(PluginResult result, int exitCode) {
    first.pluginCalled(result, exitCode);
    second.pluginCalled(result, exitCode);
  }

  @Override
  public void pluginChecked(boolean allowed) {
    first.pluginChecked(allowed);
    second.pluginChecked(allowed);
  }

  @Override
  public void pluginCertificate(Instant notBefore, Instant notAfter) {
    first.pluginCertificate(notBefore, notAfter);
    second.pluginCertificate(notBefore, notAfter);
  }
}
