package dev.clientgo.envtest.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.apps.v1.PodManagementPolicyType;
import dev.clientgo.kubernetes.apps.v1.StatefulSet;
import dev.clientgo.kubernetes.apps.v1.StatefulSetSpec;
import dev.clientgo.kubernetes.apps.v1.StatefulSetStatus;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodReadinessGate;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * StatefulSets by a fake clock, and with {@code maxUnavailable}, for which a real cluster has a
 * feature gate that is off.
 */
final class StatefulSetTest {

  private static final Duration WAIT = Duration.ofSeconds(60);

  private final FakeClock clock = FakeClock.create();
  private final EmbeddedApiServer server = EmbeddedApiServer.builder().clock(clock).start();
  private final RESTClient client = RESTClient.create(server.restConfig());
  private final ResourceClient<StatefulSet> sets =
      client.resource(StatefulSet.TYPE).inNamespace("default");
  private EmbeddedControllers controllers;

  @BeforeEach
  void start() throws Exception {
    controllers =
        EmbeddedControllers.builder(server)
            .clock(clock)
            .only(BuiltInController.STATEFUL_SET, BuiltInController.PODS)
            .start();
  }

  @AfterEach
  void stop() {
    controllers.close();
    client.close();
    server.close();
  }

  private void create(int replicas, Consumer<StatefulSetSpec.Builder> settings) throws Exception {
    sets.create(
        StatefulSet.of(
            b ->
                b.metadata(ObjectMeta.of(m -> m.name("web")))
                    .editSpec(
                        s -> {
                          s.replicas(replicas)
                              .selector(Workloads.selector())
                              .template(Workloads.template("app:1"));
                          settings.accept(s);
                        })));
  }

  private void awaitStatus(Predicate<StatefulSetStatus> condition) throws Exception {
    sets.await(
        "web",
        found ->
            found
                .filter(
                    set ->
                        Objects.equals(
                            set.metadata().generation(), set.status().observedGeneration()))
                .map(StatefulSet::status)
                .filter(condition)
                .isPresent(),
        WAIT);
  }

  @Test
  void minReadySeconds_passByTheClock() throws Exception {
    create(2, s -> s.minReadySeconds(600));
    awaitStatus(s -> s.readyReplicas() != null && s.readyReplicas() == 1);
    ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace("default");
    assertThat(pods.list().items()).hasSize(1);

    clock.advance(Duration.ofMinutes(10));
    awaitStatus(s -> s.availableReplicas() == 1 && s.readyReplicas() == 2);
    clock.advance(Duration.ofMinutes(10));

    awaitStatus(s -> s.availableReplicas() == 2);
  }

  @Test
  void maxUnavailable_replacesSoManyAtOnce() throws Exception {
    PodReadinessGate never = PodReadinessGate.of(g -> g.conditionType("example.com/never"));
    create(
        3,
        s ->
            s.podManagementPolicy(PodManagementPolicyType.PARALLEL)
                .editUpdateStrategy(
                    u -> u.editRollingUpdate(r -> r.maxUnavailable(IntOrString.of(2)))));
    awaitStatus(s -> s.availableReplicas() != null && s.availableReplicas() == 3);

    sets.edit(
        "web",
        set ->
            set.with(
                b ->
                    b.editSpec(
                        s ->
                            s.editTemplate(
                                t -> t.editSpec(p -> p.readinessGates(List.of(never)))))));

    awaitStatus(
        s ->
            s.updatedReplicas() != null
                && s.updatedReplicas() == 2
                && s.readyReplicas() != null
                && s.readyReplicas() == 1);
  }
}
