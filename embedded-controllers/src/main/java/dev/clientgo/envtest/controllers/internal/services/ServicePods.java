package dev.clientgo.envtest.controllers.internal.services;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.kubernetes.core.v1.Container;
import dev.clientgo.kubernetes.core.v1.ContainerPort;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodIP;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.kubernetes.core.v1.Protocol;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.core.v1.ServicePort;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pods of services: their addresses and ports.
 *
 * <p>Corresponds to functions of {@code k8s.io/endpointslice}.
 */
final class ServicePods {

  private static final String NO_ADDRESS = "None";

  private ServicePods() {}

  /** Returns whether a service has no cluster IP. */
  static boolean isHeadless(Service service) {
    return NO_ADDRESS.equals(service.spec().clusterIP());
  }

  /** Returns whether a pod has an address and has not ended. */
  static boolean isRunning(Pod pod) {
    PodPhase phase = pod.status().phase();
    return !PodPhase.SUCCEEDED.equals(phase)
        && !PodPhase.FAILED.equals(phase)
        && !addresses(pod).isEmpty();
  }

  static boolean isReady(Pod pod) {
    return pod.status().conditions().stream()
        .anyMatch(c -> "Ready".equals(c.type()) && "True".equals(c.status()));
  }

  /** Returns the addresses of a pod, the main one first. */
  static List<String> addresses(Pod pod) {
    List<String> all =
        pod.status().podIPs().stream().map(PodIP::ip).filter(Objects::nonNull).toList();
    String main = pod.status().podIP();
    return all.isEmpty() && main != null && !main.isEmpty() ? List.of(main) : all;
  }

  static boolean isIpv6(String address) {
    return address.indexOf(':') >= 0;
  }

  static ObjectReference reference(Pod pod) {
    return ObjectReference.of(
        r ->
            r.kind("Pod")
                .namespace(pod.metadata().namespace())
                .name(pod.metadata().name())
                .uid(pod.metadata().uid()));
  }

  /** Returns the host name that a pod has in the domain of a service; null if it has none. */
  static @Nullable String hostname(Pod pod, Service service) {
    String hostname = requireNonNullElse(pod.spec().hostname(), "");
    return !hostname.isEmpty() && Objects.equals(pod.spec().subdomain(), service.metadata().name())
        ? hostname
        : null;
  }

  /** A port of a service as one pod has it. */
  record Port(String name, int number, Protocol protocol, @Nullable String appProtocol) {}

  /** Returns the ports of a service that a pod has. */
  static List<Port> ports(Service service, Pod pod) {
    List<Port> ports = new ArrayList<>();
    for (ServicePort port : service.spec().ports()) {
      Protocol protocol = requireNonNullElse(port.protocol(), Protocol.TCP);
      number(port, protocol, pod)
          .ifPresent(
              number ->
                  ports.add(
                      new Port(
                          requireNonNullElse(port.name(), ""),
                          number,
                          protocol,
                          port.appProtocol())));
    }
    return List.copyOf(ports);
  }

  private static Optional<Integer> number(ServicePort port, Protocol protocol, Pod pod) {
    IntOrString target = port.targetPort();
    if (target == null) {
      return Optional.ofNullable(port.port()); // The real server sets this default itself.
    }
    if (target.text().isEmpty()) {
      return Optional.of(target.intValue());
    }
    Stream<Container> sidecars =
        pod.spec().initContainers().stream()
            .filter(container -> "Always".equals(String.valueOf(container.restartPolicy())));
    return Stream.concat(pod.spec().containers().stream(), sidecars)
        .flatMap(container -> container.ports().stream())
        .filter(
            candidate ->
                target.text().get().equals(candidate.name())
                    && protocol.equals(requireNonNullElse(candidate.protocol(), Protocol.TCP)))
        .map(ContainerPort::containerPort)
        .filter(Objects::nonNull)
        .findFirst();
  }
}
