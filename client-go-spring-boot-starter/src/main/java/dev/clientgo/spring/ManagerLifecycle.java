package dev.clientgo.spring;

import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Runs the manager with the controllers of the application, after the informers. Its thread keeps
 * the process alive, as that of a web server does.
 */
final class ManagerLifecycle implements SmartLifecycle {

  private static final Logger LOG = System.getLogger(ManagerLifecycle.class.getName());

  private final Manager manager;
  private final ObjectProvider<Controller> controllers;
  private final ClientGoProperties properties;
  private final ApplicationContext context;
  private volatile boolean running;

  ManagerLifecycle(
      Manager manager,
      ObjectProvider<Controller> controllers,
      ClientGoProperties properties,
      ApplicationContext context) {
    this.context = context;
    this.manager = manager;
    this.controllers = controllers;
    this.properties = properties;
  }

  @Override
  public void start() {
    running = true;
    controllers.orderedStream().forEach(manager::add);
    manager.start();
    Thread watcher = new Thread(this::watch, "clientgo-manager");
    watcher.setDaemon(manager.controllers().isEmpty()); // Then it is no reason to stay alive.
    watcher.start();
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
    AvailabilityChangeEvent.publish(context, LivenessState.BROKEN);
    if (properties.exitOnFailure()) {
      SpringApplication.exit(context, () -> 1);
    }
  }

  @Override
  public void stop() {
    running = false;
    manager.close();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Returns false: a closed manager cannot start again. */
  @Override
  public boolean isPauseable() {
    return false;
  }

  @Override
  public int getPhase() {
    return InformersLifecycle.PHASE + 1;
  }
}
