package dev.clientgo.remotecommand.logs;

import dev.clientgo.kubernetes.core.v1.ContainerState;
import dev.clientgo.kubernetes.core.v1.ContainerStatus;
import java.util.Objects;

/**
 * The state of a container in a pod's status.
 *
 * @param restarts how often it was restarted, which counts its instances
 * @param hasStarted whether there is a log of this instance
 * @param isRunning whether it may still write
 */
record ContainerInstance(int restarts, boolean hasStarted, boolean isRunning) {

  static ContainerInstance of(ContainerStatus status) {
    ContainerState state = status.state();
    ContainerState last = status.lastState();
    boolean isRunning = state != null && state.running() != null;
    boolean hasEnded =
        (state != null && state.terminated() != null)
            || (last != null && last.terminated() != null);
    return new ContainerInstance(
        Objects.requireNonNullElse(status.restartCount(), 0), isRunning || hasEnded, isRunning);
  }
}
