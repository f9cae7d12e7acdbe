package dev.clientgo.spring;

import dev.clientgo.kubernetes.InformerFactory;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/** Fills the caches of the informers before the web server starts, and ends them after it. */
final class InformersLifecycle implements SmartLifecycle {

  /** Well before the web server, whose phase is a few thousand below the default. */
  static final int PHASE = DEFAULT_PHASE - 100_000;

  private final InformerFactory informers;
  private final Duration syncTimeout;
  private volatile boolean running;

  InformersLifecycle(InformerFactory informers, Duration syncTimeout) {
    this.informers = informers;
    this.syncTimeout = syncTimeout;
  }

  @Override
  public void start() {
    running = true;
    informers.start();
    if (!syncTimeout.isZero()) {
      try {
        informers.awaitSynced(syncTimeout).orThrow();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while the caches were filled", e);
      }
    }
  }

  @Override
  public void stop() {
    running = false;
    informers.close();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Returns false: closed informers cannot start again. */
  @Override
  public boolean isPauseable() {
    return false;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
