package dev.clientgo.envtest.internal.tables;

import java.util.Map;
import java.util.function.Function;

/** The expressions that compute cells in {@code columns.txt}. */
final class CellFunctions {

  private CellFunctions() {}

  /** Returns the cell of a path, a path with a default, or a function with its arguments. */
  static Cell cell(String expression) {
    int open = expression.indexOf('(');
    if (open < 0) {
      String[] parts = expression.split(" \\| ", -1);
      return Cells.text(parts[0], parts.length == 1 ? "" : parts[1]);
    }
    String[] arguments = expression.substring(open + 1, expression.length() - 1).split(", ", -1);
    return function(expression.substring(0, open), arguments[0], arguments);
  }

  private static Cell function(String name, String first, String... arguments) {
    return switch (name) {
      case "number" -> Cells.number(first, Long.parseLong(arguments[1]));
      case "scalar" -> Cells.scalar(first, arguments[1]);
      case "flag" -> Cells.flag(first, Boolean.parseBoolean(arguments[1]));
      case "size" -> Cells.size(arguments);
      case "slashed" -> Cells.slashed(first, arguments[1]);
      case "each" -> Cells.each(first, arguments[1]);
      case "strings" -> Cells.strings(first, arguments[1]);
      case "labels" -> Cells.labels(first);
      case "selector" -> Cells.selector(first);
      case "since" -> Cells.since(first, arguments[1]);
      case "nameOrDefault" -> Cells.nameOrDefault(first);
      case "nodeStatus" -> of(ClusterCells::nodeStatus);
      case "nodeRoles" -> of(ClusterCells::nodeRoles);
      case "nodeAddress" -> of(node -> ClusterCells.nodeAddress(node, first));
      case "nodeKernel" -> of(ClusterCells::nodeKernel);
      case "quotaRequests" -> of(quota -> ClusterCells.quotaUsed(quota, false));
      case "quotaLimits" -> of(quota -> ClusterCells.quotaUsed(quota, true));
      case "accessModes" -> Cells.accessModes(first);
      case "volumePhase" -> of(ClusterCells::volumePhase);
      case "volumeClaim" -> of(ClusterCells::volumeClaim);
      case "claimCapacity" -> Cells.ifBound(Cells.text("status.capacity.storage", "0"));
      case "claimModes" -> Cells.ifBound(Cells.accessModes("status.accessModes"));
      case "storageClass" -> of(ClusterCells::storageClass);
      case "driverAudiences" -> of(ClusterCells::driverAudiences);
      case "servedVersions" -> of(ClusterCells::servedVersions);
      case "established" -> of(ClusterCells::isEstablished);
      case "bindingSubjects" -> of(binding -> ClusterCells.bindingSubjects(binding, first));
      case "requestDuration" -> of(ClusterCells::requestDuration);
      case "requestCondition" -> of(ClusterCells::requestCondition);
      case "eventLastSeen" -> EventCells::lastSeen;
      case "eventFirstSeen" -> EventCells::firstSeen;
      case "eventObject" -> of(EventCells::object);
      case "eventSubobject" -> of(EventCells::subobject);
      case "eventSource" -> of(EventCells::source);
      case "eventMessage" -> of(EventCells::message);
      case "eventCount" -> of(EventCells::count);
      case "podReady" -> of(pod -> new PodCells(pod).ready());
      case "podStatus" -> of(pod -> new PodCells(pod).status());
      case "podRestarts" -> (pod, now) -> new PodCells(pod).restarts(now);
      case "podAddress" -> of(pod -> new PodCells(pod).address());
      case "podGates" -> of(pod -> new PodCells(pod).gates());
      case "readyReplicas" -> of(WorkloadCells::readyReplicas);
      case "jobStatus" -> of(WorkloadCells::jobStatus);
      case "jobCompletions" -> of(WorkloadCells::jobCompletions);
      case "jobDuration" -> WorkloadCells::jobDuration;
      case "cronJobSuspended" -> of(WorkloadCells::cronJobSuspended);
      case "revisionController" -> of(WorkloadCells::revisionController);
      case "autoscalerTargets" -> of(WorkloadCells::autoscalerTargets);
      case "serviceAddress" -> of(NetworkCells::clusterAddress);
      case "serviceExternalAddress" -> of(NetworkCells::externalAddress);
      case "servicePorts" -> of(NetworkCells::ports);
      case "endpointsAddresses" -> of(NetworkCells::endpoints);
      case "slicePorts" -> of(NetworkCells::slicePorts);
      case "sliceAddresses" -> of(NetworkCells::sliceAddresses);
      case "ingressHosts" -> of(NetworkCells::hosts);
      case "ingressBalancers" -> of(NetworkCells::balancers);
      case "ingressPorts" -> of(NetworkCells::tlsPorts);
      case "ingressClassParameters" -> of(NetworkCells::parameters);
      default -> throw new IllegalArgumentException("No such function of a cell: " + name);
    };
  }

  private static Cell of(Function<Map<String, Object>, Object> cell) {
    return (object, now) -> cell.apply(object);
  }
}
