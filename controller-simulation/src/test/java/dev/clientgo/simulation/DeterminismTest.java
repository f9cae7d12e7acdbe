package dev.clientgo.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.simulation.plan.Plan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A controller that does not depend on the plan alone is found, and its code is named. */
@Timeout(300)
final class DeterminismTest {

  private static final String THIS = "DeterminismTest.java:";

  /** What a controller does with a map. */
  private interface Work {
    void on(ConfigMap map, RESTClient client) throws Exception;
  }

  private static ControllerSimulation simulation(Work work) {
    return ControllerSimulation.of(
            process ->
                process.run(
                    Controller.builder(
                            (request, context) -> {
                              var map = context.client().resource(ConfigMap.TYPE).find(request);
                              if (map.isPresent()) {
                                work.on(map.get(), process.client());
                              }
                              return Result.done();
                            })
                        .forKind(ConfigMap.TYPE)
                        .build()))
        .step("create", Secrets::createMap);
  }

  private static void write(RESTClient client, String text) throws InterruptedException {
    if (client.resource(Secret.TYPE).inNamespace("default").find("s").isEmpty()) {
      client
          .resource(Secret.TYPE)
          .create(
              Secret.of(
                  "default", "s", s -> s.editMetadata(m -> m.annotations(Map.of("text", text)))));
    }
  }

  static Stream<Arguments> strays() {
    return Stream.of(
        row(
            "real time",
            (map, client) ->
                write(
                    client, java.time.Clock.system(java.time.ZoneOffset.UTC).instant().toString()),
            "instead of"),
        row("random", (map, client) -> write(client, "" + new Random().nextLong()), "instead of"),
        row("UUID", (map, client) -> write(client, "" + UUID.randomUUID()), "instead of"),
        row(
            "latch",
            (map, client) -> new CountDownLatch(1).await(400, TimeUnit.MILLISECONDS),
            "blocks outside"),
        row(
            "queue",
            (map, client) -> new LinkedBlockingQueue<>().poll(400, TimeUnit.MILLISECONDS),
            "blocks outside"),
        row("executor", DeterminismTest::inExecutor, "is not from process.threads() and sends"),
        row(
            "idle executor",
            (map, client) -> Executors.newSingleThreadExecutor(daemons()).execute(() -> {}),
            "is not from process.threads() and runs by real time"),
        row(
            "CompletableFuture",
            (map, client) -> CompletableFuture.runAsync(() -> writeSafely(client)).join(),
            "is not from process.threads() and sends a request"));
  }

  private static Arguments row(String name, Work work, String problem) {
    return Arguments.of(name, work, problem);
  }

  private static java.util.concurrent.ThreadFactory daemons() {
    return task -> {
      Thread thread = new Thread(task, "mine");
      thread.setDaemon(true);
      return thread;
    };
  }

  private static void inExecutor(ConfigMap map, RESTClient client) throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor(daemons());
    try {
      CountDownLatch done = new CountDownLatch(1);
      executor.execute(
          () -> {
            writeSafely(client);
            done.countDown();
          });
      done.await();
    } finally {
      executor.shutdown();
    }
  }

  private static void writeSafely(RESTClient client) {
    try {
      write(client, "x");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("strays")
  void controllerThatTheSimulationDoesNotControl_isNamed(String name, Work work, String problem) {
    SimulatedRun run = simulation(work).check(Plan.of(0));

    assertThat(run.violations()).as(run.describe()).anyMatch(text -> text.contains(problem));
    assertThat(String.join("\n", run.violations())).containsAnyOf(THIS, "\"mine\"");
  }

  /** A library that fills in times by the clock of the machine gets those of the simulation. */
  @Test
  void systemClock_inAThreadOfTheSimulation_tellsItsTime() {
    simulation((map, client) -> write(client, dev.clientgo.clock.Clock.system().now().toString()))
        .check(Plan.of(0))
        .assertPassed();
  }

  /** The identity of a member decides which objects it has. */
  @Test
  void shardGroup_isReplayed() {
    ControllerSimulation simulation =
        Secrets.simulation(
                process -> {
                  var manager =
                      process.manager().shards(LeaseLock.of("default", "secrets")).build();
                  manager.add(Secrets.controller());
                  manager.start();
                })
            .processes(2);

    SimulatedRun run = simulation.check(Plan.of(0));

    run.assertPassed();
    assertThat(simulation.check(Plan.of(5))).isEqualTo(simulation.check(Plan.of(5)));
  }

  /** Writes the words of a set, whose order differs from JVM to JVM. */
  public static void main(String[] arguments) {
    java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.OFF);
    Set<String> words = Set.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
    SimulatedRun run =
        simulation((map, client) -> write(client, String.join(",", words))).check(Plan.of(0));
    run.violations().forEach(System.out::println);
  }

  @Test
  void orderOfASet_isFoundByAnotherJvm(@TempDir Path directory) throws Exception {
    String output = "";
    for (int i = 0; i < 6 && output.isBlank(); i++) { // Two may have the same order by chance.
      Path file = directory.resolve("output");
      Process other =
          new ProcessBuilder(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "-cp",
                      System.getProperty("java.class.path"),
                      "-D" + ControllerSimulation.HISTORIES + "=" + directory.resolve("histories"),
                      DeterminismTest.class.getName()))
              .redirectErrorStream(true)
              .redirectOutput(file.toFile())
              .start();
      assertThat(other.waitFor(2, TimeUnit.MINUTES)).isTrue();
      output = Files.readString(file);
    }

    assertThat(output)
        .contains("the controller does not depend on the plan alone: a run in the JVM that")
        .containsPattern("[a-j](,[a-j]){9}") // In any order.
        .contains(THIS);
  }
}
