package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The pod of a request for one of its containers, as it is stored.
 *
 * <p>Corresponds to the locations of pods in kube-apiserver's {@code registry/core/pod}.
 */
record PodTarget(String namespace, String name, Map<String, Object> pod) {

  private static final GroupResource PODS = new GroupResource("", "pods");
  private static final List<String> KINDS =
      List.of("initContainers", "containers", "ephemeralContainers");

  /**
   * Finds the pod of a request.
   *
   * @throws ApiStatusException if it does not exist
   */
  static PodTarget of(ApiRequest request, ObjectStore store) {
    StoredObject found = store.get(PODS, StoredObject.key(request.namespace(), request.name()));
    if (found == null) {
      throw ApiStatusException.notFound(PODS, request.name());
    }
    return new PodTarget(request.namespace(), request.name(), found.object().content());
  }

  /** Returns whether a node has the pod. */
  boolean hasNode() {
    return !JsonTree.string(pod, "spec", "nodeName").isEmpty();
  }

  /**
   * Checks that a node has the pod.
   *
   * @throws ApiStatusException if none has
   */
  void requireNode() {
    if (!hasNode()) {
      throw ApiStatusException.badRequest("pod " + name + " does not have a host assigned");
    }
  }

  /**
   * Returns the container that a client wants, or the only one.
   *
   * @throws ApiStatusException if the pod has no such container, or the choice is not clear
   */
  String container(String wanted) {
    List<String> all = names(KINDS);
    if (!wanted.isEmpty()) {
      if (!all.contains(wanted)) {
        throw ApiStatusException.badRequest(
            "container " + wanted + " is not valid for pod " + name);
      }
      return wanted;
    }
    List<String> main = names(List.of("containers"));
    if (main.size() == 1) {
      return main.get(0);
    }
    String choice = "a container name must be specified for pod " + name;
    throw ApiStatusException.badRequest(
        main.isEmpty() ? choice : choice + ", choose one of: [" + String.join(" ", all) + "]");
  }

  private List<String> names(List<String> kinds) {
    List<String> names = new ArrayList<>();
    for (String kind : kinds) {
      JsonTree.objects(pod, "spec", kind)
          .forEach(container -> names.add(JsonTree.string(container, "name")));
    }
    return names;
  }

  /** Returns the status of a container, or empty. */
  Optional<Map<String, Object>> status(String container) {
    return Stream.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")
        .flatMap(list -> JsonTree.objects(pod, "status", list).stream())
        .filter(status -> JsonTree.string(status, "name").equals(container))
        .findFirst();
  }

  String uid() {
    return JsonTree.string(pod, "metadata", "uid");
  }

  String phase() {
    return JsonTree.string(pod, "status", "phase");
  }

  /** Returns whether a container runs. If it has no status, it runs if the pod does. */
  boolean isRunning(String container) {
    return status(container)
        .map(status -> JsonTree.get(status, "state", "running") != null)
        .orElseGet(() -> phase().equals("Running"));
  }
}
