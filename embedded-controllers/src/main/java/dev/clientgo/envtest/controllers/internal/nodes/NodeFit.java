package dev.clientgo.envtest.controllers.internal.nodes;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.kubernetes.core.v1.Affinity;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.kubernetes.core.v1.NodeAffinity;
import dev.clientgo.kubernetes.core.v1.NodeSelector;
import dev.clientgo.kubernetes.core.v1.NodeSelectorRequirement;
import dev.clientgo.kubernetes.core.v1.NodeSelectorTerm;
import dev.clientgo.kubernetes.core.v1.NodeSpec;
import dev.clientgo.kubernetes.core.v1.PodSpec;
import dev.clientgo.kubernetes.core.v1.Taint;
import dev.clientgo.kubernetes.core.v1.Toleration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a node suits a pod: by the pod's node selector and required node affinity, and by the
 * node's taints. Resources, ports, volumes and the affinity to other pods do not count.
 *
 * <p>Corresponds to {@code k8s.io/component-helpers/scheduling/corev1}.
 */
public final class NodeFit {

  private static final Taint UNSCHEDULABLE =
      Taint.of(
          taint ->
              taint
                  .key("node.kubernetes.io/unschedulable")
                  .effect(dev.clientgo.kubernetes.core.v1.TaintEffect.of("NoSchedule")));

  private NodeFit() {}

  /** Returns whether a pod may be scheduled to a node. */
  public static boolean fits(PodSpec pod, Node node) {
    return isSelected(pod, node) && toleratesAll(pod, node, List.of("NoSchedule", "NoExecute"));
  }

  /** Returns whether the node selector and the required node affinity of a pod match a node. */
  public static boolean isSelected(PodSpec pod, Node node) {
    Map<String, String> labels = node.metadata().labels();
    return pod.nodeSelector().entrySet().stream()
            .allMatch(entry -> entry.getValue().equals(labels.get(entry.getKey())))
        && matches(required(pod), node);
  }

  private static @Nullable NodeSelector required(PodSpec pod) {
    Affinity affinity = pod.affinity();
    NodeAffinity nodes = affinity == null ? null : affinity.nodeAffinity();
    return nodes == null ? null : nodes.requiredDuringSchedulingIgnoredDuringExecution();
  }

  private static boolean matches(@Nullable NodeSelector selector, Node node) {
    return selector == null
        || selector.nodeSelectorTerms().stream().anyMatch(term -> matches(term, node));
  }

  private static boolean matches(NodeSelectorTerm term, Node node) {
    List<NodeSelectorRequirement> labels = term.matchExpressions();
    List<NodeSelectorRequirement> fields = term.matchFields();
    if (labels.isEmpty() && fields.isEmpty()) {
      return false; // An empty term selects no node.
    }
    return labels.stream()
            .allMatch(label -> matches(label, node.metadata().labels().get(label.key())))
        && fields.stream()
            .allMatch(
                field ->
                    "metadata.name".equals(field.key()) && matches(field, node.metadata().name()));
  }

  private static boolean matches(NodeSelectorRequirement requirement, @Nullable String actual) {
    List<String> values = requirement.values();
    String operator = requirement.operator() == null ? "" : requirement.operator().value();
    return switch (operator) {
      case "In" -> actual != null && values.contains(actual);
      case "NotIn" -> actual == null || !values.contains(actual);
      case "Exists" -> actual != null;
      case "DoesNotExist" -> actual == null;
      case "Gt" -> compare(actual, values) > 0;
      case "Lt" -> compare(actual, values) < 0;
      default -> false;
    };
  }

  /** Compares two whole numbers; what is no number is neither greater nor less. */
  private static int compare(@Nullable String actual, List<String> values) {
    String number = "-?[0-9]{1,18}";
    if (actual == null
        || values.size() != 1
        || !actual.matches(number)
        || !values.get(0).matches(number)) {
      return 0;
    }
    return Long.compare(Long.parseLong(actual), Long.parseLong(values.get(0)));
  }

  /** Returns whether a pod tolerates all taints of a node that have one of these effects. */
  public static boolean toleratesAll(PodSpec pod, Node node, List<String> effects) {
    List<Toleration> tolerations = pod.tolerations();
    return taints(node)
        .filter(taint -> effects.contains(text(taint.effect())))
        .allMatch(taint -> tolerations.stream().anyMatch(t -> tolerates(t, taint)));
  }

  private static Stream<Taint> taints(Node node) {
    NodeSpec spec = node.spec();
    Stream<Taint> taints = spec.taints().stream();
    boolean cordoned = Boolean.TRUE.equals(spec.unschedulable());
    return cordoned ? Stream.concat(taints, Stream.of(UNSCHEDULABLE)) : taints;
  }

  private static boolean tolerates(Toleration toleration, Taint taint) {
    String key = text(toleration.key());
    boolean sameEffect = toleration.effect() == null || toleration.effect().equals(taint.effect());
    boolean sameKey = key.isEmpty() || key.equals(taint.key());
    return sameEffect
        && sameKey
        && switch (text(toleration.operator())) {
          case "Exists" -> true;
          case "", "Equal" -> text(toleration.value()).equals(text(taint.value()));
          default -> false;
        };
  }

  private static String text(@Nullable Object value) {
    return requireNonNullElse(value, "").toString();
  }
}
