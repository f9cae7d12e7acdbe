package dev.clientgo.envtest.controllers.internal.nodes;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.envtest.controllers.internal.nodes.PodTimeline.Moment;
import dev.clientgo.envtest.controllers.internal.pods.OmitEmpty;
import dev.clientgo.kubernetes.core.v1.Container;
import dev.clientgo.kubernetes.core.v1.ContainerState;
import dev.clientgo.kubernetes.core.v1.ContainerStatus;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodCondition;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.kubernetes.core.v1.PodReadinessGate;
import dev.clientgo.kubernetes.core.v1.PodSpec;
import dev.clientgo.kubernetes.core.v1.PodStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Puts the state of a pod's containers into the fields of its status, as a kubelet does. */
final class PodStatusWriter {

  private final PodSpec spec;
  private final PodStatus before;
  private final Time now;

  PodStatusWriter(Pod pod, Instant now) {
    this.spec = pod.spec();
    this.before = pod.status();
    this.now = Time.of(now);
  }

  /**
   * Returns the status of the pod with the state of its containers. Conditions of others stay.
   *
   * @param podIp the address, for a pod that has none
   */
  PodStatus status(Moment moment, String podIp, String hostIp) {
    boolean started = !moment.phase().equals(PodPhase.PENDING);
    String ip = requireNonNullElse(before.podIP(), podIp);
    return before.with(
        s -> {
          s.phase(moment.phase())
              .startTime(requireNonNullElse(before.startTime(), now))
              .hostIP(hostIp)
              .containerStatuses(containers(moment, started))
              .initContainerStatuses(initContainers(started))
              .conditions(conditions(moment, started));
          if (started) {
            s.podIP(ip)
                .editPodIPs(
                    ips -> {
                      if (ips.isEmpty()) {
                        ips.add(dev.clientgo.kubernetes.core.v1.PodIP.of(p -> p.ip(ip)));
                      }
                    });
          }
        });
  }

  /** Returns how often the containers have been started again. */
  int restarts() {
    return before.containerStatuses().stream()
        .mapToInt(container -> requireNonNullElse(container.restartCount(), 0))
        .max()
        .orElse(0);
  }

  /** Returns the address of the pod's node, or the given one if the status has none. */
  String hostIp(String otherwise) {
    return requireNonNullElse(before.hostIP(), otherwise);
  }

  private List<ContainerStatus> containers(Moment moment, boolean started) {
    boolean running = moment.state().running() != null;
    return spec.containers().stream()
        .map(
            container ->
                container(container, moment.state(), moment.last(), moment.ready())
                    .with(c -> c.restartCount(moment.restarts()).started(started && running)))
        .toList();
  }

  private @Nullable List<ContainerStatus> initContainers(boolean started) {
    ContainerState state =
        started
            ? PodTimeline.terminated(0, now.instant(), now.instant())
            : ContainerState.of(s -> s.editWaiting(w -> w.reason("PodInitializing")));
    List<ContainerStatus> present = before.initContainerStatuses();
    List<ContainerStatus> wanted =
        spec.initContainers().stream()
            .map(container -> container(container, state, null, started))
            .toList();
    boolean known =
        present.size() == wanted.size()
            && present.stream().allMatch(c -> Boolean.valueOf(started).equals(c.ready()));
    return OmitEmpty.empty(known ? present : wanted);
  }

  private static ContainerStatus container(
      Container container, ContainerState state, @Nullable ContainerState last, boolean ready) {
    return ContainerStatus.of(
        c ->
            c.name(container.name())
                .image(requireNonNullElse(container.image(), ""))
                .imageID("")
                .state(state)
                .lastState(requireNonNullElse(last, ContainerState.builder().build()))
                .ready(ready)
                .started(ready)
                .restartCount(0));
  }

  /* --------------- Conditions --------------- */

  private List<PodCondition> conditions(Moment moment, boolean started) {
    List<PodCondition> conditions = new ArrayList<>(before.conditions());
    boolean ready = moment.ready() && gatesAreOpen(conditions);
    @Nullable String reason = notReadyReason(moment);
    set(conditions, "PodReadyToStartContainers", started, null);
    set(conditions, "Initialized", true, null);
    set(
        conditions,
        "Ready",
        ready,
        ready ? null : requireNonNullElse(reason, "ReadinessGatesNotReady"));
    set(conditions, "ContainersReady", moment.ready(), reason);
    set(conditions, "PodScheduled", true, null);
    return conditions;
  }

  private static @Nullable String notReadyReason(Moment moment) {
    return switch (moment.phase().value()) {
      case "Succeeded" -> "PodCompleted";
      case "Failed" -> "PodFailed";
      default -> moment.ready() ? null : "ContainersNotReady";
    };
  }

  private boolean gatesAreOpen(List<PodCondition> conditions) {
    return spec.readinessGates().stream()
        .map(PodReadinessGate::conditionType)
        .allMatch(
            gate ->
                conditions.stream()
                    .anyMatch(c -> Objects.equals(gate, c.type()) && "True".equals(c.status())));
  }

  /** Returns a pod's conditions with that of a pod that no node takes. */
  PodStatus unschedulable(String message) {
    List<PodCondition> conditions = new ArrayList<>(before.conditions());
    set(conditions, "PodScheduled", false, "Unschedulable");
    conditions.replaceAll(
        c -> "PodScheduled".equals(c.type()) ? c.with(b -> b.message(message)) : c);
    return before.with(s -> s.phase(PodPhase.PENDING).conditions(conditions));
  }

  private void set(
      List<PodCondition> conditions, String type, boolean value, @Nullable String reason) {
    String status = value ? "True" : "False";
    for (int i = 0; i < conditions.size(); i++) {
      PodCondition present = conditions.get(i);
      if (type.equals(present.type())) {
        Time since = status.equals(present.status()) ? present.lastTransitionTime() : now;
        conditions.set(
            i, present.with(c -> c.status(status).reason(reason).lastTransitionTime(since)));
        return;
      }
    }
    conditions.add(
        PodCondition.of(c -> c.type(type).status(status).reason(reason).lastTransitionTime(now)));
  }
}
