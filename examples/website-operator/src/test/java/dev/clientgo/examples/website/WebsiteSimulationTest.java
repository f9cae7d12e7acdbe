package dev.clientgo.examples.website;

import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.examples.website.api.web.v1.Website;
import dev.clientgo.kubectl.Apply;
import dev.clientgo.kubectl.Manifests;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.simulation.ControllerSimulation;
import dev.clientgo.simulation.ExplorationResult;
import dev.clientgo.simulation.SimulationResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The operator in a simulation: crashes, lost answers, old caches, lost leases. */
final class WebsiteSimulationTest {

  /** Each renewal of a lease takes time, so the lease is longer than in a cluster. */
  private static final Settings SETTINGS =
      new Settings("default-system", 0, 0, Duration.ofMinutes(1), Duration.ofSeconds(40));

  /** {@code -Dsimulation.seeds=1000} tries more random plans. */
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 5);

  /** {@code -Dsimulation.systematic=1000} tries each fault at each place. */
  private static final int SYSTEMATIC = Integer.getInteger("simulation.systematic", 0);

  /** {@code -Dsimulation.exploration=1000} tries more changes of a site. */
  private static final int EXPLORATION = Integer.getInteger("simulation.exploration", 30);

  private static final Logger LOGS = Logger.getLogger("");

  @BeforeAll
  static void switchLogsOff() {
    LOGS.setLevel(Level.OFF); // Each fault would be some lines; a failure has its history.
  }

  @AfterAll
  static void switchLogsOn() {
    LOGS.setLevel(Level.INFO);
  }

  @Test
  void operator_survives() {
    SimulationResult result =
        simulation()
            .processes(2)
            .step("create a site", client -> sites(client).create("hello", 1, "hi"))
            .step("write another page", client -> sites(client).write("hello", "hi again"))
            .step("delete the Service", client -> sites(client).services().delete("hello"))
            .step("delete the site", client -> sites(client).sites().delete("hello"))
            .mostSystematic(SYSTEMATIC)
            .seeds(1, SEEDS)
            .run();
    System.out.println("Website: " + result);
    result.failures().forEach(run -> System.out.println(run.plan() + ": " + run.violations()));
    result.assertPassed();
  }

  @Test
  void operator_followsChangesOfEachField() {
    Website site =
        TestSites.site("hello", 2, "hi").with(w -> w.editSpec(s -> s.host("hello.example.com")));
    ExplorationResult result = simulation().explore(Website.TYPE, site).runs(EXPLORATION).run();

    System.out.println("Website: " + result);
    result.assertPassed();
  }

  private static ControllerSimulation simulation() {
    return ControllerSimulation.of(
            process -> WebsiteOperator.manager(process.manager(), SETTINGS).run())
        .prepare(WebsiteSimulationTest::install)
        .environment(
            process ->
                process.run(
                    Controller.builder(WebsiteSimulationTest::rollOut)
                        .named("deployments")
                        .forKind(Deployment.TYPE)
                        .build()));
  }

  private static TestSites sites(RESTClient client) {
    return new TestSites(client, "default");
  }

  private static void install(RESTClient client) throws Exception {
    sites(client).createSystem();
    // The registry is not of one site: it is there before the first and after the last.
    client
        .resource(ConfigMap.TYPE)
        .create(ConfigMap.of(SETTINGS.namespace(), SiteRegistry.NAME, registry -> {}));
    Apply.with(client, "test").run(Manifests.read(Path.of("src/main/crds"))).orThrow();
  }

  /** Reports all replicas of a Deployment as available. */
  private static Result rollOut(Request request, Context context) throws InterruptedException {
    CachedResource<Deployment> deployments = context.client().resource(Deployment.TYPE);
    Optional<Deployment> known = deployments.find(request);
    if (known.isPresent()) {
      deployments.editStatus(
          known.get(), d -> TestSites.withAvailable(d, WebsiteStatus.orZero(d.spec().replicas())));
    }
    return Result.done();
  }
}
