package dev.clientgo.remotecommand.portforward;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.util.Optional;
import java.util.OptionalInt;

/** A pod with a name. Reads it only if its state or the names of its ports matter. */
final class OnePod extends PodTarget {

  private final String pod;

  OnePod(String namespace, String pod) {
    super(namespace);
    this.pod = requireNonNull(pod, "pod");
  }

  @Override
  PodPort resolve(RESTClient client, IntOrString port, PodWait wait) throws InterruptedException {
    OptionalInt number = port.number();
    if (number.isPresent() && !wait.isAsked()) {
      return new PodPort(pod, number.getAsInt());
    }
    ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace(namespace());
    Optional<Pod> found = pods.find(pod);
    while (wait.isAsked() && !isRunning(found, port)) {
      if (!wait.pause()) {
        throw failure(
            port, "it " + found.map(p -> "is " + phase(p)).orElse("does not exist") + wait);
      }
      found = pods.find(pod);
    }
    return new PodPort(pod, containerPort(found.isPresent() ? found.get() : pods.get(pod), port));
  }

  private boolean isRunning(Optional<Pod> found, IntOrString port) {
    PodPhase phase = found.map(p -> p.status().phase()).orElse(null);
    if (PodPhase.SUCCEEDED.equals(phase) || PodPhase.FAILED.equals(phase)) {
      throw failure(port, "it has ended: " + phase);
    }
    return PodPhase.RUNNING.equals(phase);
  }

  private static String phase(Pod found) {
    PodPhase phase = found.status().phase();
    return phase == null ? "not running" : phase.value();
  }

  @Override
  public String toString() {
    return "the pod " + namespace() + "/" + pod;
  }
}
