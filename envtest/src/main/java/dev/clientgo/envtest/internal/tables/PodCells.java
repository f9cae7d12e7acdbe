package dev.clientgo.envtest.internal.tables;

import static dev.clientgo.envtest.internal.json.JsonTree.get;
import static dev.clientgo.envtest.internal.json.JsonTree.object;
import static dev.clientgo.envtest.internal.json.JsonTree.objects;
import static dev.clientgo.envtest.internal.json.JsonTree.string;

import dev.clientgo.envtest.internal.json.JsonTree;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Cells of one pod. */
public final class PodCells {

  private final Map<String, Object> pod;
  private final List<Map<String, Object>> containers;
  private final List<Map<String, Object>> initContainers;

  /** The names of the sidecars: init containers that keep running. */
  private final Set<String> sidecars = new HashSet<>();

  public PodCells(Map<String, Object> pod) {
    this.pod = pod;
    this.containers = objects(pod, "status", "containerStatuses");
    this.initContainers = objects(pod, "status", "initContainerStatuses");
    for (Map<String, Object> container : objects(pod, "spec", "initContainers")) {
      if ("Always".equals(container.get("restartPolicy"))) {
        sidecars.add(string(container, "name"));
      }
    }
  }

  public String ready() {
    int all = objects(pod, "spec", "containers").size() + sidecars.size();
    long ready = initContainers.stream().filter(this::isReadySidecar).count();
    if (initProblem().isEmpty() || Cells.isTrue(pod, "Initialized")) {
      ready += containers.stream().filter(PodCells::isRunningAndReady).count();
    }
    return ready + "/" + all;
  }

  private boolean isReadySidecar(Map<String, Object> status) {
    return isStartedSidecar(status) && Boolean.TRUE.equals(status.get("ready"));
  }

  private boolean isStartedSidecar(Map<String, Object> status) {
    return isSidecar(status) && Boolean.TRUE.equals(status.get("started"));
  }

  private boolean isSidecar(Map<String, Object> status) {
    return sidecars.contains(string(status, "name"));
  }

  private static boolean isRunningAndReady(Map<String, Object> status) {
    return Boolean.TRUE.equals(status.get("ready")) && get(status, "state", "running") != null;
  }

  /* --------------- Status --------------- */

  public String status() {
    String phase = string(pod, "status", "phase");
    String reason = string(pod, "status", "reason");
    if (Cells.isBeingDeleted(pod)) {
      if (reason.equals("NodeLost")) {
        return "Unknown";
      }
      if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
        return "Terminating";
      }
    }
    String init = initProblem();
    if (!init.isEmpty() && !Cells.isTrue(pod, "Initialized")) {
      return init;
    }
    String whole = gated(reason.isEmpty() ? phase : reason);
    return ofContainers(init.isEmpty() ? whole : init);
  }

  private String gated(String reason) {
    return objects(pod, "status", "conditions").stream()
            .anyMatch(
                condition ->
                    "PodScheduled".equals(condition.get("type"))
                        && "SchedulingGated".equals(condition.get("reason")))
        ? "SchedulingGated"
        : reason;
  }

  /** Returns the reason why the pod is not initialized, or the empty string. */
  private String initProblem() {
    for (int i = 0; i < initContainers.size(); i++) {
      Map<String, Object> status = initContainers.get(i);
      Map<String, Object> ended = object(status, "state", "terminated");
      String waits = string(status, "state", "waiting", "reason");
      boolean done = !ended.isEmpty() && Cells.number(ended, "exitCode", 0) == 0;
      if (done || isStartedSidecar(status)) {
        continue;
      }
      if (!ended.isEmpty()) {
        return "Init:" + end(ended);
      }
      return waits.isEmpty() || waits.equals("PodInitializing")
          ? "Init:" + i + "/" + objects(pod, "spec", "initContainers").size()
          : "Init:" + waits;
    }
    return "";
  }

  /**
   * Returns the reason of the first container that does not run, or the given reason of the pod.
   */
  private String ofContainers(String whole) {
    String reason = whole;
    String failure = "";
    boolean running = false;
    for (int i = containers.size() - 1; i >= 0; i--) {
      Map<String, Object> status = containers.get(i);
      Map<String, Object> ended = object(status, "state", "terminated");
      String waits = string(status, "state", "waiting", "reason");
      if (!waits.isEmpty()) {
        reason = waits;
      } else if (!ended.isEmpty()) {
        reason = end(ended);
        failure = Cells.number(ended, "exitCode", 0) == 0 ? failure : reason;
      } else {
        running |= isRunningAndReady(status);
      }
    }
    if (!reason.equals("Completed")) {
      return reason;
    }
    if (running && Cells.isTrue(pod, "Ready")) {
      return "Running";
    }
    return failure.isEmpty() ? (running ? "NotReady" : reason) : failure;
  }

  private static String end(Map<String, Object> ended) {
    String reason = string(ended, "reason");
    long signal = Cells.number(ended, "signal", 0);
    if (!reason.isEmpty()) {
      return reason;
    }
    return signal == 0 ? "ExitCode:" + Cells.number(ended, "exitCode", 0) : "Signal:" + signal;
  }

  /* --------------- Other columns --------------- */

  public String restarts(Instant now) {
    boolean initializing = !initProblem().isEmpty() && !Cells.isTrue(pod, "Initialized");
    long restarts = 0;
    String last = "";
    for (Map<String, Object> status : initContainers) {
      if (initializing || isSidecar(status)) {
        restarts += Cells.number(status, "restartCount", 0);
        last = later(last, status);
      }
    }
    for (Map<String, Object> status : initializing ? List.<Map<String, Object>>of() : containers) {
      restarts += Cells.number(status, "restartCount", 0);
      last = later(last, status);
    }
    return restarts == 0 || last.isEmpty()
        ? Long.toString(restarts)
        : restarts + " (" + Cells.since(last, now) + " ago)";
  }

  private static String later(String time, Map<String, Object> status) {
    String end = string(status, "lastState", "terminated", "finishedAt");
    return time.compareTo(end) < 0 ? end : time;
  }

  public String address() {
    return objects(pod, "status", "podIPs").stream()
        .findFirst()
        .map(address -> string(address, "ip"))
        .orElse(Cells.NONE);
  }

  /** Returns the conditions of the row: {@code Completed} if the pod has ended. */
  public static List<Object> conditions(Map<String, Object> pod) {
    String phase = string(pod, "status", "phase");
    return phase.equals("Succeeded") || phase.equals("Failed")
        ? List.of(
            JsonTree.of(
                "type", "Completed",
                "status", "True",
                "reason", phase,
                "message", "the pod has ended"))
        : List.of();
  }

  public String gates() {
    List<Map<String, Object>> gates = objects(pod, "spec", "readinessGates");
    long open =
        gates.stream().filter(gate -> Cells.isTrue(pod, string(gate, "conditionType"))).count();
    return gates.isEmpty() ? Cells.NONE : open + "/" + gates.size();
  }
}
