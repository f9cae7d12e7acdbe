package dev.clientgo.envtest.controllers.internal.services;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.MapFunction;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.kubernetes.core.v1.EndpointAddress;
import dev.clientgo.kubernetes.core.v1.EndpointPort;
import dev.clientgo.kubernetes.core.v1.EndpointSubset;
import dev.clientgo.kubernetes.core.v1.Endpoints;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.Service;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Keeps the Endpoints of each service: the addresses of its pods, those that are ready and those
 * that are not. The kind is deprecated in favour of EndpointSlices, but still kept.
 *
 * <p>Corresponds to {@code Controller} in {@code pkg/controller/endpoint}.
 */
public final class EndpointsController extends ServiceController {

  private static final String HEADLESS = "service.kubernetes.io/headless";
  private static final String MANAGED_BY = "endpoints.kubernetes.io/managed-by";
  private static final String MANAGER = "endpoint-controller";

  private EndpointsController(Function<Reconciler, ControllerBuilder> controllers) {
    super(controllers, builder -> builder.watches(Endpoints.TYPE, new Deleted()));
  }

  /** Returns the controller. */
  public static Controller create(Function<Reconciler, ControllerBuilder> controllers) {
    return new EndpointsController(controllers).controller();
  }

  /** Endpoints that are there may be a user's own, so only their deletion counts. */
  private static final class Deleted implements MapFunction<Endpoints> {

    @Override
    public Collection<Request> map(Endpoints object) {
      return List.of();
    }

    @Override
    public Collection<Request> mapDeleted(DeletedObject<Endpoints> deleted) {
      return List.of(Request.of(deleted.objectName()));
    }
  }

  @Override
  void gone(Request request, Context context) throws InterruptedException {
    if (context.client().resource(Endpoints.TYPE).find(request).isPresent()) {
      context
          .client()
          .resource(Endpoints.TYPE)
          .inNamespace(request.namespace())
          .deleteIfExists(request.name());
    }
  }

  @Override
  void sync(Service service, List<Pod> pods, Context context) throws InterruptedException {
    List<EndpointSubset> subsets = subsets(service, pods);
    Map<String, String> labels = new TreeMap<>(service.metadata().labels());
    labels.remove(HEADLESS);
    if (ServicePods.isHeadless(service)) {
      labels.put(HEADLESS, "");
    }
    labels.put(MANAGED_BY, MANAGER);
    try {
      context
          .client()
          .resource(Endpoints.TYPE)
          .createOrUpdate(
              Endpoints.of(
                  String.valueOf(service.metadata().namespace()),
                  String.valueOf(service.metadata().name()),
                  e -> {}),
              endpoints ->
                  endpoints.subsets().equals(subsets)
                          && endpoints.metadata().labels().equals(labels)
                      ? endpoints
                      : endpoints.with(
                          e ->
                              e.subsets(subsets.isEmpty() ? null : subsets)
                                  .editMetadata(m -> m.labels(labels))));
    } catch (ApiStatusException e) {
      if (!e.isForbidden()) { // The namespace is being deleted.
        throw e;
      }
    }
  }

  private static List<EndpointSubset> subsets(Service service, List<Pod> pods) {
    boolean all = Boolean.TRUE.equals(service.spec().publishNotReadyAddresses());
    Map<List<EndpointPort>, EndpointSubset.Builder> byPorts = new LinkedHashMap<>();
    for (Pod pod : pods) {
      List<EndpointPort> ports = ports(service, pod);
      boolean reachable = !ports.isEmpty() || ServicePods.isHeadless(service);
      if (ServicePods.isRunning(pod) && (all || !pod.metadata().isBeingDeleted()) && reachable) {
        EndpointSubset.Builder subset =
            byPorts.computeIfAbsent(
                ports, key -> EndpointSubset.builder().ports(key.isEmpty() ? null : key));
        EndpointAddress address = address(pod, service);
        if (all || ServicePods.isReady(pod)) {
          subset.editAddresses(list -> list.add(address));
        } else {
          subset.editNotReadyAddresses(list -> list.add(address));
        }
      }
    }
    List<EndpointSubset> subsets = new ArrayList<>();
    byPorts.values().forEach(subset -> subsets.add(subset.build()));
    return subsets;
  }

  private static List<EndpointPort> ports(Service service, Pod pod) {
    return ServicePods.ports(service, pod).stream()
        .map(
            port ->
                EndpointPort.of(
                    p ->
                        p.name(port.name().isEmpty() ? null : port.name())
                            .port(port.number())
                            .protocol(port.protocol())
                            .appProtocol(port.appProtocol())))
        .toList();
  }

  private static EndpointAddress address(Pod pod, Service service) {
    return EndpointAddress.of(
        a ->
            a.ip(ServicePods.addresses(pod).get(0))
                .hostname(ServicePods.hostname(pod, service))
                .nodeName(pod.spec().nodeName())
                .targetRef(ServicePods.reference(pod)));
  }
}
