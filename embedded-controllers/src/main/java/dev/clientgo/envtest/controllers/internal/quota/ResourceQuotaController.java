package dev.clientgo.envtest.controllers.internal.quota;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.PersistentVolumeClaim;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.ResourceQuota;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.core.v1.ServiceType;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.discovery.APIResource;
import dev.clientgo.rest.discovery.DiscoveryClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Writes into the status of each ResourceQuota how much of it is used: by objects of any kind, by
 * pods, and by what pods request.
 *
 * <p>It watches pods, and the kinds that quotas count. Corresponds to {@code Controller} in {@code
 * pkg/controller/resourcequota}.
 */
public final class ResourceQuotaController implements Reconciler {

  /** Prefix of the number of objects of any kind: {@code count/deployments.apps}. */
  private static final String COUNT = "count/";

  /** The kinds that have names of their own for their number. */
  private static final Set<String> COUNTED =
      Set.of(
          "configmaps",
          "persistentvolumeclaims",
          "replicationcontrollers",
          "resourcequotas",
          "secrets",
          "services");

  private static final Duration UNTIL_SERVED = Duration.ofSeconds(1);

  private final DiscoveryClient discovery;
  private final Clock clock;
  private final Controller controller;

  /* The one worker alone uses the following. */

  private final Set<List<Object>> watched = new HashSet<>();
  private final Map<String, ResourceType<PartialObjectMetadata>> types = new TreeMap<>();

  private ResourceQuotaController(
      Function<Reconciler, ControllerBuilder> controllers, RESTClient client, Clock clock) {
    this.discovery = DiscoveryClient.of(client);
    this.clock = clock;
    this.controller =
        controllers
            .apply(this)
            .forKind(ResourceQuota.TYPE)
            .watches(Pod.TYPE, ResourceQuotaController::quotasOf)
            .workers(1)
            .build();
  }

  /** Returns the controller. */
  public static Controller create(
      Function<Reconciler, ControllerBuilder> controllers, RESTClient client, Clock clock) {
    return new ResourceQuotaController(controllers, client, clock).controller;
  }

  /** An object concerns all quotas of its namespace: a request without a name. */
  private static Collection<Request> quotasOf(KubernetesObject object) {
    String namespace = object.metadata().namespace();
    return namespace == null ? List.of() : List.of(new Request(namespace, ""));
  }

  @Override
  public Result reconcile(Request request, Context context) throws InterruptedException {
    CachedResource<ResourceQuota> quotas =
        context.client().resource(ResourceQuota.TYPE).inNamespace(request.namespace());
    if (request.name().isEmpty()) {
      quotas.list().forEach(quota -> controller.enqueue(Request.of(quota)));
      return Result.done();
    }
    Optional<ResourceQuota> found = quotas.find(request.name());
    if (found.isEmpty() || found.get().metadata().isBeingDeleted()) {
      return Result.done();
    }
    Map<String, Quantity> hard = found.get().spec().hard();
    Map<String, Quantity> used = used(found.get(), request.namespace(), context);
    quotas.editStatus(
        found.get(), quota -> quota.with(q -> q.editStatus(s -> s.hard(hard).used(used))));
    return used.keySet().containsAll(hard.keySet())
        ? Result.done()
        : Result.requeueAfter(UNTIL_SERVED);
  }

  /** Returns the use of the resources that a quota limits; those of unknown kinds are missing. */
  private Map<String, Quantity> used(ResourceQuota quota, String namespace, Context context)
      throws InterruptedException {
    Map<String, Quantity> used = new TreeMap<>();
    Map<String, Quantity> byPods = usedByPods(quota, namespace, context);
    for (String resource : quota.spec().hard().keySet()) {
      if (PodUsage.isOfPods(resource)) {
        used.put(resource, byPods.getOrDefault(resource, Quantity.ZERO));
      } else {
        Optional<Quantity> amount = usedByOthers(resource, namespace, context);
        amount.ifPresent(quantity -> used.put(resource, quantity));
      }
    }
    return used;
  }

  private Map<String, Quantity> usedByPods(ResourceQuota quota, String namespace, Context context)
      throws InterruptedException {
    Instant now = clock.now();
    Map<String, Quantity> used = new TreeMap<>();
    for (Pod pod : context.client().resource(Pod.TYPE).inNamespace(namespace).list()) {
      if (PodUsage.isInScope(pod, quota.spec())) {
        PodUsage.of(pod, now)
            .forEach((resource, amount) -> used.merge(resource, amount, Quantity::plus));
      }
    }
    return used;
  }

  private Optional<Quantity> usedByOthers(String resource, String namespace, Context context)
      throws InterruptedException {
    switch (resource) {
      case "services.nodeports" -> {
        long ports = 0;
        for (Service service : objects(Service.TYPE, namespace, context)) {
          if (isOf(service, ServiceType.NODE_PORT) || isOf(service, ServiceType.LOAD_BALANCER)) {
            ports += service.spec().ports().size();
          }
        }
        return Optional.of(Quantity.of(ports));
      }
      case "services.loadbalancers" -> {
        return Optional.of(
            Quantity.of(
                objects(Service.TYPE, namespace, context).stream()
                    .filter(service -> isOf(service, ServiceType.LOAD_BALANCER))
                    .count()));
      }
      case "requests.storage" -> {
        return Optional.of(
            objects(PersistentVolumeClaim.TYPE, namespace, context).stream()
                .map(claim -> claim.spec().resources().requests().get("storage"))
                .filter(amount -> amount != null)
                .reduce(Quantity.ZERO, Quantity::plus));
      }
      default -> {
        if (!resource.startsWith(COUNT) && !COUNTED.contains(resource)) {
          return Optional.empty();
        }
        String counted = resource.startsWith(COUNT) ? resource.substring(COUNT.length()) : resource;
        Optional<ResourceType<PartialObjectMetadata>> type = type(counted);
        return type.isEmpty()
            ? Optional.empty()
            : Optional.of(Quantity.of(objects(type.get(), namespace, context).size()));
      }
    }
  }

  private static boolean isOf(Service service, ServiceType type) {
    return type.equals(service.spec().type());
  }

  /* --------------- Kinds --------------- */

  /** Returns the objects of a kind, which is watched from now on. */
  private <T extends KubernetesObject> List<T> objects(
      ResourceType<T> type, String namespace, Context context) throws InterruptedException {
    if (watched.add(List.of(type.resource(), type.codec()))) {
      controller.watch(type, ResourceQuotaController::quotasOf);
    }
    return context.client().resource(type).inNamespace(namespace).list();
  }

  /** Returns the type of a resource such as {@code deployments.apps}; empty if it is not served. */
  private Optional<ResourceType<PartialObjectMetadata>> type(String resource)
      throws InterruptedException {
    if (!types.containsKey(resource)) {
      discovery
          .serverGroupsAndResources()
          .preferredNamespaced()
          .forEach((version, all) -> all.forEach(each -> add(version, each)));
    }
    return Optional.ofNullable(types.get(resource));
  }

  private void add(GroupVersion version, APIResource resource) {
    if (!resource.isSubresource()) {
      GroupVersionResource name = version.withResource(resource.name());
      types.put(
          name.groupResource().toString(),
          ResourceType.metadata(resource.groupVersionKind(version), resource.name(), true));
    }
  }
}
