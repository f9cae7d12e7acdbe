package dev.clientgo.envtest.kubelet;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes pods that run, as a scheduler and a kubelet would report them. */
final class RunningPod {

  private static final String NODE = "node-1";
  private static final String ADDRESS = "10.1.0.2";

  private RunningPod() {}

  static Unstructured of(String namespace, String name, List<String> containers) {
    List<String> names = containers.isEmpty() ? List.of(name) : containers;
    return Unstructured.of(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Pod",
            "metadata",
            Map.of("name", name, "namespace", namespace),
            "spec",
            Map.of(
                "containers",
                names.stream()
                    .map(container -> Map.of("name", container, "image", container))
                    .toList())));
  }

  static Unstructured started(Unstructured pod, Instant now) {
    String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
    Unstructured bound =
        pod.nestedString("spec", "nodeName").isPresent() ? pod : pod.with(NODE, "spec", "nodeName");
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("phase", "Running");
    status.put(
        "conditions",
        List.of(
            condition("PodScheduled", time),
            condition("Initialized", time),
            condition("ContainersReady", time),
            condition("Ready", time)));
    status.put("hostIP", "127.0.0.1");
    status.put("podIP", ADDRESS);
    status.put("podIPs", List.of(Map.of("ip", ADDRESS)));
    status.put("startTime", time);
    status.put("containerStatuses", containers(pod, time));
    return bound.with(status, "status");
  }

  private static Map<String, Object> condition(String type, String time) {
    return Map.of("type", type, "status", "True", "lastTransitionTime", time);
  }

  private static List<Map<String, Object>> containers(Unstructured pod, String time) {
    List<Map<String, Object>> statuses = new ArrayList<>();
    for (Object item : pod.nestedList("spec", "containers").orElse(List.of())) {
      if (item instanceof Map<?, ?> container && container.get("name") instanceof String name) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("name", name);
        status.put("image", container.get("image") instanceof String image ? image : "");
        status.put("imageID", "");
        status.put("containerID", "fake://" + pod.metadata().name() + "-" + name);
        status.put("ready", true);
        status.put("started", true);
        status.put("restartCount", 0L);
        status.put("state", Map.of("running", Map.of("startedAt", time)));
        statuses.add(status);
      }
    }
    return statuses;
  }
}
