package dev.clientgo.spring;

import dev.clientgo.clock.ShutdownSignal;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.kubernetes.InformerFactory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;

/**
 * Fills the caches of the informers and starts the manager with the controllers of the application,
 * before the web server starts; ends them after it. If there are controllers, a thread keeps the
 * process alive, as that of a web server does.
 */
final class ClientGoLifecycle
    implements SmartLifecycle, ApplicationListener<ApplicationReadyEvent> {

  /** Well before the web server, whose phase is a few thousand below the default. */
  private static final int PHASE = DEFAULT_PHASE - 100_000;

  /** How long the end of the JVM waits for a start that it has interrupted. */
  private static final Duration INTERRUPT_TIMEOUT = Duration.ofSeconds(5);

  private static final Logger LOG = System.getLogger(ClientGoLifecycle.class.getName());

  private final InformerFactory informers;
  private final Manager manager;
  private final ObjectProvider<Controller> controllers;
  private final ClientGoProperties properties;
  private final ApplicationContext context;
  private volatile boolean running;
  private volatile boolean failed;

  ClientGoLifecycle(
      InformerFactory informers,
      Manager manager,
      ObjectProvider<Controller> controllers,
      ClientGoProperties properties,
      ApplicationContext context) {
    this.informers = informers;
    this.manager = manager;
    this.controllers = controllers;
    this.properties = properties;
    this.context = context;
  }

  @Override
  public void start() {
    running = true;
    List<Controller> all = controllers.orderedStream().toList(); // May make listers.
    informers.start();
    if (!properties.syncTimeout().isZero()) {
      awaitSynced();
    }
    all.forEach(manager::add);
    manager.start();
    Thread watcher = new Thread(this::watch, "clientgo-manager");
    watcher.setDaemon(manager.controllers().isEmpty()); // Then it is no reason to stay alive.
    watcher.start();
  }

  /** Waits for the caches, but not after SIGTERM: the end of the context waits for its start. */
  private void awaitSynced() {
    ShutdownSignal signal = ShutdownSignal.install(INTERRUPT_TIMEOUT);
    try {
      informers.awaitSynced(properties.syncTimeout()).orThrow();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the caches were filled", e);
    } finally {
      signal.close();
    }
  }

  private void watch() {
    try {
      manager.awaitEnd();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  /** A manager that has failed does not recover by itself. */
  private void failed(RuntimeException failure) {
    LOG.log(Level.ERROR, "The manager of the controllers has failed", failure);
    failed = true;
    try {
      AvailabilityChangeEvent.publish(context, LivenessState.BROKEN);
    } finally { // Whatever a listener of the application throws.
      if (properties.exitOnFailure()) {
        SpringApplication.exit(context, () -> 1);
      }
    }
  }

  /** Repeats a failure of the start, whose end has made the liveness state correct. */
  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    if (failed) {
      AvailabilityChangeEvent.publish(context, LivenessState.BROKEN);
    }
  }

  @Override
  public void stop() {
    running = false;
    manager.close();
    informers.close();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Returns false: closed informers do not start again. */
  @Override
  public boolean isPauseable() {
    return false;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
