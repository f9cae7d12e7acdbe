package dev.clientgo.remotecommand.portforward;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.clock.Clock;
import dev.clientgo.remotecommand.internal.forward.ForwardSession;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.Request;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Opens connections to the ports of a target. Immutable.
 *
 * @param timeout to open a connection; zero for the limit of the client
 * @param podWait how long a connection may wait for a pod; zero for not at all
 * @param protocols the protocols that are offered, the best first
 */
record PodConnector(
    RESTClient client,
    PodTarget target,
    Duration timeout,
    Duration podWait,
    List<String> protocols,
    Clock clock) {

  /** Returns the number that a port with a name has in the target. */
  int number(String port) throws InterruptedException {
    return target.number(client, port, new PodWait(podWait, clock));
  }

  /** Opens a connection that does not receive yet. */
  ForwardSession open(IntOrString port) throws InterruptedException {
    return open(port, timeout);
  }

  /** Opens a connection with another timeout; otherwise as {@link #open(IntOrString)}. */
  ForwardSession open(IntOrString port, Duration limit) throws InterruptedException {
    PodTarget.PodPort found = target.resolve(client, port, new PodWait(podWait, clock));
    Request request =
        client
            .get()
            .groupVersion(new GroupVersion("", "v1"))
            .namespace(target.namespace())
            .resource("pods")
            .name(found.pod())
            .subResource("portforward");
    if (!limit.isZero()) {
      request.timeout(limit);
    }
    Function<String, KubernetesException> toError =
        text -> target.failure(found.pod(), IntOrString.of(found.port()), text);
    return ForwardSession.open(request, found.port(), clock, toError, protocols);
  }

  /** Returns the target. */
  @Override
  public String toString() {
    return "port-forward to " + target;
  }
}
