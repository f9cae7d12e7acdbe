package dev.clientgo.envtest.controllers.internal.garbage;

import dev.clientgo.apimachinery.meta.Finalizers;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.DeletionPropagation;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.MapFunction;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.apiextensions.v1.CustomResourceDefinition;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Deletes objects whose owners are gone, and acts on the finalizers by which a deletion says how to
 * treat dependents.
 *
 * <ul>
 *   <li><b>Background</b>: an object none of whose owners exists is deleted.
 *   <li><b>Foreground</b> ({@code foregroundDeletion}): first the dependents are deleted. The owner
 *       goes when none is left that has {@code blockOwnerDeletion}.
 *   <li><b>Orphan</b> ({@code orphan}): the owner is removed from its dependents, which stay.
 * </ul>
 *
 * <p>It watches the metadata of all kinds, custom ones too. A request names an object of any kind:
 * {@code shop/deployments.apps/web}. The index {@link OwnerIndex} of each cache finds the objects
 * that depend on another.
 *
 * <p>Corresponds to {@code GarbageCollector} in {@code pkg/controller/garbagecollector}, which
 * keeps a graph of all objects instead.
 */
public final class GarbageCollector implements Reconciler {

  private static final Logger LOG = System.getLogger(GarbageCollector.class.getName());

  private static final String DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";
  private static final Duration UNTIL_SERVED = Duration.ofMillis(50);
  private static final int WORKERS = 4;

  private final ResourceMonitors monitors;
  private final Controller controller;

  /** The requests for objects with an owner whose kind is unknown, until there are other kinds. */
  private final Set<Request> unresolved = ConcurrentHashMap.newKeySet();

  private GarbageCollector(Function<Reconciler, ControllerBuilder> controllers, RESTClient client)
      throws InterruptedException {
    monitors = ResourceMonitors.discover(client);
    ControllerBuilder builder = controllers.apply(this).workers(WORKERS);
    monitors.all().forEach(type -> builder.watches(type, requests(type)));
    controller = builder.build();
  }

  /** Returns the controller, which watches the kinds that the server has now. */
  public static Controller create(
      Function<Reconciler, ControllerBuilder> controllers, RESTClient client)
      throws InterruptedException {
    return new GarbageCollector(controllers, client).controller;
  }

  /** A change of an object concerns that object and its owners, which may wait until it is gone. */
  private MapFunction<PartialObjectMetadata> requests(ResourceType<PartialObjectMetadata> type) {
    return new MapFunction<>() {
      @Override
      public Collection<Request> map(PartialObjectMetadata object) {
        DependencyNode node = new DependencyNode(type, object);
        List<Request> requests = new ArrayList<>();
        requests.add(node.request());
        for (OwnerReference owner : node.owners()) {
          monitors
              .ofOwner(owner)
              .filter(ownerType -> isPossible(ownerType, node))
              .map(ownerType -> ownerRequest(owner, ownerType, node))
              .ifPresent(requests::add);
        }
        return requests;
      }

      @Override
      public Collection<Request> mapDeleted(DeletedObject<PartialObjectMetadata> deleted) {
        PartialObjectMetadata last = deleted.lastKnown();
        String namespace = deleted.objectName().namespace();
        return last == null
            ? List.of(DependencyNode.request(type, namespace, deleted.objectName().name()))
            : map(last);
      }
    };
  }

  @Override
  public Result reconcile(Request request, Context context) throws InterruptedException {
    int slash = request.name().indexOf('/');
    String name = request.name().substring(slash + 1);
    Optional<ResourceType<PartialObjectMetadata>> type =
        monitors.byResource(request.name().substring(0, slash));
    if (type.isEmpty()) {
      return Result.done(); // A kind that is gone.
    }
    Optional<DependencyNode> node =
        objects(context, type.get())
            .find(new Request(request.namespace(), name))
            .map(object -> new DependencyNode(type.get(), object));
    collectDependentsOfPredecessors(context, type.get(), request.namespace(), name, node);
    if (type.get().toString().equals(DEFINITIONS)) {
      syncMonitors(context);
      if (isUnserved(name, context)) {
        return Result.requeueAfter(UNTIL_SERVED);
      }
    }
    if (node.isEmpty()) {
      return Result.done();
    }
    if (node.get().isOrphaningDependents()) {
      orphanDependents(node.get(), context);
    } else if (node.get().isDeletingDependents()) {
      deleteDependents(node.get(), context);
    } else if (!node.get().isBeingDeleted() && !node.get().owners().isEmpty()) {
      collect(node.get(), context);
    }
    return Result.done();
  }

  /* --------------- Kinds --------------- */

  /** Follows the kinds that there are now, and looks again at objects that this concerns. */
  private boolean syncMonitors(Context context) throws InterruptedException {
    if (!monitors.sync(controller, this::requests)) {
      return false;
    }
    List<Request> again = List.copyOf(unresolved);
    unresolved.removeAll(again);
    again.forEach(controller::enqueue);
    for (ResourceType<PartialObjectMetadata> type : monitors.all()) {
      for (PartialObjectMetadata object : objects(context, type).list()) {
        if (object.metadata().ownerReferences().stream().anyMatch(monitors::hasVanished)) {
          controller.enqueue(new DependencyNode(type, object).request());
        }
      }
    }
    return true;
  }

  /** Returns whether a definition is established whose kind the server does not tell yet. */
  private boolean isUnserved(String definition, Context context) throws InterruptedException {
    return monitors.byResource(definition).isEmpty()
        && context
            .client()
            .uncached()
            .resource(CustomResourceDefinition.TYPE)
            .find(definition)
            .filter(found -> !found.metadata().isBeingDeleted() && isEstablished(found))
            .isPresent();
  }

  private static boolean isEstablished(CustomResourceDefinition definition) {
    return definition.status().conditions().stream()
        .anyMatch(c -> "Established".equals(c.type()) && "True".equals(c.status()));
  }

  /* --------------- Dependents --------------- */

  /** An object of that name may have replaced an earlier one, which may have had dependents. */
  private void collectDependentsOfPredecessors(
      Context context,
      ResourceType<PartialObjectMetadata> type,
      String namespace,
      String name,
      Optional<DependencyNode> present)
      throws InterruptedException {
    String uid = present.map(DependencyNode::uid).orElse("");
    for (DependencyNode dependent : cachedDependents(context, type, namespace, name)) {
      if (!dependent.isOwnedBy(uid)) {
        controller.enqueue(dependent.request());
      }
    }
  }

  /** Returns the objects that refer to an owner of that name, whatever its uid. */
  private List<DependencyNode> cachedDependents(
      Context context, ResourceType<PartialObjectMetadata> owner, String namespace, String name)
      throws InterruptedException {
    String value = OwnerIndex.value(owner.kind().groupKind(), name);
    List<DependencyNode> dependents = new ArrayList<>();
    for (ResourceType<PartialObjectMetadata> type : monitors.all()) {
      if (type.isNamespaced() || !owner.isNamespaced()) {
        objects(context, type).byIndex(OwnerIndex.NAME, value).stream()
            .map(object -> new DependencyNode(type, object))
            .filter(node -> !owner.isNamespaced() || node.namespace().equals(namespace))
            .forEach(dependents::add);
      }
    }
    return dependents;
  }

  /**
   * Returns the dependents that the server has. The watches of other kinds may lag behind that of
   * the owner: without asking, a dependent that was created just before would keep its owner
   * reference.
   */
  private List<DependencyNode> liveDependents(Context context, DependencyNode owner)
      throws InterruptedException {
    List<DependencyNode> dependents = new ArrayList<>();
    for (ResourceType<PartialObjectMetadata> type : monitors.all()) {
      if (type.isNamespaced() || !owner.type().isNamespaced()) {
        server(context, type, owner.namespace()).list().items().stream()
            .map(object -> new DependencyNode(type, object))
            .filter(node -> node.isOwnedBy(owner.uid()))
            .forEach(dependents::add);
      }
    }
    return dependents;
  }

  private void orphanDependents(DependencyNode owner, Context context) throws InterruptedException {
    for (DependencyNode dependent : liveDependents(context, owner)) {
      edit(dependent, context, object -> withoutOwners(object, Set.of(owner.uid())));
    }
    edit(owner, context, object -> Finalizers.remove(object, DependencyNode.ORPHAN));
  }

  private void deleteDependents(DependencyNode owner, Context context) throws InterruptedException {
    boolean waits = false;
    for (DependencyNode dependent :
        cachedDependents(context, owner.type(), owner.namespace(), owner.name())) {
      waits |= dependent.blocks(owner.uid());
      if (!dependent.isBeingDeleted()) {
        controller.enqueue(dependent.request());
      }
    }
    if (!waits
        && liveDependents(context, owner).stream().noneMatch(node -> node.blocks(owner.uid()))) {
      edit(owner, context, object -> Finalizers.remove(object, DependencyNode.FOREGROUND));
    }
  }

  /* --------------- Owners --------------- */

  /** The state of an owner, as far as its dependents are concerned. */
  private enum OwnerState {
    SOLID,
    ABSENT,
    WAITING_FOR_DEPENDENTS,
    UNKNOWN
  }

  /** Deletes an object that no owner keeps, or removes the owners that are gone from it. */
  private void collect(DependencyNode cached, Context context) throws InterruptedException {
    if (!isQuestionable(cached, context)) {
      return;
    }
    Optional<DependencyNode> latest = live(cached, context);
    if (latest.isEmpty() || latest.get().isBeingDeleted() || latest.get().owners().isEmpty()) {
      return;
    }
    DependencyNode node = latest.get();
    Set<String> lost = new HashSet<>();
    Set<OwnerState> states = EnumSet.noneOf(OwnerState.class);
    for (OwnerReference owner : node.owners()) {
      OwnerState state = stateOf(owner, node, context);
      states.add(state);
      if (state != OwnerState.SOLID) {
        lost.add(String.valueOf(owner.uid()));
      }
    }
    if (states.contains(OwnerState.UNKNOWN)) {
      return;
    }
    if (!states.contains(OwnerState.SOLID)) {
      delete(node, states.contains(OwnerState.WAITING_FOR_DEPENDENTS), context);
    } else if (!lost.isEmpty()) {
      edit(node, context, object -> withoutOwners(object, lost));
    }
  }

  /** Returns whether an owner is not in the cache, or waits for its dependents. */
  private boolean isQuestionable(DependencyNode node, Context context) throws InterruptedException {
    for (OwnerReference owner : node.owners()) {
      Optional<DependencyNode> found = cachedOwner(owner, node, context);
      if (found.isEmpty() || found.get().isDeletingDependents()) {
        return true;
      }
    }
    return false;
  }

  private Optional<DependencyNode> cachedOwner(
      OwnerReference owner, DependencyNode node, Context context) throws InterruptedException {
    Optional<ResourceType<PartialObjectMetadata>> type = monitors.ofOwner(owner);
    return type.isEmpty() || !isPossible(type.get(), node)
        ? Optional.empty()
        : objects(context, type.get())
            .find(new Request(namespaceOf(type.get(), node), String.valueOf(owner.name())))
            .map(object -> new DependencyNode(type.get(), object))
            .filter(found -> found.uid().equals(owner.uid()));
  }

  private OwnerState stateOf(OwnerReference owner, DependencyNode node, Context context)
      throws InterruptedException {
    Optional<ResourceType<PartialObjectMetadata>> type = monitors.ofOwner(owner);
    if (type.isEmpty()) {
      return monitors.hasVanished(owner) ? OwnerState.ABSENT : unknownKind(owner, node, context);
    }
    if (!isPossible(type.get(), node)) {
      LOG.log(
          Level.WARNING,
          "A cluster-scoped object cannot have an owner in a namespace: object={0} owner={1}",
          node.request(),
          owner);
      return OwnerState.UNKNOWN;
    }
    Optional<DependencyNode> found = cachedOwner(owner, node, context);
    if (found.isEmpty()) {
      found = liveOwner(owner, type.get(), node, context);
    }
    if (found.isEmpty()) {
      return OwnerState.ABSENT;
    }
    return found.get().isDeletingDependents()
        ? OwnerState.WAITING_FOR_DEPENDENTS
        : OwnerState.SOLID;
  }

  private OwnerState unknownKind(OwnerReference owner, DependencyNode node, Context context)
      throws InterruptedException {
    if (unresolved.add(node.request()) && !syncMonitors(context)) {
      LOG.log(
          Level.WARNING,
          "The server does not serve the kind of an owner, so its dependent stays: object={0}"
              + " owner={1}",
          node.request(),
          owner);
    }
    return OwnerState.UNKNOWN;
  }

  private static Optional<DependencyNode> liveOwner(
      OwnerReference owner,
      ResourceType<PartialObjectMetadata> type,
      DependencyNode node,
      Context context)
      throws InterruptedException {
    return server(context, type, namespaceOf(type, node))
        .find(String.valueOf(owner.name()))
        .map(object -> new DependencyNode(type, object))
        .filter(found -> found.uid().equals(owner.uid()));
  }

  /** A cluster-scoped object cannot have an owner in a namespace. */
  private static boolean isPossible(ResourceType<?> owner, DependencyNode dependent) {
    return dependent.type().isNamespaced() || !owner.isNamespaced();
  }

  private static Request ownerRequest(
      OwnerReference owner, ResourceType<?> type, DependencyNode dependent) {
    return DependencyNode.request(type, namespaceOf(type, dependent), String.valueOf(owner.name()));
  }

  /** Returns the namespace of an owner, which is that of its dependent. */
  private static String namespaceOf(ResourceType<?> owner, DependencyNode dependent) {
    return owner.isNamespaced() ? dependent.namespace() : "";
  }

  /* --------------- Requests to the server --------------- */

  private static CachedResource<PartialObjectMetadata> objects(
      Context context, ResourceType<PartialObjectMetadata> type) {
    return context.client().resource(type);
  }

  private static ResourceClient<PartialObjectMetadata> server(
      Context context, ResourceType<PartialObjectMetadata> type, String namespace) {
    ResourceClient<PartialObjectMetadata> all = context.client().uncached().resource(type);
    return namespace.isEmpty() ? all : all.inNamespace(namespace);
  }

  private static Optional<DependencyNode> live(DependencyNode node, Context context)
      throws InterruptedException {
    return server(context, node.type(), node.namespace())
        .find(node.name())
        .map(object -> new DependencyNode(node.type(), object))
        .filter(found -> found.uid().equals(node.uid()));
  }

  private void delete(DependencyNode node, boolean ownerWaits, Context context)
      throws InterruptedException {
    DeletionPropagation policy = DeletionPropagation.BACKGROUND;
    List<DependencyNode> dependents = new ArrayList<>();
    if (ownerWaits) {
      dependents.addAll(
          cachedDependents(context, node.type(), node.namespace(), node.name()).stream()
              .filter(dependent -> dependent.isOwnedBy(node.uid()))
              .toList());
    }
    if (!dependents.isEmpty()) {
      policy = DeletionPropagation.FOREGROUND;
      if (dependents.stream().anyMatch(DependencyNode::isDeletingDependents)) {
        edit(node, context, GarbageCollector::unblocked); // Two may wait for each other.
      }
    } else if (Finalizers.contains(node.object(), DependencyNode.ORPHAN)) {
      policy = DeletionPropagation.ORPHAN;
    } else if (Finalizers.contains(node.object(), DependencyNode.FOREGROUND)) {
      policy = DeletionPropagation.FOREGROUND;
    }
    try {
      server(context, node.type(), node.namespace())
          .delete(
              node.name(),
              DeleteOptions.builder()
                  .preconditions(
                      new Preconditions(node.uid(), node.object().metadata().resourceVersion()))
                  .propagationPolicy(policy)
                  .build());
    } catch (ApiStatusException e) {
      ignoreNotFound(e);
    }
  }

  private static void edit(
      DependencyNode node, Context context, UnaryOperator<PartialObjectMetadata> change)
      throws InterruptedException {
    try {
      objects(context, node.type()).edit(node.object(), change);
    } catch (ApiStatusException e) {
      ignoreNotFound(e);
    }
  }

  private static void ignoreNotFound(ApiStatusException e) {
    if (!e.isNotFound()) {
      throw e;
    }
  }

  private static PartialObjectMetadata withoutOwners(
      PartialObjectMetadata object, Set<String> uids) {
    return editOwners(
        object, owners -> owners.removeIf(o -> uids.contains(String.valueOf(o.uid()))));
  }

  private static PartialObjectMetadata unblocked(PartialObjectMetadata object) {
    return editOwners(
        object, owners -> owners.replaceAll(owner -> owner.with(o -> o.blockOwnerDeletion(false))));
  }

  private static PartialObjectMetadata editOwners(
      PartialObjectMetadata object, Consumer<List<OwnerReference>> change) {
    return KubernetesObject.edit(
        object, metadata -> metadata.with(m -> m.editOwnerReferences(change)));
  }
}
