package dev.clientgo.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.clock.Interruptible;
import dev.clientgo.clock.ShutdownSignal;
import dev.clientgo.clock.UncheckedInterruptedException;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.workqueue.WorkQueue;
import dev.clientgo.workqueue.Workers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/concurrency.md}, which are compiled and run here. */
final class ConcurrencyPageTest {

  private static EmbeddedApiServer server;
  private static RESTClient client;
  private static ResourceClient<Pod> pods;

  @BeforeAll
  static void start() throws InterruptedException {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
    pods = client.resource(Pod.TYPE).inNamespace("default");
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @AfterEach
  void clearTheFlag() {
    Thread.interrupted();
  }

  private static void create(String... names) {
    Stream.of(names)
        .forEach(
            name ->
                Interruptible.run(
                    () ->
                        pods.create(
                            Pod.of(
                                "default",
                                name,
                                p ->
                                    p.editSpec(
                                        s -> s.editContainers("app", c -> c.image("app")))))));
  }

  /** Is run by {@code ShutdownSignalTest} of util-clock, in a separate process. */
  static void untilSigterm(RestConfig config) throws InterruptedException {
    try (ShutdownSignal signal = ShutdownSignal.install(Duration.ofSeconds(25));
        RESTClient client = RESTClient.create(config);
        InformerFactory informers = InformerFactory.create(client)) {
      informers.start();
      signal.await(); // returns on SIGTERM and Ctrl-C
    }
  }

  /** Is run by {@link ShutdownTest}, with shorter times. */
  static WorkQueue.Unfinished<?> inOrder(
      Workers workers, InformerFactory informers, RESTClient client) throws InterruptedException {
    WorkQueue.Unfinished<?> left = workers.drain(Duration.ofSeconds(15)); // returns what is left
    informers.close(); // waits 10 s for handlers of events, then interrupts them
    client.close(); // breaks what requests there still are
    return left;
  }

  private static List<Pod> all(List<String> names) throws InterruptedException {
    try {
      return names.stream().map(name -> Interruptible.get(() -> pods.get(name))).toList();
    } catch (UncheckedInterruptedException e) {
      throw e.interruption();
    }
  }

  @Test
  void stream_callsTheClient() {
    create("s1", "s2");
    List<String> names = List.of("s1", "s2");

    List<Pod> found = names.stream().map(name -> Interruptible.get(() -> pods.get(name))).toList();
    names.forEach(name -> Interruptible.run(() -> pods.delete(name)));

    assertThat(found).extracting(pod -> pod.metadata().name()).isEqualTo(names);
  }

  @Test
  void stream_interrupted_endsAndKeepsTheFlag() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(
            () -> Stream.of("a").map(name -> Interruptible.get(() -> pods.get(name))).toList())
        .isInstanceOf(UncheckedInterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    assertThatThrownBy(() -> all(List.of("a"))).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void executorsAndFutures_callTheClient() throws InterruptedException, ExecutionException {
    create("web-0");

    ExecutorService executor = Executors.newCachedThreadPool();
    Future<Pod> pod = executor.submit(() -> pods.get("web-0"));
    CompletableFuture<Integer> count =
        CompletableFuture.supplyAsync(() -> Interruptible.get(pods::list), executor)
            .thenApply(list -> list.items().size());
    System.out.println(pod.get().metadata().name() + " is one of " + count.get() + " pods");
    executor.shutdownNow(); // interrupts the calls that still run

    assertThat(count.get()).isPositive();
  }

  @Test
  void examples_areThoseOfThisClass() throws Exception {
    String here =
        squeezed(
            Files.readString(
                Path.of("src/test/java/dev/clientgo/examples/ConcurrencyPageTest.java")));
    List<String> examples =
        Page.read("docs/concurrency.md").blocks().stream()
            .filter(block -> block.language().equals("java"))
            .map(block -> squeezed(block.text()))
            .toList();

    assertThat(examples).hasSize(5).allMatch(here::contains);
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
