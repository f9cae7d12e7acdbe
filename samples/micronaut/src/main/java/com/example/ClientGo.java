package com.example;

import dev.clientgo.cache.Lister;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.micrometer.MicrometerMetrics;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Value;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.core.async.publisher.AsyncSingleResultPublisher;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Liveness;
import io.micronaut.management.health.indicator.annotation.Readiness;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/**
 * The client, the informers and the manager of the application: beans, start, health, end.
 * Micronaut closes each bean before those that it needs: the manager, which lets reconciles end,
 * then the informers, then the client.
 */
@Factory
public class ClientGo {

  @Singleton
  RestConfig config() {
    return KubeConfigLoader.standard().load();
  }

  @Singleton
  @Bean(preDestroy = "close")
  RESTClient client(RestConfig config) {
    return RESTClient.create(config);
  }

  @Singleton
  @Bean(preDestroy = "close")
  InformerFactory informers(RESTClient client) {
    return InformerFactory.create(client);
  }

  @Singleton
  @Bean(preDestroy = "close")
  Manager manager(
      RESTClient client,
      InformerFactory informers,
      MeterRegistry meters,
      @Value("${clientgo.max-staleness:5m}") Duration maxStaleness) {
    return Manager.builder(client)
        .metrics(MicrometerMetrics.of(meters))
        .maxStaleness(maxStaleness)
        .readyCheck("informers", () -> checkInformers(informers, maxStaleness))
        .build();
  }

  /** Throws if a cache is not filled, or the server has not confirmed it for too long. */
  private static void checkInformers(InformerFactory informers, Duration maxStaleness) {
    informers
        .shared()
        .health()
        .forEach(
            (name, health) ->
                health
                    .problem(maxStaleness)
                    .ifPresent(
                        problem -> {
                          throw new IllegalStateException("the cache of " + name + " " + problem);
                        }));
  }

  /**
   * Starts the informers and the controllers, and does not wait: the application is ready when the
   * caches are filled.
   */
  @Singleton
  static class Start {

    private final InformerFactory informers;
    private final Manager manager;
    private final List<Controller> controllers;

    /**
     * Creates an instance.
     *
     * @param listers all listers, which are created for this, so that their informers start
     */
    Start(
        InformerFactory informers,
        Manager manager,
        List<Lister<?>> listers,
        List<Controller> controllers) {
      this.informers = informers;
      this.manager = manager;
      this.controllers = controllers;
    }

    @EventListener
    void start(StartupEvent event) {
      informers.start();
      controllers.forEach(manager::add);
      manager.start();
    }
  }

  @Singleton
  @Liveness
  HealthIndicator liveness(
      Manager manager, @Named(TaskExecutors.BLOCKING) ExecutorService executor) {
    return indicator(executor, manager::healthProblems);
  }

  @Singleton
  @Readiness
  HealthIndicator readiness(
      Manager manager, @Named(TaskExecutors.BLOCKING) ExecutorService executor) {
    return indicator(executor, manager::readyProblems);
  }

  private static HealthIndicator indicator(
      ExecutorService executor, Supplier<Map<String, String>> check) {
    return () ->
        new AsyncSingleResultPublisher<>(
            executor,
            () -> {
              Map<String, String> problems = check.get();
              return HealthResult.builder(
                      "clientgo", problems.isEmpty() ? HealthStatus.UP : HealthStatus.DOWN)
                  .details(problems)
                  .build();
            });
  }
}
