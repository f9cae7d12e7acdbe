package dev.clientgo.envtest.controllers.internal.daemons;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.envtest.controllers.internal.pods.PodTemplates;
import dev.clientgo.kubernetes.apps.v1.DaemonSet;
import dev.clientgo.kubernetes.core.v1.Affinity;
import dev.clientgo.kubernetes.core.v1.NodeAffinity;
import dev.clientgo.kubernetes.core.v1.NodeSelector;
import dev.clientgo.kubernetes.core.v1.NodeSelectorOperator;
import dev.clientgo.kubernetes.core.v1.NodeSelectorRequirement;
import dev.clientgo.kubernetes.core.v1.NodeSelectorTerm;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodSpec;
import dev.clientgo.kubernetes.core.v1.PodTemplateSpec;
import dev.clientgo.kubernetes.core.v1.TaintEffect;
import dev.clientgo.kubernetes.core.v1.Toleration;
import dev.clientgo.kubernetes.core.v1.TolerationOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The pods of DaemonSets: how they are bound to a node, and which taints they tolerate.
 *
 * <p>Corresponds to {@code pkg/controller/daemon/util}.
 */
final class DaemonPods {

  /** The label with the hash of the template. */
  static final String HASH_LABEL = "controller-revision-hash";

  private static final String GENERATION_LABEL = "pod-template-generation";
  private static final String GENERATION_ANNOTATION = "deprecated.daemonset.template.generation";
  private static final String NODE_NAME = "metadata.name";

  private DaemonPods() {}

  /** Returns a new pod for a node, which the scheduler will bind. */
  static Pod forNode(DaemonSet set, String node, String hash) {
    PodTemplateSpec labelled = PodTemplates.withLabel(set.spec().template(), HASH_LABEL, hash);
    PodTemplateSpec template =
        set.metadata()
            .annotation(GENERATION_ANNOTATION)
            .map(number -> PodTemplates.withLabel(labelled, GENERATION_LABEL, number))
            .orElse(labelled);
    PodSpec spec =
        spec(set)
            .with(
                s ->
                    s.editAffinity(
                        a ->
                            a.editNodeAffinity(
                                n ->
                                    n.requiredDuringSchedulingIgnoredDuringExecution(only(node)))));
    return PodTemplates.newPod(template.with(t -> t.spec(spec)), set);
  }

  /** Returns the spec of the pods, with the tolerations that all daemons have. */
  static PodSpec spec(DaemonSet set) {
    PodSpec spec = set.spec().template().spec();
    List<Toleration> tolerations = new ArrayList<>(spec.tolerations());
    defaultTolerations(spec)
        .filter(toleration -> !tolerations.contains(toleration))
        .forEach(tolerations::add);
    return spec.with(s -> s.tolerations(tolerations));
  }

  private static Stream<Toleration> defaultTolerations(PodSpec spec) {
    Stream<Toleration> always =
        Stream.of(
            toleration("not-ready", TaintEffect.NO_EXECUTE),
            toleration("unreachable", TaintEffect.NO_EXECUTE),
            toleration("disk-pressure", TaintEffect.NO_SCHEDULE),
            toleration("memory-pressure", TaintEffect.NO_SCHEDULE),
            toleration("pid-pressure", TaintEffect.NO_SCHEDULE),
            toleration("unschedulable", TaintEffect.NO_SCHEDULE));
    return Boolean.TRUE.equals(spec.hostNetwork())
        ? Stream.concat(
            always, Stream.of(toleration("network-unavailable", TaintEffect.NO_SCHEDULE)))
        : always;
  }

  private static Toleration toleration(String key, TaintEffect effect) {
    return Toleration.of(
        t -> t.key("node.kubernetes.io/" + key).operator(TolerationOperator.EXISTS).effect(effect));
  }

  private static NodeSelector only(String node) {
    NodeSelectorRequirement name =
        NodeSelectorRequirement.of(
            r -> r.key(NODE_NAME).operator(NodeSelectorOperator.IN).values(List.of(node)));
    return NodeSelector.of(
        s -> s.nodeSelectorTerms(List.of(NodeSelectorTerm.of(t -> t.matchFields(List.of(name))))));
  }

  /** Returns the node for which a pod was made, empty if it was made for none. */
  static String nodeOf(Pod pod) {
    String bound = requireNonNullElse(pod.spec().nodeName(), "");
    return bound.isEmpty() ? wantedNode(pod.spec()) : bound;
  }

  private static String wantedNode(PodSpec spec) {
    Affinity affinity = spec.affinity();
    NodeAffinity nodes = affinity == null ? null : affinity.nodeAffinity();
    NodeSelector required =
        nodes == null ? null : nodes.requiredDuringSchedulingIgnoredDuringExecution();
    return required == null
        ? ""
        : required.nodeSelectorTerms().stream()
            .flatMap(term -> term.matchFields().stream())
            .filter(field -> NODE_NAME.equals(field.key()) && field.values().size() == 1)
            .map(field -> field.values().get(0))
            .findFirst()
            .orElse("");
  }
}
