package dev.clientgo.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.cache.Lister;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.testing.Eventually;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

final class ClientGoAutoConfigurationTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private EmbeddedApiServer server;
  private RESTClient client;

  @BeforeEach
  void start() throws InterruptedException {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
    client.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "a", c -> {}));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private ApplicationContextRunner application() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                ClientGoAutoConfiguration.class, ApplicationAvailabilityAutoConfiguration.class))
        .withBean(RestConfig.class, server::restConfig);
  }

  /** An application with a lister. */
  @Configuration(proxyBeanMethods = false)
  static class WithLister {

    @Bean
    Lister<ConfigMap> configMaps(InformerFactory informers) {
      return informers.core().v1().configMaps().lister();
    }
  }

  @Test
  void cachesAreFilled_whenTheApplicationHasStarted() {
    application()
        .withUserConfiguration(WithLister.class)
        .run(
            context -> {
              Lister<?> lister = context.getBean(Lister.class);
              assertThat(lister.list()).hasSize(1);
              assertThat(context.getBean(HealthIndicator.class).health())
                  .satisfies(health -> assertThat(health.getStatus()).isEqualTo(Status.UP))
                  .satisfies(
                      health -> assertThat(health.getDetails()).containsEntry("informers", 1));
            });
  }

  @Test
  void cacheThatTheServerForbids_keepsTheApplicationFromStarting() {
    server.faults().on(request -> true).always().answer(403);
    application()
        .withUserConfiguration(WithLister.class)
        .withPropertyValues("clientgo.sync-timeout=1s")
        .run(
            context ->
                assertThat(context)
                    .hasFailed()
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("configmaps")
                    .hasMessageContaining("injected"));
  }

  @Test
  void withoutAWait_theApplicationStarts_andIsOutOfService() {
    server.faults().on(request -> true).always().answer(403);
    application()
        .withUserConfiguration(WithLister.class)
        .withPropertyValues("clientgo.sync-timeout=0s")
        .run(
            context ->
                Eventually.await(
                    "the reason",
                    () -> {
                      var health = context.getBean(HealthIndicator.class).health();
                      return health.getStatus().equals(Status.OUT_OF_SERVICE)
                          && health.getDetails().toString().contains("injected");
                    }));
  }

  @Test
  void cacheOfWhichTheServerSaysNothing_isOutOfService() {
    application()
        .withUserConfiguration(WithLister.class)
        .withPropertyValues("clientgo.max-staleness=1ns")
        .run(
            context ->
                assertThat(context.getBean(HealthIndicator.class).health())
                    .satisfies(
                        health -> assertThat(health.getStatus()).isEqualTo(Status.OUT_OF_SERVICE))
                    .satisfies(
                        health ->
                            assertThat(health.getDetails().toString())
                                .contains("last confirmed by the server")));
  }

  /** An application with a controller, whose first reconcile ends when a test lets it. */
  @Configuration(proxyBeanMethods = false)
  static class WithController {

    final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    final CountDownLatch mayEnd = new CountDownLatch(1);
    final AtomicBoolean ended = new AtomicBoolean();

    @Bean
    Reconciler reconciler() {
      return (request, context) -> {
        requests.add(request);
        ended.set(mayEnd.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
        return Result.done();
      };
    }

    @Bean
    Controller websites(Reconciler reconciler) {
      return Controller.builder(reconciler).forKind(ConfigMap.TYPE).owns(Deployment.TYPE).build();
    }
  }

  @Test
  void controllerBean_runs_andItsReconcileEndsBeforeTheApplication() {
    WithController[] running = new WithController[1];
    application()
        .withUserConfiguration(WithController.class)
        .run(
            context -> {
              running[0] = context.getBean(WithController.class);
              Eventually.await("a reconcile", () -> !running[0].requests.isEmpty());
              assertThat(context.getBean(HealthIndicator.class).health().getDetails())
                  .containsEntry("controllers", 1);
              new Thread(running[0].mayEnd::countDown).start();
            });

    assertThat(running[0].ended).isTrue();
  }

  /** An application whose controller never gets its cache. */
  @Configuration(proxyBeanMethods = false)
  static class WithForbiddenController {

    @Bean
    Controller secretController() {
      return Controller.builder((request, context) -> Result.done())
          .forKind(Secret.TYPE)
          .cacheSyncTimeout(Duration.ofSeconds(2))
          .build();
    }
  }

  @Test
  void managerThatFails_endsTheApplication() {
    server.faults().on(request -> true).always().answer(403);
    application()
        .withUserConfiguration(WithForbiddenController.class)
        .run(
            context ->
                Eventually.await(
                    "the end", () -> !context.getSourceApplicationContext().isActive()));
  }

  @Test
  void managerThatFails_endsTheApplication_alsoIfAListenerOfTheFailureThrows() {
    server.faults().on(request -> true).always().answer(403);
    application()
        .withUserConfiguration(WithForbiddenController.class)
        .withInitializer(
            context ->
                context.addApplicationListener(
                    event -> {
                      if (event instanceof AvailabilityChangeEvent<?>) {
                        throw new AssertionError("the listener fails");
                      }
                    }))
        .run(
            context ->
                Eventually.await(
                    "the end", () -> !context.getSourceApplicationContext().isActive()));
  }

  @Test
  void managerThatFails_breaksTheLiveness_andSaysWhy() {
    server.faults().on(request -> true).always().answer(403);
    application()
        .withUserConfiguration(WithForbiddenController.class)
        .withPropertyValues("clientgo.exit-on-failure=false")
        .run(
            context -> {
              Eventually.await(
                  "the failure",
                  () ->
                      context
                              .getBean(ApplicationAvailability.class)
                              .getLastChangeEvent(LivenessState.class)
                          != null);
              assertThat(context.getBean(ApplicationAvailability.class).getLivenessState())
                  .isEqualTo(LivenessState.BROKEN);
              var health = context.getBean(HealthIndicator.class).health();
              assertThat(health.getStatus()).isEqualTo(Status.DOWN);
              assertThat(health.getDetails().toString()).contains("secrets").contains("injected");
            });
  }

  @Test
  void properties_chooseServerAndLease(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("config"), server.kubeconfig());
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(ClientGoAutoConfiguration.class))
        .withUserConfiguration(WithController.class)
        .withPropertyValues(
            "clientgo.kubeconfig=" + file,
            "clientgo.leader-election.name=counter",
            "clientgo.leader-election.namespace=default")
        .run(
            context -> {
              WithController running = context.getBean(WithController.class);
              Eventually.await("a reconcile", () -> !running.requests.isEmpty());
              running.mayEnd.countDown();
              assertThat(client.resource(Lease.TYPE).inNamespace("default").find("counter"))
                  .isPresent();
              assertThat(Clientset.of(context.getBean(RESTClient.class)).core().v1()).isNotNull();
            });
  }

  @Test
  void metrics_areInTheRegistry_andCustomizersSetTheRest() {
    application()
        .withUserConfiguration(WithController.class)
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withBean(
            ManagerBuilderCustomizer.class,
            () -> builder -> builder.healthCheck("license", () -> fail("the license is over")))
        .run(
            context -> {
              context.getBean(WithController.class).mayEnd.countDown();
              Eventually.await(
                  "the metric",
                  () ->
                      context.getBean(MeterRegistry.class).getMeters().stream()
                          .anyMatch(m -> m.getId().getName().startsWith("controller_runtime")));
              var health = context.getBean(HealthIndicator.class).health();
              assertThat(health.getStatus()).isEqualTo(Status.DOWN);
              assertThat(health.getDetails()).containsEntry("license", "the license is over");
            });
  }

  private static void fail(String message) {
    throw new IllegalStateException(message);
  }

  @Test
  void beansOfTheApplication_comeFirst() {
    try (RESTClient own = RESTClient.create(server.restConfig())) {
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(ClientGoAutoConfiguration.class))
          .withBean(RESTClient.class, () -> own)
          .withBean("mine", Manager.class, () -> Manager.create(own))
          .run(
              context -> {
                assertThat(context).hasSingleBean(Manager.class).doesNotHaveBean(RestConfig.class);
                assertThat(context.getBean(RESTClient.class)).isSameAs(own);
              });
    }
  }

  @Test
  void withoutTheActuator_thereIsNoHealth() {
    application()
        .withClassLoader(new FilteredClassLoader(HealthIndicator.class))
        .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Manager.class));
  }
}
