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
import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;

/** The client, the informers and the manager of the application: beans, start, health, end. */
@Singleton
public class ClientGo {

  @Produces
  @Singleton
  RestConfig config() {
    return KubeConfigLoader.standard().load();
  }

  @Produces
  @Singleton
  RESTClient client(RestConfig config) {
    return RESTClient.create(config);
  }

  @Produces
  @Singleton
  InformerFactory informers(RESTClient client) {
    return InformerFactory.create(client);
  }

  @Produces
  @Singleton
  Manager manager(
      RESTClient client,
      InformerFactory informers,
      MeterRegistry meters,
      @ConfigProperty(name = "clientgo.max-staleness", defaultValue = "5m") Duration maxStaleness) {
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
   * Starts the informers and the controllers, and returns at once: the application is ready when the
   * caches are filled.
   *
   * @param listers all listers, which are made by this, so that their informers start
   */
  void start(
      @Observes StartupEvent event,
      InformerFactory informers,
      Manager manager,
      @All List<Lister<?>> listers,
      @All List<Controller> controllers) {
    informers.start();
    controllers.forEach(manager::add);
    manager.start();
  }

  void stop(
      @Observes ShutdownEvent event,
      RESTClient client,
      InformerFactory informers,
      Manager manager) {
    try (client; informers; manager) {
      // Closes the manager, which lets reconciles end, then the informers, then the client.
    }
  }

  @Produces
  @Singleton
  @Liveness
  HealthCheck liveness(Manager manager) {
    return () -> response(manager.healthProblems());
  }

  @Produces
  @Singleton
  @Readiness
  HealthCheck readiness(Manager manager) {
    return () -> response(manager.readyProblems());
  }

  private static HealthCheckResponse response(Map<String, String> problems) {
    var response = HealthCheckResponse.named("clientgo").status(problems.isEmpty());
    problems.forEach(response::withData);
    return response.build();
  }
}
