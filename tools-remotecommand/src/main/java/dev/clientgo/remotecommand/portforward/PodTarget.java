package dev.clientgo.remotecommand.portforward;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.kubernetes.core.v1.ContainerPort;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.Protocol;
import dev.clientgo.rest.RESTClient;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A pod, or something that has pods. Each connection asks it for a pod. */
abstract class PodTarget {

  /** A port of a pod. */
  record PodPort(String pod, int port) {}

  private final String namespace;

  PodTarget(String namespace) {
    this.namespace = requireNonNull(namespace, "namespace");
  }

  String namespace() {
    return namespace;
  }

  /** Returns the pod and the port that a connection goes to. */
  abstract PodPort resolve(RESTClient client, IntOrString port, PodWait wait)
      throws InterruptedException;

  /** Returns the number that a port with a name has here. */
  int number(RESTClient client, String name, PodWait wait) throws InterruptedException {
    return resolve(client, IntOrString.of(name), wait).port();
  }

  final PortForwardException failure(IntOrString port, String text) {
    return failure("", port, text);
  }

  /** Returns an error about a pod; about this, if the pod is not known. */
  final PortForwardException failure(String pod, IntOrString port, String text) {
    String subject = pod.isEmpty() ? toString() : "the pod " + namespace + "/" + pod;
    return new PortForwardException(subject, pod, port, text);
  }

  /** Returns the number of a port of a pod. A container declares the names of its ports. */
  final int containerPort(Pod pod, IntOrString port) {
    OptionalInt number = port.number();
    if (number.isPresent()) {
      return number.getAsInt();
    }
    List<ContainerPort> named =
        Stream.concat(pod.spec().containers().stream(), pod.spec().initContainers().stream())
            .flatMap(container -> container.ports().stream())
            .filter(each -> port.text().equals(Optional.ofNullable(each.name())))
            .toList();
    return named.stream()
        .filter(each -> isTcp(each.protocol()))
        .map(ContainerPort::containerPort)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(
            () ->
                failure(
                    name(pod),
                    port,
                    named.isEmpty()
                        ? "no container has a port of this name"
                        : "only TCP can be forwarded, and it is " + named.get(0).protocol()));
  }

  static boolean isTcp(@Nullable Protocol protocol) {
    return protocol == null || Protocol.TCP.equals(protocol);
  }

  static String name(Pod pod) {
    return requireNonNull(pod.metadata().name(), "the server names each pod");
  }
}
