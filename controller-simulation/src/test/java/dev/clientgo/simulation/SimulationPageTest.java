package dev.clientgo.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.Lister;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import dev.clientgo.simulation.workload.ExternalService;
import dev.clientgo.simulation.workload.Invariant;
import dev.clientgo.workqueue.RateLimitingQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of {@code docs/simulation.md}, which are compiled and run here. */
@Timeout(600)
final class SimulationPageTest {

  private static final Pattern BLOCK = Pattern.compile("```(java|text)\n(.*?)```", Pattern.DOTALL);

  /** Creates the password and the certificate of a shop. */
  static Result reconcile(Request request, Context context) throws InterruptedException {
    var secrets = context.client().resource(Secret.TYPE).inNamespace(request.namespace());
    Optional<ConfigMap> shop = context.client().resource(ConfigMap.TYPE).find(request);
    if (shop.isPresent() && secrets.find("shop-password").isEmpty()) {
      secrets.create(secret(shop.get(), "shop-password"));
      secrets.create(secret(shop.get(), "shop-certificate"));
    }
    return Result.done();
  }

  static Result reconcileEach(Request request, Context context) throws InterruptedException {
    var secrets = context.client().resource(Secret.TYPE).inNamespace(request.namespace());
    Optional<ConfigMap> shop = context.client().resource(ConfigMap.TYPE).find(request);
    for (String name : List.of("shop-password", "shop-certificate")) {
      if (shop.isPresent() && secrets.find(name).isEmpty()) {
        secrets.create(secret(shop.get(), name));
      }
    }
    return Result.done();
  }

  private static Secret secret(ConfigMap shop, String name) {
    return OwnerReferences.setController(
        Secret.of(shop.metadata().namespace(), name, secret -> {}), shop);
  }

  static ControllerSimulation simulation(Reconciler reconciler) {
    return ControllerSimulation.of(process -> process.run(controller(reconciler)))
        .step(
            "create the shop",
            client ->
                client.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "shop", m -> {})))
        .atRest("a shop has a password and a certificate", SimulationPageTest::isComplete);
  }

  static void isComplete(Invariant.ClusterState state) {
    boolean exists = state.get(ConfigMap.TYPE.resource(), "default", "shop").isPresent();
    List<String> secrets = state.list(Secret.TYPE).stream().map(s -> s.metadata().name()).toList();
    if (exists && secrets.size() < 2) {
      throw new AssertionError("the secrets are " + secrets);
    }
  }

  private static Controller controller(Reconciler reconciler) {
    return Controller.builder(reconciler).forKind(ConfigMap.TYPE).owns(Secret.TYPE).build();
  }

  @Test
  void controllerThatCreatesBothAtOnce_failsAsThePageShows() throws Exception {
    ControllerSimulation simulation =
        simulation(SimulationPageTest::reconcile).without(Kind.DELETE_CHILDREN).mostFailures(1);
    SimulationResult result = simulation.run();

    assertThatThrownBy(result::assertPassed).hasMessageContaining(text());
    SimulatedRun run = simulation.replay("0+crash-after-write:1");
    assertThat(run.describe()).isEqualTo(result.failures().get(0).describe());
  }

  /** Without a fault, too, it does not look after the certificate. */
  @Test
  void controllerThatCreatesBothAtOnce_doesNotBringOneBack() {
    SimulationResult result = simulation(SimulationPageTest::reconcile).run();

    assertThat(result.failures())
        .singleElement()
        .satisfies(run -> assertThat(run.plan()).hasToString("0+delete-children:1"));
  }

  @Test
  void controllerThatLooksForEach_passes() {
    SimulationResult result = simulation(SimulationPageTest::reconcileEach).seeds(1, 5).run();
    result.assertPassed();
  }

  @Test
  void controllerByHand_passes() {
    ControllerSimulation.of(SimulationPageTest::startByHand)
        .without(Kind.DELETE_CHILDREN) // It follows no secrets.
        .step(
            "create the shop",
            client ->
                client.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "shop", m -> {})))
        .seeds(1, 5)
        .run()
        .assertPassed();
  }

  private static void startByHand(SimulatedProcess process) throws InterruptedException {
    SharedInformerFactory informers = process.informers().build();
    RateLimitingQueue<ObjectName> queue = process.queue();
    Lister<ConfigMap> shops = informers.of(ConfigMap.TYPE).lister();
    informers.informer(ConfigMap.TYPE).addEventHandler(ResourceEventHandler.keys(queue::add));
    informers.start();
    informers.awaitSynced(Duration.ofMinutes(5)).orThrow();
    process.workers(queue, name -> bringAbout(process.client(), shops.find(name))).start();
  }

  private static void bringAbout(RESTClient client, Optional<ConfigMap> shop)
      throws InterruptedException {
    var secrets = client.resource(Secret.TYPE).inNamespace("default");
    if (shop.isPresent() && secrets.find("shop-password").isEmpty()) {
      secrets.create(secret(shop.get(), "shop-password"));
    }
  }

  /** The record of a shop that is gone is left. */
  @Test
  void externalService_isComparedLikeTheCluster() {
    SimulationResult result =
        ControllerSimulation.of(
                process -> {
                  ExternalService dns = process.service("dns");
                  process.run(
                      controller(
                          (request, context) -> {
                            dns.put("www." + request.name(), "10.0.0.1");
                            return Result.done();
                          }));
                })
            .step(
                "create the shop",
                client ->
                    client
                        .resource(ConfigMap.TYPE)
                        .create(ConfigMap.of("default", "shop", m -> {})))
            .run();

    assertThat(result.failures())
        .singleElement()
        .satisfies(run -> assertThat(run.plan()).hasToString("0+delete-everything:1"))
        .satisfies(
            run ->
                assertThat(run.violations().get(0))
                    .contains("there is dns.external www.shop, which should not be"));
  }

  /** The number of partitions stays that of the first object. */
  @Test
  void exploration_findsWhatThePageShows() throws Exception {
    ControllerSimulation simulation =
        CustomKind.TOPIC
            .simulation(
                (topic, before) ->
                    before.isEmpty()
                        ? Map.of("partitions", String.valueOf(topic.nested("spec", "partitions")))
                        : before)
            .mostFailures(1);
    ResourceType<Unstructured> topics = CustomKind.TOPIC.type();
    Unstructured topic = CustomKind.TOPIC.start();

    ExplorationResult result = simulation.explore(topics, topic).runs(400).seed(7).run();

    String finding = result.findings().get(0).describe();
    String shown = page().substring(page().indexOf("```text\nChange") + "```text\n".length());
    assertThat(finding.lines().toList())
        .containsSubsequence(shown.substring(0, shown.indexOf("```")).lines().toList());
  }

  @Test
  void page_showsThisCode() throws Exception {
    String code =
        Files.readString(Path.of("src/test/java/dev/clientgo/simulation/SimulationPageTest.java"));
    int examples = 0;
    for (Matcher block = BLOCK.matcher(page()); block.find(); ) {
      if (block.group(1).equals("java")) {
        examples++;
        assertThat(lines(code)).containsSubsequence(lines(block.group(2)));
      }
    }

    assertThat(examples).isEqualTo(9);
  }

  private static String text() throws Exception {
    Matcher block = BLOCK.matcher(page());
    while (block.find()) {
      if (block.group(1).equals("text")) {
        return block.group(2);
      }
    }
    throw new AssertionError("the page shows no failure");
  }

  private static String page() throws Exception {
    return Files.readString(Path.of("../docs/simulation.md"));
  }

  private static List<String> lines(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }
}
