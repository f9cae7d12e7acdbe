package dev.clientgo.envtest.controllers;

import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.kubernetes.apps.v1.DaemonSet;
import dev.clientgo.kubernetes.apps.v1.DaemonSetSpec;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.apps.v1.DeploymentSpec;
import dev.clientgo.kubernetes.apps.v1.ReplicaSet;
import dev.clientgo.kubernetes.core.v1.Container;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodSpec;
import dev.clientgo.kubernetes.core.v1.PodTemplateSpec;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Workloads for tests: all have the label {@code app=web} and one container. */
final class Workloads {

  static final String LABELS = "app=web";

  private static final Map<String, String> WEB = Map.of("app", "web");

  private Workloads() {}

  static LabelSelector selector() {
    return LabelSelector.of(s -> s.matchLabels(WEB));
  }

  /** Returns a template whose pods use an image, which a real cluster of tests only pauses. */
  static PodTemplateSpec template(String image) {
    return PodTemplateSpec.of(
        t -> t.metadata(ObjectMeta.of(m -> m.labels(WEB))).spec(podSpec(image)));
  }

  static PodSpec podSpec(String image) {
    return PodSpec.of(
        s ->
            s.terminationGracePeriodSeconds(1L)
                .containers(List.of(Container.of(c -> c.name("main").image(image)))));
  }

  static Pod pod(String name) {
    return Pod.of(
        p -> p.metadata(ObjectMeta.of(m -> m.name(name).labels(WEB))).spec(podSpec("app:1")));
  }

  static ReplicaSet replicaSet(String name, int replicas) {
    return ReplicaSet.of(
        r ->
            r.metadata(ObjectMeta.of(m -> m.name(name)))
                .editSpec(
                    s -> s.replicas(replicas).selector(selector()).template(template("app:1"))));
  }

  /** Returns a DaemonSet for the nodes with a label. */
  static DaemonSet daemonSet(
      String name, String nodeLabel, Consumer<DaemonSetSpec.Builder> settings) {
    PodTemplateSpec template =
        template("app:1").with(t -> t.editSpec(s -> s.nodeSelector(Map.of(nodeLabel, ""))));
    return DaemonSet.of(
        d ->
            d.metadata(ObjectMeta.of(m -> m.name(name)))
                .editSpec(
                    s -> {
                      s.selector(selector()).template(template);
                      settings.accept(s);
                    }));
  }

  static Deployment deployment(
      String name, int replicas, Consumer<DeploymentSpec.Builder> settings) {
    return Deployment.of(
        d ->
            d.metadata(ObjectMeta.of(m -> m.name(name)))
                .editSpec(
                    s -> {
                      s.replicas(replicas).selector(selector()).template(template("app:1"));
                      settings.accept(s);
                    }));
  }

  /** Returns the change of a Deployment to another image. */
  static Deployment withImage(Deployment deployment, String image) {
    return deployment.with(d -> d.editSpec(s -> s.template(template(image))));
  }
}
