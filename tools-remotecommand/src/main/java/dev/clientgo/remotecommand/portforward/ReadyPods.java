package dev.clientgo.remotecommand.portforward;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.core.v1.ServicePort;
import dev.clientgo.rest.RESTClient;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

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
      PodPort resolve(RESTClient client, IntOrString port, PodWait wait)
          throws InterruptedException {
        Pod pod = oldest(client, selector, port, wait);
        return new PodPort(name(pod), containerPort(pod, port));
      }
    };
  }

  static PodTarget ofDeployment(String namespace, String name) {
    return new ReadyPods(namespace, "the deployment " + namespace + "/" + name) {
      @Override
      PodPort resolve(RESTClient client, IntOrString port, PodWait wait)
          throws InterruptedException {
        Deployment deployment = client.resource(Deployment.TYPE).inNamespace(namespace()).get(name);
        Pod pod = oldest(client, Selector.of(deployment.spec().selector()), port, wait);
        return new PodPort(name(pod), containerPort(pod, port));
      }
    };
  }

  static PodTarget ofService(String namespace, String name) {
    return new ReadyPods(namespace, "the service " + namespace + "/" + name) {
      @Override
      PodPort resolve(RESTClient client, IntOrString port, PodWait wait)
          throws InterruptedException {
        Service service = service(client);
        if (service.spec().selector().isEmpty()) {
          throw failure(port, "it has no selector, so its pods are not known");
        }
        ServicePort found = servicePort(service, port);
        Pod pod = oldest(client, Selector.of(service.spec().selector()), port, wait);
        return new PodPort(name(pod), containerPort(pod, targetPort(service, found)));
      }

      @Override
      int number(RESTClient client, String portName, PodWait wait) throws InterruptedException {
        return number(servicePort(service(client), IntOrString.of(portName)));
      }

      private Service service(RESTClient client) throws InterruptedException {
        return client.resource(Service.TYPE).inNamespace(namespace()).get(name);
      }
    };
  }

  final Pod oldest(RESTClient client, Selector selector, IntOrString port, PodWait wait)
      throws InterruptedException {
    while (true) {
      List<Pod> pods = client.resource(Pod.TYPE).inNamespace(namespace()).list(selector).items();
      Optional<Pod> ready = pods.stream().filter(ReadyPods::isReady).min(OLDEST_FIRST);
      if (ready.isPresent()) {
        return ready.get();
      }
      if (!wait.pause()) {
        throw failure(port, "none of its " + pods.size() + " pods is ready" + wait);
      }
    }
  }

  private static boolean isReady(Pod pod) {
    return pod.metadata().deletionTimestamp() == null
        && pod.status().conditions().stream()
            .anyMatch(each -> "Ready".equals(each.type()) && "True".equals(each.status()));
  }

  /** Returns the port of a service with a number or a name. */
  final ServicePort servicePort(Service service, IntOrString port) {
    List<ServicePort> ports = service.spec().ports();
    List<ServicePort> same = ports.stream().filter(each -> is(each, port)).toList();
    return same.stream()
        .filter(each -> isTcp(each.protocol()))
        .findFirst()
        .orElseThrow(
            () ->
                failure(
                    port,
                    same.isEmpty()
                        ? "it has only the ports "
                            + ports.stream().map(ReadyPods::describe).toList()
                        : "only TCP can be forwarded, and it is " + same.get(0).protocol()));
  }

  private static boolean is(ServicePort each, IntOrString port) {
    OptionalInt number = port.number();
    return number.isPresent()
        ? number.getAsInt() == number(each)
        : port.text().equals(Optional.ofNullable(each.name()));
  }

  static int number(ServicePort port) {
    Integer number = port.port();
    return number == null ? 0 : number;
  }

  private static String describe(ServicePort port) {
    return number(port) + (port.name() == null ? "" : " (" + port.name() + ")");
  }

  /** As kubectl: a headless service does not translate ports. */
  static IntOrString targetPort(Service service, ServicePort port) {
    IntOrString target = port.targetPort();
    return target == null
            || target.equals(IntOrString.of(0))
            || NO_ADDRESS.equals(service.spec().clusterIP())
        ? IntOrString.of(number(port))
        : target;
  }

  @Override
  public String toString() {
    return description;
  }
}
