package dev.clientgo.envtest.controllers.internal.nodes;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.controller.Context;
import dev.clientgo.envtest.controllers.internal.pods.PodReadiness;
import dev.clientgo.kubernetes.core.v1.Binding;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Chooses nodes for pods: among those that {@linkplain NodeFit suit}, the one with the fewest pods.
 * In a cluster without Node objects all pods go to {@value #ONLY_NODE}.
 *
 * <p>Corresponds to a small part of {@code kube-scheduler}.
 */
final class Scheduler {

  /** The node of clusters without nodes. */
  static final String ONLY_NODE = "node-1";

  private static final String NAME = "default-scheduler";

  private final Context context;

  Scheduler(Context context) {
    this.context = context;
  }

  /** Returns whether a pod waits for this scheduler. */
  static boolean isResponsible(Pod pod) {
    PodSpec spec = pod.spec();
    return requireNonNullElse(spec.nodeName(), "").isEmpty()
        && NAME.equals(requireNonNullElse(spec.schedulerName(), NAME))
        && spec.schedulingGates().isEmpty()
        && PodReadiness.isActive(pod);
  }

  /** Returns the node for a pod, empty if none suits. */
  Optional<String> choose(PodSpec pod) throws InterruptedException {
    List<Node> nodes = nodes();
    if (nodes.isEmpty()) {
      return Optional.of(ONLY_NODE);
    }
    Map<String, Long> load =
        context.client().resource(Pod.TYPE).list().stream()
            .filter(PodReadiness::isActive)
            .collect(Collectors.groupingBy(Scheduler::nodeOf, Collectors.counting()));
    Comparator<String> byLoad = comparing(name -> load.getOrDefault(name, 0L));
    return nodes.stream()
        .filter(node -> NodeFit.fits(pod, node))
        .map(node -> String.valueOf(node.metadata().name()))
        .min(byLoad.thenComparing(Comparator.naturalOrder()));
  }

  /** Asks the server if the cache has none: a test may have created the first one just now. */
  private List<Node> nodes() throws InterruptedException {
    List<Node> known = context.client().resource(Node.TYPE).list();
    return known.isEmpty() ? context.client().uncached().resource(Node.TYPE).list().items() : known;
  }

  private static String nodeOf(Pod pod) {
    return requireNonNullElse(pod.spec().nodeName(), "");
  }

  /** Binds a pod to a node, unless another client has done it or the pod is gone. */
  void bind(Pod pod, String node) throws InterruptedException {
    String name = String.valueOf(pod.metadata().name());
    String namespace = String.valueOf(pod.metadata().namespace());
    Binding binding =
        Binding.of(
            b ->
                b.metadata(ObjectMeta.of(m -> m.name(name).namespace(namespace)))
                    .editTarget(target -> target.kind("Node").name(node)));
    try {
      context
          .client()
          .uncached()
          .resource(Pod.TYPE)
          .inNamespace(namespace)
          .subresource("binding", Binding.CODEC)
          .submit(name, binding, CreateOptions.NONE);
      context
          .events()
          .normal(
              pod,
              "Scheduled",
              "Binding",
              "Successfully assigned %s/%s to %s",
              namespace,
              name,
              node);
    } catch (ApiStatusException e) {
      if (!ApiStatusException.isConflictOrNotFound(e)) {
        throw e;
      }
    }
  }
}
