package dev.clientgo.envtest.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.controllers.pods.PodLife;
import dev.clientgo.envtest.controllers.pods.PodScript;
import dev.clientgo.kubernetes.core.v1.ContainerStatus;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodStatus;
import dev.clientgo.kubernetes.core.v1.RestartPolicy;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods that run by a script and a fake clock. */
@Timeout(300)
final class PodScriptTest {

  private static final Duration WAIT = Duration.ofSeconds(60);

  private final FakeClock clock = FakeClock.create();
  private final EmbeddedApiServer server = EmbeddedApiServer.builder().clock(clock).start();
  private final RESTClient client = RESTClient.create(server.restConfig());
  private final ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace("default");
  private EmbeddedControllers controllers;

  @BeforeEach
  void start() throws Exception {
    PodScript script =
        PodScript.builder()
            .image("slow", PodLife.runs().readyAfter(Duration.ofSeconds(30)))
            .image("crash", PodLife.exits(3))
            .image("lingering", PodLife.runs().stopsAfter(Duration.ofSeconds(5)))
            .pods("app=nowhere", PodLife.unschedulable())
            .when(p -> "job".equals(p.metadata().name()), PodLife.exits(0))
            .build();
    controllers =
        EmbeddedControllers.builder(server)
            .only(BuiltInController.PODS)
            .clock(clock)
            .pods(script)
            .start();
  }

  @AfterEach
  void stop() {
    controllers.close();
    client.close();
    server.close();
  }

  private static Pod pod(String name, String image) {
    return Pod.of(p -> p.metadata(ObjectMeta.of(m -> m.name(name))).spec(Workloads.podSpec(image)));
  }

  private PodStatus awaitStatus(String name, Predicate<PodStatus> condition) throws Exception {
    return pods.await(name, found -> found.map(Pod::status).filter(condition).isPresent(), WAIT)
        .orElseThrow()
        .status();
  }

  private static boolean isReady(PodStatus status) {
    return !status.conditions().isEmpty()
        && status.conditions().stream()
            .anyMatch(c -> "Ready".equals(c.type()) && "True".equals(c.status()));
  }

  private static ContainerStatus container(PodStatus status) {
    return status.containerStatuses().get(0);
  }

  @Test
  void pod_runsAndIsReadyAtOnce() throws Exception {
    pods.create(pod("web", "anything"));

    PodStatus status = awaitStatus("web", PodScriptTest::isReady);

    assertThat(status.phase().value()).isEqualTo("Running");
    assertThat(status.podIP()).startsWith("10.244.");
    assertThat(status.conditions())
        .extracting(c -> c.type() + "=" + c.status())
        .containsExactlyInAnyOrder(
            "PodScheduled=True",
            "PodReadyToStartContainers=True",
            "Initialized=True",
            "Ready=True",
            "ContainersReady=True");
    assertThat(pods.get("web").spec().nodeName()).isEqualTo("node-1");
  }

  @Test
  void readyAfter_waitsForTheClock() throws Exception {
    pods.create(pod("web", "slow"));
    PodStatus running = awaitStatus("web", s -> "Running".equals(s.phase().value()));
    assertThat(isReady(running)).isFalse();

    clock.advance(Duration.ofSeconds(30));

    awaitStatus("web", PodScriptTest::isReady);
  }

  @Test
  void crash_restartsByTheClock() throws Exception {
    pods.create(pod("web", "crash"));

    ContainerStatus first = container(awaitStatus("web", s -> !s.containerStatuses().isEmpty()));
    assertThat(first.restartCount()).isEqualTo(1);
    assertThat(first.state().waiting().reason()).isEqualTo("CrashLoopBackOff");
    assertThat(first.lastState().terminated().exitCode()).isEqualTo(3);

    clock.advance(Duration.ofHours(1));
    awaitStatus("web", s -> container(s).restartCount() > 10);
  }

  @Test
  void exit_endsThePod() throws Exception {
    pods.create(pod("job", "any").with(p -> p.editSpec(s -> s.restartPolicy(RestartPolicy.NEVER))));

    PodStatus status = awaitStatus("job", s -> "Succeeded".equals(s.phase().value()));

    assertThat(container(status).state().terminated().reason()).isEqualTo("Completed");
  }

  @Test
  void deletedPod_stopsByTheClock() throws Exception {
    pods.create(
        pod("web", "lingering").with(p -> p.editSpec(s -> s.terminationGracePeriodSeconds(30L))));
    awaitStatus("web", PodScriptTest::isReady);

    pods.delete("web");
    assertThat(pods.find("web")).isPresent();
    clock.advance(Duration.ofSeconds(5));

    pods.await("web", Optional::isEmpty, WAIT);
  }

  @Test
  void unschedulablePod_staysPending() throws Exception {
    pods.create(
        pod("web", "any").with(p -> p.editMetadata(m -> m.labels(Map.of("app", "nowhere")))));

    PodStatus status = awaitStatus("web", s -> !s.conditions().isEmpty());

    assertThat(status.phase().value()).isEqualTo("Pending");
    assertThat(status.conditions().get(0))
        .returns("PodScheduled", c -> c.type())
        .returns("Unschedulable", c -> c.reason());
  }

  @Test
  void pod_getsANodeThatSuitsIt_alsoALaterOne() throws Exception {
    ResourceClient<Node> nodes = client.resource(Node.TYPE);
    nodes.create(Node.of(n -> n.metadata(ObjectMeta.of(m -> m.name("plain")))));
    pods.create(
        pod("web", "any").with(p -> p.editSpec(s -> s.nodeSelector(Map.of("disk", "ssd")))));
    PodStatus status = awaitStatus("web", s -> !s.conditions().isEmpty());
    assertThat(status.conditions().get(0).message()).isEqualTo("0/1 nodes are available.");

    Map<String, String> labels = Map.of("disk", "ssd");
    nodes.create(Node.of(n -> n.metadata(ObjectMeta.of(m -> m.name("fast").labels(labels)))));

    awaitStatus("web", PodScriptTest::isReady);
    assertThat(pods.get("web").spec().nodeName()).isEqualTo("fast");
  }

  @Test
  void lives_refuseWhatMakesNoSense() {
    assertThatThrownBy(() -> PodLife.runs().after(Duration.ofSeconds(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("PodLife.exits(code)");
    assertThatThrownBy(() -> PodLife.runs().readyAfter(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-1S");
  }
}
