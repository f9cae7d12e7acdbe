package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.Conditions;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.Container;
import dev.clientgo.kubernetes.core.v1.EnvVar;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodCondition;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.kubernetes.core.v1.PodStatus;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.core.v1.ServiceType;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Edits deep within objects, as a program would write them. */
final class DeepEditsTest {

  private static final Deployment WEB =
      Deployment.of(
          "default",
          "web",
          d ->
              d.editSpec(
                  s ->
                      s.editTemplate(
                          t ->
                              t.editSpec(
                                  pod ->
                                      pod.editContainers("web", c -> c.image("nginx:1.28"))
                                          .editContainers("log", c -> c.image("fluent-bit:4"))))));

  private static Container container(Deployment deployment, String name) {
    return deployment.spec().template().spec().containers().stream()
        .filter(container -> name.equals(container.name()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void deployment_imageOfOneContainer_leavesTheOthers() {
    Deployment next =
        WEB.with(
            d ->
                d.editSpec(
                    s ->
                        s.editTemplate(
                            t ->
                                t.editSpec(
                                    p -> p.editContainers("web", c -> c.image("nginx:1.29"))))));

    assertThat(container(next, "web"))
        .isEqualTo(Container.of(c -> c.name("web").image("nginx:1.29")));
    assertThat(container(next, "log")).isSameAs(container(WEB, "log"));
    assertThat(container(WEB, "web").image()).isEqualTo("nginx:1.28");
  }

  @Test
  void container_variableAndLimit_areSetOrAdded() {
    Container before = Container.of(c -> c.name("web").editEnv("LEVEL", e -> e.value("info")));

    Container next =
        before.with(
            c ->
                c.editEnv("LEVEL", e -> e.value("debug"))
                    .editEnv("REGION", e -> e.value("north"))
                    .editResources(
                        r -> r.editLimits(l -> l.put("memory", Quantity.parse("64Mi")))));

    assertThat(next.env())
        .containsExactly(
            EnvVar.of(e -> e.name("LEVEL").value("debug")),
            EnvVar.of(e -> e.name("REGION").value("north")));
    assertThat(next.resources().limits()).isEqualTo(Map.of("memory", Quantity.parse("64Mi")));
  }

  @Test
  void pod_conditionByItsType_isReplacedAndOthersRemoved() {
    Pod before =
        Pod.of(
            "default",
            "web",
            p ->
                p.editStatus(
                    s ->
                        s.editConditions("Ready", c -> c.status("False").reason("Starting"))
                            .editConditions("Initialized", c -> c.status("True"))));

    Pod next =
        before.with(
            p ->
                p.editStatus(
                    s ->
                        s.editConditions("Ready", c -> c.status("True").reason(null))
                            .editConditions(
                                all -> all.removeIf(c -> "Initialized".equals(c.type())))));

    assertThat(next.status().conditions())
        .singleElement()
        .extracting(c -> c.with(b -> b.lastTransitionTime(null)))
        .isEqualTo(PodCondition.of(c -> c.type("Ready").status("True")));
  }

  @Test
  void condition_whoseStatusChanges_getsTheTimeOfTheChange() {
    Time longAgo = Time.of(Instant.parse("2026-01-01T00:00:00Z"));
    PodStatus before =
        PodStatus.of(
            s ->
                s.conditions(
                    List.of(
                        PodCondition.of(
                            c -> c.type("Ready").status("False").lastTransitionTime(longAgo)))));
    Instant start = Clock.system().now().truncatedTo(ChronoUnit.SECONDS);

    PodCondition changed =
        ready(before.with(s -> s.editConditions("Ready", c -> c.status("True"))));
    PodCondition added =
        ready(PodStatus.of(s -> s.editConditions("Ready", c -> c.status("True").reason("Up"))));
    PodCondition same = ready(before.with(s -> s.editConditions("Ready", c -> c.reason("Slow"))));
    Time told = Time.of(Instant.parse("2026-02-01T00:00:00Z"));
    PodCondition own =
        ready(
            before.with(
                s -> s.editConditions("Ready", c -> c.status("True").lastTransitionTime(told))));

    Instant end = Clock.system().now();
    assertThat(changed.lastTransitionTime().instant()).isBetween(start, end);
    assertThat(added.lastTransitionTime().instant()).isBetween(start, end);
    assertThat(same.lastTransitionTime()).isEqualTo(longAgo);
    assertThat(same.reason()).isEqualTo("Slow");
    assertThat(own.lastTransitionTime()).isEqualTo(told);
  }

  private static PodCondition ready(PodStatus status) {
    assertThat(status.conditions()).hasSize(1);
    return status.conditions().get(0);
  }

  @Test
  void null_forAnyField_meansAbsent() {
    Pod pod =
        Pod.of(
            "default",
            "web",
            p ->
                p.editMetadata(m -> m.editLabels(l -> l.put("app", "web")))
                    .editSpec(s -> s.editContainers("web", c -> c.image("nginx:1.28")))
                    .editStatus(s -> s.phase(PodPhase.RUNNING)));

    Pod next =
        pod.with(
            p ->
                p.editMetadata(
                        m ->
                            m.labels(null).annotations(null).ownerReferences(null).finalizers(null))
                    .editSpec(s -> s.containers(null).nodeSelector(null).securityContext(null))
                    .status(null));

    assertThat(next).isEqualTo(Pod.of("default", "web", p -> p.editSpec(s -> s.containers(null))));
    assertThat(next.metadata().labels()).isEmpty();
    assertThat(next.spec().containers()).isEmpty();
    assertThat(next.status()).isSameAs(PodStatus.EMPTY);
    assertThat(
            LabelSelector.of(
                s ->
                    s.editMatchLabels(l -> l.put("a", "b"))
                        .matchLabels(null)
                        .matchExpressions(null)))
        .isEqualTo(LabelSelector.of(s -> {}));
  }

  /** The example in the Javadoc of {@link Conditions}. */
  @Test
  void conditions_example_worksOnANewObject() throws InterruptedException {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<Service> services = Clientset.of(client).core().v1().services("default");
      services.create(
          Service.of("default", "web", s -> s.editSpec(p -> p.type(ServiceType.EXTERNAL_NAME))));

      String name = "web";
      services.editStatus(
          name,
          w ->
              w.with(
                  b ->
                      b.editStatus(
                          s ->
                              s.editConditions(
                                  "Ready", c -> c.status(Conditions.TRUE).reason("Started")))));

      assertThat(Conditions.isTrue(services.get("web").status().conditions(), "Ready")).isTrue();
      assertThat(services.get("web").status().conditions().get(0).lastTransitionTime()).isNotNull();
    }
  }
}
