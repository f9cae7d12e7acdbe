package dev.clientgo.examples.liveview;

import dev.clientgo.kubernetes.core.v1.Pod;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the pods that the live view shows, instead of the users of a cluster. */
interface PodWriter {

  /** The annotation that counts the changes of a pod. */
  String CHANGES = "changes";

  /** The annotation with the last change that a worker has seen. */
  String NOTED = "noted";

  void create(String namespace, String name, @Nullable String node) throws InterruptedException;

  void change(String key) throws InterruptedException;

  /** Assigns a pod to a node, as the scheduler does. */
  void bind(String key, String node) throws InterruptedException;

  void delete(String key) throws InterruptedException;

  void deleteAll() throws InterruptedException;

  /** Returns a new pod. */
  static Pod pod(String namespace, String name, @Nullable String node) {
    return Pod.of(
        namespace,
        name,
        pod ->
            pod.editMetadata(m -> m.labels(Map.of("app", "web")).annotations(Map.of(CHANGES, "0")))
                .editSpec(s -> s.nodeName(node).editContainers("web", c -> c.image("nginx:1"))));
  }

  /** Returns whether the pod has a note of its last change. */
  static boolean isNoted(Pod pod) {
    Map<String, String> annotations = pod.metadata().annotations();
    return annotations.getOrDefault(NOTED, "").equals(annotations.get(CHANGES));
  }

  /** Returns the pod with a note of its last change. */
  static Pod noted(Pod pod) {
    Map<String, String> noted = new HashMap<>(pod.metadata().annotations());
    noted.put(NOTED, noted.getOrDefault(CHANGES, "0"));
    return pod.with(p -> p.editMetadata(m -> m.annotations(noted)));
  }

  /** Returns the annotations of a pod that has changed once more. */
  static Map<String, String> changed(Map<String, String> annotations) {
    Map<String, String> changed = new HashMap<>(annotations);
    int changes = Integer.parseInt(annotations.getOrDefault(CHANGES, "0"));
    changed.put(CHANGES, Integer.toString(changes + 1));
    return changed;
  }
}
