package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.Container;
import dev.clientgo.kubernetes.core.v1.EnvVar;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodCondition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What people change deep within objects, as they would write it. */
final class DeepEditsTest {

  private static final Deployment WEB =
      Deployment.of(
          "default",
          "web",
          d ->
              d.spec(
                  s ->
                      s.template(
                          t ->
                              t.spec(
                                  pod ->
                                      pod.containers("web", c -> c.image("nginx:1.28"))
                                          .containers("log", c -> c.image("fluent-bit:4"))))));

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
                d.spec(
                    s ->
                        s.template(
                            t -> t.spec(p -> p.containers("web", c -> c.image("nginx:1.29"))))));

    assertThat(container(next, "web"))
        .isEqualTo(Container.of(c -> c.name("web").image("nginx:1.29")));
    assertThat(container(next, "log")).isSameAs(container(WEB, "log"));
    assertThat(container(WEB, "web").image()).isEqualTo("nginx:1.28");
  }

  @Test
  void container_variableAndLimit_areSetOrAdded() {
    Container before = Container.of(c -> c.name("web").env("LEVEL", e -> e.value("info")));

    Container next =
        before.with(
            c ->
                c.env("LEVEL", e -> e.value("debug"))
                    .env("REGION", e -> e.value("north"))
                    .resources(r -> r.limits(l -> l.put("memory", Quantity.parse("64Mi")))));

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
                p.status(
                    s ->
                        s.conditions("Ready", c -> c.status("False").reason("Starting"))
                            .conditions("Initialized", c -> c.status("True"))));

    Pod next =
        before.with(
            p ->
                p.status(
                    s ->
                        s.conditions("Ready", c -> c.status("True").reason(null))
                            .conditions(all -> all.removeIf(c -> "Initialized".equals(c.type())))));

    assertThat(next.status().conditions())
        .isEqualTo(List.of(PodCondition.of(c -> c.type("Ready").status("True"))));
  }
}
