package dev.clientgo.envtest;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import java.util.Map;

/** What tables say of pods. */
final class Pods {

  private Pods() {}

  static String ready(Unstructured pod) {
    long ready =
        statuses(pod).stream().filter(status -> Boolean.TRUE.equals(status.get("ready"))).count();
    return ready + "/" + Lookup.objects(pod, "spec", "containers").size();
  }

  static String status(Unstructured pod) {
    if (pod.metadata().deletionTimestamp() != null) {
      return "Terminating";
    }
    String reason = Lookup.string(pod, "status", "reason");
    return reason.isEmpty() ? Lookup.string(pod, "status", "phase") : reason;
  }

  static String restarts(Unstructured pod) {
    long restarts = 0;
    for (Map<String, Object> status : statuses(pod)) {
      Long count = Tree.number(status, "restartCount");
      restarts += count == null ? 0 : count;
    }
    return Long.toString(restarts);
  }

  private static List<Map<String, Object>> statuses(Unstructured pod) {
    return Lookup.objects(pod, "status", "containerStatuses");
  }
}
