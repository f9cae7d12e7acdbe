package dev.clientgo.envtest.controllers.internal.services;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.kubernetes.core.v1.IPFamily;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.discovery.v1.AddressType;
import dev.clientgo.kubernetes.discovery.v1.Endpoint;
import dev.clientgo.kubernetes.discovery.v1.EndpointPort;
import dev.clientgo.kubernetes.discovery.v1.EndpointSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps EndpointSlices with the addresses of the pods of each service: slices of at most 100
 * endpoints for each family of addresses and each set of ports. A service without pods has an empty
 * slice.
 *
 * <p>Corresponds to {@code Controller} in {@code pkg/controller/endpointslice}. Unlike there, a pod
 * counts whose node does not exist, and no hints of topology are given.
 */
public final class EndpointSliceController extends ServiceController {

  private static final String SERVICE_NAME = "kubernetes.io/service-name";
  private static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
  private static final String MANAGER = "endpointslice-controller.k8s.io";
  private static final String HEADLESS = "service.kubernetes.io/headless";
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final int MAX_ENDPOINTS = 100;

  private EndpointSliceController(Function<Reconciler, ControllerBuilder> controllers) {
    super(
        controllers,
        builder -> builder.watches(EndpointSlice.TYPE, EndpointSliceController::serviceOf));
  }

  /** Returns the controller. */
  public static Controller create(Function<Reconciler, ControllerBuilder> controllers) {
    return new EndpointSliceController(controllers).controller();
  }

  private static Collection<Request> serviceOf(EndpointSlice slice) {
    String service = slice.metadata().labels().get(SERVICE_NAME);
    return service == null || !MANAGER.equals(slice.metadata().labels().get(MANAGED_BY))
        ? List.of()
        : List.of(new Request(String.valueOf(slice.metadata().namespace()), service));
  }

  @Override
  void sync(Service service, List<Pod> pods, Context context) throws InterruptedException {
    String namespace = String.valueOf(service.metadata().namespace());
    String name = String.valueOf(service.metadata().name());
    CachedResource<EndpointSlice> slices =
        context.client().resource(EndpointSlice.TYPE).inNamespace(namespace);
    List<EndpointSlice> superfluous =
        new ArrayList<>(slices.list(Selector.of(Map.of(SERVICE_NAME, name, MANAGED_BY, MANAGER))));
    for (AddressType family : families(service)) {
      for (Wanted wanted : wanted(service, pods, family, context)) {
        Optional<EndpointSlice> present =
            superfluous.stream().filter(slice -> fits(slice, service, wanted)).findFirst();
        if (present.isEmpty()) {
          slices.create(create(service, wanted));
        } else {
          superfluous.remove(present.get());
          update(present.get(), service, wanted, slices);
        }
      }
    }
    for (EndpointSlice slice : superfluous) {
      slices.deleteIfExists(String.valueOf(slice.metadata().name()));
    }
  }

  /* --------------- The wanted slices --------------- */

  private record Wanted(AddressType family, List<EndpointPort> ports, List<Endpoint> endpoints) {}

  /** Without families, as on a server that sets no defaults, a service has IPv4 addresses. */
  private static Set<AddressType> families(Service service) {
    Set<AddressType> families = new LinkedHashSet<>();
    for (IPFamily family : service.spec().ipFamilies()) {
      families.add(AddressType.of(family.toString()));
    }
    return families.isEmpty() ? Set.of(AddressType.I_PV4) : families;
  }

  private static List<Wanted> wanted(
      Service service, List<Pod> pods, AddressType family, Context context)
      throws InterruptedException {
    Map<List<EndpointPort>, List<Endpoint>> byPorts = new LinkedHashMap<>();
    for (Pod pod : pods) {
      List<String> addresses =
          ServicePods.addresses(pod).stream()
              .filter(address -> ServicePods.isIpv6(address) == family.equals(AddressType.I_PV6))
              .toList();
      if (ServicePods.isRunning(pod) && !addresses.isEmpty()) {
        byPorts
            .computeIfAbsent(ports(service, pod), ports -> new ArrayList<>())
            .add(endpoint(pod, service, addresses, context));
      }
    }
    if (byPorts.isEmpty()) {
      return List.of(new Wanted(family, List.of(), List.of()));
    }
    List<Wanted> slices = new ArrayList<>();
    byPorts.forEach(
        (ports, endpoints) -> {
          for (int i = 0; i < endpoints.size(); i += MAX_ENDPOINTS) {
            int end = Math.min(i + MAX_ENDPOINTS, endpoints.size());
            slices.add(new Wanted(family, ports, List.copyOf(endpoints.subList(i, end))));
          }
        });
    return slices;
  }

  private static List<EndpointPort> ports(Service service, Pod pod) {
    return ServicePods.ports(service, pod).stream()
        .map(
            port ->
                EndpointPort.of(
                    p ->
                        p.name(port.name())
                            .port(port.number())
                            .protocol(port.protocol())
                            .appProtocol(port.appProtocol())))
        .toList();
  }

  private static Endpoint endpoint(
      Pod pod, Service service, List<String> addresses, Context context)
      throws InterruptedException {
    boolean serving = ServicePods.isReady(pod);
    boolean terminating = pod.metadata().isBeingDeleted();
    boolean ready =
        Boolean.TRUE.equals(service.spec().publishNotReadyAddresses()) || (serving && !terminating);
    String node = pod.spec().nodeName();
    String zone = zone(node, context);
    return Endpoint.of(
        e ->
            e.addresses(addresses)
                .editConditions(c -> c.ready(ready).serving(serving).terminating(terminating))
                .hostname(ServicePods.hostname(pod, service))
                .targetRef(ServicePods.reference(pod))
                .nodeName(node)
                .zone(zone));
  }

  private static @Nullable String zone(@Nullable String node, Context context)
      throws InterruptedException {
    return node == null || node.isEmpty()
        ? null
        : context
            .client()
            .resource(Node.TYPE)
            .find(node)
            .map(found -> found.metadata().labels().get(ZONE))
            .orElse(null);
  }

  /* --------------- The present slices --------------- */

  private static boolean fits(EndpointSlice slice, Service service, Wanted wanted) {
    return wanted.family().equals(slice.addressType())
        && wanted.ports().equals(slice.ports())
        && OwnerReferences.isControlledBy(slice, service);
  }

  private static Map<String, String> labels(Service service) {
    Map<String, String> labels = new TreeMap<>(service.metadata().labels());
    labels.remove(HEADLESS);
    if (ServicePods.isHeadless(service)) {
      labels.put(HEADLESS, "");
    }
    labels.put(SERVICE_NAME, String.valueOf(service.metadata().name()));
    labels.put(MANAGED_BY, MANAGER);
    return labels;
  }

  private static EndpointSlice create(Service service, Wanted wanted) {
    ObjectMeta metadata =
        ObjectMeta.builder()
            .namespace(service.metadata().namespace())
            .generateName(service.metadata().name() + "-")
            .labels(labels(service))
            .build();
    return OwnerReferences.setController(
        EndpointSlice.of(
            s ->
                s.metadata(metadata)
                    .addressType(wanted.family())
                    .ports(wanted.ports())
                    .endpoints(wanted.endpoints())),
        service);
  }

  private static void update(
      EndpointSlice slice, Service service, Wanted wanted, CachedResource<EndpointSlice> slices)
      throws InterruptedException {
    Map<String, String> labels = labels(service);
    boolean same =
        requireNonNullElse(slice.endpoints(), List.of()).equals(wanted.endpoints())
            && slice.metadata().labels().equals(labels);
    if (!same) {
      slices.edit(
          slice,
          old ->
              old.with(s -> s.endpoints(wanted.endpoints()).editMetadata(m -> m.labels(labels))));
    }
  }
}
