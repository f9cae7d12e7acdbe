package dev.clientgo.envtest.controllers.internal.namespaces;

import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.MapFunction;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Ends a namespace that is being deleted: deletes all that is in it, reports in conditions what
 * remains, and removes the finalizer {@code kubernetes} from its spec when nothing does.
 *
 * <p>Corresponds to {@code NamespaceController} in {@code pkg/controller/namespace}. Unlike there,
 * not only the time wakes it: it watches the kinds of which something is left, and so looks again
 * when the last object is gone.
 */
public final class NamespaceController implements Reconciler {

  private static final String FINALIZER = "kubernetes";

  private final NamespaceContent content;
  private final Clock clock;
  private final Controller controller;

  /* The one worker alone uses the following. */

  /** The types of which something is left in some namespace; the controller watches them. */
  private final Map<GroupVersionResource, ResourceType<PartialObjectMetadata>> watched =
      new HashMap<>();

  /** The resources of which something is left, by namespace. */
  private final Map<String, Set<GroupVersionResource>> left = new HashMap<>();

  private NamespaceController(
      Function<Reconciler, ControllerBuilder> controllers, RESTClient client, Clock clock) {
    this.content = new NamespaceContent(client);
    this.clock = clock;
    this.controller = controllers.apply(this).forKind(Namespace.TYPE).workers(1).build();
  }

  /** Returns the controller. */
  public static Controller create(
      Function<Reconciler, ControllerBuilder> controllers, RESTClient client, Clock clock) {
    return new NamespaceController(controllers, client, clock).controller;
  }

  @Override
  public Result reconcile(Request request, Context context) throws InterruptedException {
    CachedResource<Namespace> namespaces = context.client().resource(Namespace.TYPE);
    Optional<Namespace> found = namespaces.find(request);
    if (found.isEmpty()
        || !found.get().metadata().isBeingDeleted()
        || !found.get().spec().finalizers().contains(FINALIZER)) {
      watch(request.name(), List.of(), context);
      return Result.done();
    }
    NamespaceContent.Remains remains = content.delete(request.name());
    if (watch(request.name(), remains.types(), context)) {
      remains = content.delete(request.name()); // No watch has told the end of these until now.
    }
    NamespaceConditions conditions = new NamespaceConditions(remains, clock.now());
    Namespace told = namespaces.editStatus(found.get(), conditions::setIn);
    if (!remains.isEmpty()) {
      Duration estimate = remains.estimate();
      return Result.requeueAfter(estimate.dividedBy(2).plusSeconds(1));
    }
    finish(told, context);
    return Result.done();
  }

  private static void finish(Namespace namespace, Context context) throws InterruptedException {
    context
        .client()
        .uncached()
        .resource(Namespace.TYPE)
        .subresource("finalize")
        .update(
            String.valueOf(namespace.metadata().name()),
            namespace.with(
                n -> n.editSpec(s -> s.editFinalizers(all -> all.removeIf(FINALIZER::equals)))));
  }

  /* --------------- Watches of the remaining objects --------------- */

  /**
   * Watches the types of which something is left in a namespace, and no longer those of which
   * nothing is left in any.
   *
   * @return whether a type was not watched before; its cache is filled then
   */
  private boolean watch(
      String namespace, List<ResourceType<PartialObjectMetadata>> types, Context context)
      throws InterruptedException {
    left.remove(namespace);
    Set<GroupVersionResource> resources = new HashSet<>();
    boolean added = false;
    for (ResourceType<PartialObjectMetadata> type : types) {
      resources.add(type.resource());
      if (watched.putIfAbsent(type.resource(), type) == null) {
        controller.watch(type, new BeingDeleted());
        context.client().resource(type).view();
        added = true;
      }
    }
    if (!resources.isEmpty()) {
      left.put(namespace, resources);
    }
    Set<GroupVersionResource> needed = new HashSet<>();
    left.values().forEach(needed::addAll);
    for (ResourceType<PartialObjectMetadata> type : List.copyOf(watched.values())) {
      if (!needed.contains(type.resource())) {
        watched.remove(type.resource());
        controller.unwatch(type);
      }
    }
    return added;
  }

  /** Maps an object that is being deleted, or gone, to its namespace. */
  private static final class BeingDeleted implements MapFunction<PartialObjectMetadata> {

    @Override
    public Collection<Request> map(PartialObjectMetadata object) {
      String namespace = object.metadata().namespace();
      return object.metadata().isBeingDeleted() && namespace != null
          ? List.of(new Request("", namespace))
          : List.of();
    }

    @Override
    public Collection<Request> mapDeleted(DeletedObject<PartialObjectMetadata> deleted) {
      return List.of(new Request("", deleted.objectName().namespace()));
    }
  }
}
