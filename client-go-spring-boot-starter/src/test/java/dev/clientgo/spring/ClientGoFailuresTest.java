package dev.clientgo.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.cache.Lister;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Result;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.testing.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.support.GenericApplicationContext;

/** Faults of an application, its server and its settings, and how the application reports them. */
@Timeout(300)
final class ClientGoFailuresTest {

  private EmbeddedApiServer server;
  private RESTClient client;

  @BeforeEach
  void start() throws InterruptedException {
    server = EmbeddedApiServer.builder().bookmarkInterval(Duration.ofSeconds(1)).start();
    client = RESTClient.create(server.restConfig());
    create("a");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  /** By a new client: a connection from before a restart breaks. */
  private void create(String name) throws InterruptedException {
    try (RESTClient once = RESTClient.create(server.restConfig())) {
      once.resource(ConfigMap.TYPE).create(ConfigMap.of("default", name, c -> {}));
    }
  }

  private ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(ClientGoAutoConfiguration.class))
        .withBean(RestConfig.class, server::restConfig);
  }

  /** An application that ends each phase of a start, which a runner of contexts does not. */
  private SpringApplicationBuilder application(Class<?>... configurations) {
    return new SpringApplicationBuilder(configurations)
        .sources(Starter.class)
        .web(WebApplicationType.NONE)
        .initializers(
            context ->
                ((GenericApplicationContext) context)
                    .registerBean(RestConfig.class, server::restConfig));
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    ClientGoAutoConfiguration.class,
    ApplicationAvailabilityAutoConfiguration.class
  })
  static class Starter {}

  @Configuration(proxyBeanMethods = false)
  static class WithController {

    @Bean
    Controller secrets() {
      return Controller.builder((request, context) -> Result.done())
          .forKind(Secret.TYPE)
          .cacheSyncTimeout(Duration.ofMillis(500))
          .build();
    }
  }

  private static Health health(ApplicationContext context) {
    return context.getBean(HealthIndicator.class).health();
  }

  private static boolean isOut(ApplicationContext context, String reason) {
    Health health = health(context);
    return health.getStatus().equals(Status.OUT_OF_SERVICE)
        && health.getDetails().toString().contains(reason);
  }

  private static int listed(ApplicationContext context) {
    Lister<?> lister = context.getBean(Lister.class);
    return lister.list().size();
  }

  // ---- the start

  /** Has a bean that starts after the controllers, and only when the manager has failed. */
  @Configuration(proxyBeanMethods = false)
  static class WithSlowStart {

    private final CountDownLatch broken = new CountDownLatch(1);

    @Bean
    ApplicationListener<AvailabilityChangeEvent<LivenessState>> listener() {
      return event -> {
        if (event.getState() == LivenessState.BROKEN) {
          broken.countDown();
        }
      };
    }

    @Bean
    SmartLifecycle slow() {
      return new SmartLifecycle() {

        private volatile boolean running;

        @Override
        public void start() {
          running = true;
          try {
            assertThat(broken.await(60, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        }

        @Override
        public void stop() {
          running = false;
        }

        @Override
        public boolean isRunning() {
          return running;
        }
      };
    }
  }

  @Test
  void managerThatFailsDuringTheStart_leavesTheLivenessBroken() {
    server.faults().on(request -> true).always().answer(403);
    try (ConfigurableApplicationContext context =
        application(WithController.class, WithSlowStart.class)
            .run("--clientgo.exit-on-failure=false")) {

      assertThat(context.getBean(ApplicationAvailability.class).getLivenessState())
          .isEqualTo(LivenessState.BROKEN);
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "the test sends SIGTERM")
  void sigterm_endsTheStartThatWaitsForACache(@TempDir Path folder) throws Exception {
    server.faults().on(request -> true).always().answer(403);
    Process process = program(folder, "--clientgo.sync-timeout=5m");
    try {
      server.awaitRequests(2, request -> true);
      process.destroy();

      assertThat(process.waitFor(30, TimeUnit.SECONDS))
          .as(() -> read(folder.resolve("log")))
          .isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void managerThatFails_endsTheProcess_withTheStatusThatItsListenerSets(@TempDir Path folder)
      throws Exception {
    server.faults().on(request -> true).always().answer(403);
    Process process = program(folder, "--clientgo.sync-timeout=0s");
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS))
          .as(() -> read(folder.resolve("log")))
          .isTrue();
      assertThat(process.exitValue()).isEqualTo(1);
    } finally {
      process.destroyForcibly();
    }
  }

  private Process program(Path folder, String setting) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            StartingProgram.class.getName(),
            "--clientgo.kubeconfig="
                + Files.writeString(folder.resolve("config"), server.kubeconfig()),
            setting)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void listersOfALazyApplication_areFilled() {
    try (ConfigurableApplicationContext context =
        application(ClientGoAutoConfigurationTest.WithLister.class)
            .lazyInitialization(true)
            .run()) {

      assertThat(listed(context)).isEqualTo(1);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class WithLazyLister {

    @Bean
    @Lazy
    Lister<ConfigMap> configMaps(InformerFactory informers) {
      return informers.core().v1().configMaps().lister();
    }

    @Bean
    @Lazy
    Controller secrets(Lister<ConfigMap> configMaps) {
      return Controller.builder(
              (request, context) -> {
                assertThat(configMaps.list()).hasSize(1);
                return Result.done();
              })
          .forKind(Secret.TYPE)
          .build();
    }
  }

  @Test
  void listerThatOnlyAControllerNeeds_isFilled() {
    runner()
        .withUserConfiguration(WithLazyLister.class)
        .run(context -> assertThat(listed(context)).isEqualTo(1));
  }

  @Test
  void contextWhoseParentHasTheStarter_isRefused_andTheParentWorks() throws Exception {
    try (ConfigurableApplicationContext parent = application(WithController.class).run()) {
      SpringApplicationBuilder child =
          application(ClientGoAutoConfigurationTest.WithLister.class).parent(parent);

      assertThatThrownBy(child::run).rootCause().hasMessageContaining("parent");

      Manager manager = parent.getBean(Manager.class);
      assertThat(manager.awaitReady(Duration.ofSeconds(60))).isTrue();
      assertThat(manager.controllers()).hasSize(1);
    }
  }

  // ---- the settings

  @ParameterizedTest
  @CsvSource({
    "clientgo.namespace=shop,namespace",
    "clientgo.leader-election.nam=shop,nam",
    "clientgo.leader-election.namespace=shop,clientgo.leader-election.name",
    "clientgo.namespaces=*,*",
    "clientgo.namespaces=Shop,Shop",
    "clientgo.sync-timeout=-1s,clientgo.sync-timeout",
  })
  void settingThatWouldDoNothing_keepsTheApplicationFromStarting(String setting, String named) {
    runner()
        .withPropertyValues(setting)
        .run(
            context ->
                assertThat(context)
                    .hasFailed()
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining(named));
  }

  @Test
  void secretsOfTheConfiguration_areInNoFailureAndNoHealth() {
    RestConfig config =
        RestConfig.builder("https://admin:sesame@127.0.0.1:9")
            .proxy(URI.create("http://proxy:sesame@127.0.0.1:9"))
            .build();
    ApplicationContextRunner runner =
        new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ClientGoAutoConfiguration.class))
            .withUserConfiguration(
                ClientGoAutoConfigurationTest.WithLister.class, WithController.class)
            .withBean(RestConfig.class, () -> config);
    runner
        .withPropertyValues("clientgo.sync-timeout=1s")
        .run(
            context ->
                assertThat(context)
                    .hasFailed()
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("configmaps")
                    .hasMessageNotContaining("sesame"));
    runner
        .withPropertyValues("clientgo.sync-timeout=0s", "clientgo.exit-on-failure=false")
        .run(
            context -> {
              Eventually.await("down", () -> health(context).getStatus().equals(Status.DOWN));
              assertThat(health(context).getDetails().toString())
                  .contains("127.0.0.1:9")
                  .doesNotContain("sesame");
            });
  }

  @Test
  void settings_areDescribedToEditors() throws IOException {
    String described = "";
    for (URL file :
        Collections.list(
            getClass()
                .getClassLoader()
                .getResources("META-INF/spring-configuration-metadata.json"))) {
      try (InputStream in = file.openStream()) {
        described += new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
    assertThat(described)
        .contains("clientgo.leader-election.name")
        .contains("the name of the lease");
  }

  // ---- the health

  @Test
  void serverThatGoes_isOutOfService_untilItIsBack() {
    runner()
        .withUserConfiguration(ClientGoAutoConfigurationTest.WithLister.class)
        .withPropertyValues("clientgo.max-staleness=3s")
        .run(
            context -> {
              server.stop();
              Eventually.await("the age", () -> isOut(context, "last confirmed"));
              server.restart();
              create("b"); // A server that has nothing new confirms nothing.
              Eventually.await("the server", () -> health(context).getStatus().equals(Status.UP));
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class WithBrokenIndex extends ClientGoAutoConfigurationTest.WithLister {

    @Bean
    InformerFactory informers(RESTClient client) {
      return InformerFactory.of(
          SharedInformerFactory.builder(Clientset.of(client))
              .configure(
                  ConfigMap.TYPE,
                  informer ->
                      informer.indexer(
                          "broken",
                          object -> {
                            throw new AssertionError("the index is broken");
                          }))
              .build());
    }
  }

  @Test
  void cacheThatRefusesAllObjects_isOutOfService() {
    runner()
        .withUserConfiguration(WithBrokenIndex.class)
        .withPropertyValues("clientgo.sync-timeout=0s")
        .run(context -> Eventually.await("the health", () -> isOut(context, "index is broken")));
  }

  @Configuration(proxyBeanMethods = false)
  static class WithBrokenHandler {

    @Bean
    Object broken(InformerFactory informers) {
      return informers
          .core()
          .v1()
          .configMaps()
          .informer()
          .addEventHandler(
              new ResourceEventHandler<ConfigMap>() {
                @Override
                public void onAdd(ConfigMap object, boolean isInInitialList) {
                  if (object.data() == null || object.data().isEmpty()) {
                    throw new NoClassDefFoundError("the handler is broken");
                  }
                }
              });
    }
  }

  @Test
  void handlerThatThrowsEachTime_isOutOfService_untilItWorks() throws Exception {
    create("b");
    create("c");
    runner()
        .withUserConfiguration(WithBrokenHandler.class)
        .run(
            context -> {
              Eventually.await("the health", () -> isOut(context, "handler is broken"));
              client
                  .resource(ConfigMap.TYPE)
                  .create(ConfigMap.of("default", "d", c -> c.data(Map.of("key", "value"))));
              Eventually.await("no failure", () -> health(context).getStatus().equals(Status.UP));
            });
  }

  @Test
  void checkThatThrowsAnError_isAProblemLikeAnyOther() {
    runner()
        .withBean(
            ManagerBuilderCustomizer.class,
            () ->
                manager ->
                    manager
                        .healthCheck(
                            "heap",
                            () -> {
                              throw new OutOfMemoryError("no heap");
                            })
                        .readyCheck(
                            "class",
                            () -> {
                              throw new NoClassDefFoundError();
                            }))
        .run(
            context -> {
              assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
              assertThat(health(context).getDetails())
                  .containsEntry("heap", "no heap")
                  .containsKey("class");
            });
  }

  // ---- the end

  @Configuration(proxyBeanMethods = false)
  static class WithHangingController {

    private final CountDownLatch hangs = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @Bean
    Controller hanging() {
      return Controller.builder(
              (request, context) -> {
                hangs.countDown();
                boolean ended = false;
                while (!ended) {
                  try {
                    ended = mayEnd.await(60, TimeUnit.SECONDS);
                  } catch (InterruptedException e) {
                    // It does not end.
                  }
                }
                return Result.done();
              })
          .forKind(ConfigMap.TYPE)
          .build();
    }

    @Bean
    ManagerBuilderCustomizer impatient() {
      return manager -> manager.gracefulShutdownTimeout(Duration.ofSeconds(1));
    }
  }

  @Test
  @Timeout(30)
  void reconcileThatHangs_doesNotHoldTheEnd() {
    WithHangingController[] hanging = new WithHangingController[1];
    runner()
        .withUserConfiguration(WithHangingController.class)
        .run(
            context -> {
              hanging[0] = context.getBean(WithHangingController.class);
              hanging[0].hangs.await();
            });
    hanging[0].mayEnd.countDown();
  }

  @Test
  void applicationThatStopsWithoutItsEnd_isOutOfService_andDoesNotStartAgain() {
    try (ConfigurableApplicationContext context =
        application(WithController.class, ClientGoAutoConfigurationTest.WithLister.class).run()) {
      context.stop();

      assertThat(isOut(context, "STOPPED")).isTrue();
      assertThatThrownBy(context::start).rootCause().hasMessageContaining("closed");
    }
  }

  @Test
  void applicationsInOneJvm_leaveNoThreads() {
    run(); // Threads that all clients share stay.
    var before = Thread.getAllStackTraces().keySet();
    for (int i = 0; i < 3; i++) {
      run();
    }

    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> !before.contains(thread) && thread.isAlive())
        .filteredOn(thread -> !thread.getName().startsWith("OkHttp")) // Idle, for up to 60 s.
        .isEmpty();
  }

  private void run() {
    runner()
        .withUserConfiguration(WithController.class, ClientGoAutoConfigurationTest.WithLister.class)
        .run(
            context ->
                assertThat(context.getBean(Manager.class).awaitReady(Duration.ofSeconds(60)))
                    .isTrue());
  }
}
