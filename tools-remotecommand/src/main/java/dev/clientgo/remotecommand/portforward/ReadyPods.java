package dev.clientgo.remotecommand.portforward;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ContainerPort;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.Protocol;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.core.v1.ServicePort;
import dev.clientgo.rest.RESTClient;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The ready pods that a selector names. The oldest of them is chosen, so that connections go to one
 * pod while it is ready.
 */
abstract class ReadyPods extends PodTarget {

  private static final String NO_ADDRESS = "None";

  private static final Comparator<Pod> OLDEST_FIRST =
      Comparator.<Pod, String>comparing(pod -> String.valueOf(pod.metadata().creationTimestamp()))
          .thenComparing(pod -> String.valueOf(pod.metadata().name()));

  private final String description;

  private ReadyPods(String namespace, String description) {
    super(namespace);
    this.description = description;
  }

  static PodTarget of(String namespace, Selector selector) {
    return new ReadyPods(namespace, "the pods " + namespace + "/" + selector) {
      @Override
      PodPort resolve(RESTClient client, int port) throws InterruptedException {
        return new PodPort(name(oldest(client, selector, port)), port);
      }
    };
  }

  static PodTarget ofDeployment(String namespace, String name) {
    return new ReadyPods(namespace, "the deployment " + namespace + "/" + name) {
      @Override
      PodPort resolve(RESTClient client, int port) throws InterruptedException {
        Deployment deployment = client.resource(Deployment.TYPE).inNamespace(namespace()).get(name);
        Selector selector = Selector.of(deployment.spec().selector());
        return new PodPort(name(oldest(client, selector, port)), port);
      }
    };
  }

  static PodTarget ofService(String namespace, String name) {
    return new ReadyPods(namespace, "the service " + namespace + "/" + name) {
      @Override
      PodPort resolve(RESTClient client, int port) throws InterruptedException {
        Service service = client.resource(Service.TYPE).inNamespace(namespace()).get(name);
        if (service.spec().selector().isEmpty()) {
          throw failure(port, "it has no selector, so its pods are not known");
        }
        ServicePort found = servicePort(service, port);
        Pod pod = oldest(client, Selector.of(service.spec().selector()), port);
        return new PodPort(name(pod), podPort(service, found, pod, port));
      }
    };
  }

  final PortForwardException failure(int port, String text) {
    return new PortForwardException(this, "", port, text);
  }

  final Pod oldest(RESTClient client, Selector selector, int port) throws InterruptedException {
    List<Pod> pods = client.resource(Pod.TYPE).inNamespace(namespace()).list(selector).items();
    return pods.stream()
        .filter(ReadyPods::isReady)
        .min(OLDEST_FIRST)
        .orElseThrow(() -> failure(port, "none of its " + pods.size() + " pods is ready"));
  }

  private static boolean isReady(Pod pod) {
    return pod.metadata().deletionTimestamp() == null
        && pod.status().conditions().stream()
            .anyMatch(each -> "Ready".equals(each.type()) && "True".equals(each.status()));
  }

  static String name(Pod pod) {
    return Objects.requireNonNull(pod.metadata().name(), "the server names each pod");
  }

  final ServicePort servicePort(Service service, int port) {
    List<ServicePort> same =
        service.spec().ports().stream().filter(each -> Objects.equals(each.port(), port)).toList();
    return same.stream()
        .filter(each -> each.protocol() == null || Protocol.TCP.equals(each.protocol()))
        .findFirst()
        .orElseThrow(
            () ->
                failure(
                    port,
                    same.isEmpty()
                        ? "it has only the ports "
                            + service.spec().ports().stream().map(ServicePort::port).toList()
                        : "only TCP can be forwarded, and it is " + same.get(0).protocol()));
  }

  /** As kubectl: a service without an address of its own does not translate ports. */
  final int podPort(Service service, ServicePort found, Pod pod, int port) {
    IntOrString target = found.targetPort();
    if (target == null || NO_ADDRESS.equals(service.spec().clusterIP())) {
      return port;
    }
    OptionalInt number = target.number();
    if (number.isPresent()) {
      return number.getAsInt() == 0 ? port : number.getAsInt();
    }
    return Stream.concat(pod.spec().containers().stream(), pod.spec().initContainers().stream())
        .flatMap(container -> container.ports().stream())
        .filter(each -> target.text().equals(Optional.ofNullable(each.name())))
        .map(ContainerPort::containerPort)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() -> failure(port, "the pod " + name(pod) + " has no port named " + target));
  }

  @Override
  public String toString() {
    return description;
  }
}
