package dev.clientgo.controller;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.DeletionPropagation;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.readiness.Readiness;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.controller.ChildrenResult.Child;
import dev.clientgo.controller.ChildrenResult.State;
import dev.clientgo.controller.internal.apply.ApplySet;
import dev.clientgo.events.EventRecorder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One apply of a set of {@link Children}: first the desired ones, by stages, then the deletions.
 */
final class ChildrenRun {

  /**
   * The parts of a reconcile that a set of children uses.
   *
   * @param leadership throws if this process no longer leads, or no longer owns the object
   * @param kind the kind of the owners; null if there is none
   * @param owned the kinds that children may have
   */
  record Scope(
      String controller,
      Client client,
      EventRecorder events,
      Runnable leadership,
      @Nullable ResourceType<?> kind,
      List<ResourceType<?>> owned) {

    /** Returns the type of an owner. */
    ResourceType<?> typeOf(KubernetesObject owner) {
      if (kind == null
          || !kind.kind().kind().equals(owner.kind())
          || !kind.kind().apiVersion().equals(owner.apiVersion())) {
        throw new IllegalArgumentException(
            "a %s cannot own children here: the controller %s is for %s"
                .formatted(owner.kind(), controller, kind == null ? "no kind" : kind));
      }
      return kind;
    }
  }

  /** How often another client may be faster, or the cache older than the server. */
  private static final int ATTEMPTS = 5;

  private final Scope scope;
  private final KubernetesObject owner;
  private final ResourceType<?> ownerType;
  private final String label;
  private final boolean applySet;
  private final String applySetId;
  private final List<List<Desired<?>>> stages = new ArrayList<>();

  /**
   * Those that are desired, then those that are deleted, too: a kind may be owned in two versions.
   */
  private final Set<Object> handled = new HashSet<>();

  private final List<Child> results = new ArrayList<>();

  /** The owner as this apply has read or marked it. */
  private ObjectMeta seenOwner;

  private boolean ownerConfirmed;

  /** A child as it should be, with its marks. */
  private record Desired<T extends KubernetesObject>(
      ResourceType<T> type, ObjectName name, T object) {

    Child in(State state, @Nullable Operation<T> operation, String message) {
      return new Child(type.kind(), name, state, operation, message, null);
    }
  }

  /** Checks all children before the first request. */
  ChildrenRun(
      Scope scope,
      KubernetesObject owner,
      String label,
      boolean applySet,
      List<List<KubernetesObject>> stages)
      throws InterruptedException {
    this.scope = scope;
    this.owner = owner;
    this.seenOwner = owner.metadata();
    this.ownerType = scope.typeOf(owner);
    this.label = label;
    this.applySet = applySet;
    this.applySetId = ApplySet.id(ownerType.kind(), ObjectName.of(owner));
    for (List<KubernetesObject> stage : stages) {
      List<Desired<?>> children = new ArrayList<>();
      for (KubernetesObject child : stage) {
        children.add(check(child));
      }
      this.stages.add(children);
    }
  }

  // ---- checking

  @SuppressWarnings("unchecked") // The kind of the type is that of the object; see apply().
  private <T extends KubernetesObject> Desired<T> check(KubernetesObject given)
      throws InterruptedException {
    ResourceType<T> type =
        (ResourceType<T>)
            scope.owned().stream()
                .filter(each -> each.kind().kind().equals(given.kind()))
                .filter(each -> each.kind().apiVersion().equals(given.apiVersion()))
                .findFirst()
                .orElseThrow(
                    () ->
                        refused(
                            given,
                            "the controller does not own its kind: call owns(…) with the type, so"
                                + " that later reconciles find the child"));
    String name = given.metadata().name();
    String namespace = given.metadata().namespace();
    boolean placed = !type.isNamespaced() || (namespace != null && !namespace.isEmpty());
    String home = placed ? namespace : owner.metadata().namespace();
    if (name == null || name.isEmpty()) {
      throw refused(given, "it has no name, by which a later reconcile finds it");
    } else if (type.isNamespaced() && (home == null || home.isEmpty())) {
      throw refused(given, "it has no namespace, and neither has its owner");
    }
    T marked =
        KubernetesObject.edit(
            (T) given, meta -> meta.with(m -> m.namespace(home).editLabels(this::mark)));
    if (!isByLabel(type)) {
      marked = OwnerReferences.setController(marked, owner);
    }
    ObjectName key = ObjectName.of(marked);
    if (!handled.add(key(type, key))) {
      throw refused(given, "the set has two children of this kind and name");
    } else if (!resource(type, "").isFollowed(marked)) {
      throw refused(
          given,
          "the manager follows no objects of its namespace with its labels, so no later reconcile"
              + " finds the child");
    }
    return new Desired<>(type, key, marked);
  }

  private void mark(Map<String, String> labels) {
    labels.put(Children.SET, label);
    if (applySet) {
      labels.put(ApplySet.PART_OF, applySetId);
    }
  }

  private IllegalArgumentException refused(KubernetesObject child, String reason) {
    return new IllegalArgumentException(
        describe(child) + " cannot be a child of " + describe(owner) + ": " + reason);
  }

  /** Returns whether the server would refuse the owner of an object of that type. */
  private boolean isByLabel(ResourceType<?> type) {
    return applySet && ownerType.isNamespaced() && !type.isNamespaced();
  }

  // ---- applying

  ChildrenResult run() throws InterruptedException {
    if (applySet) {
      markOwner();
    }
    String obstacle =
        owner.metadata().isBeingDeleted() ? describe(owner) + " is being deleted" : "";
    boolean complete = true;
    for (List<Desired<?>> stage : stages) {
      List<String> unready = new ArrayList<>();
      for (Desired<?> each : stage) {
        Child child = obstacle.isEmpty() ? apply(each) : each.in(State.WAITING, null, obstacle);
        results.add(child);
        complete &= child.operation() != null;
        if (child.state() != State.READY) {
          unready.add(child.kind().kind() + " " + child.name());
        }
      }
      if (obstacle.isEmpty() && !unready.isEmpty()) {
        obstacle = "waits for " + ChildrenResult.text(unready, ", ");
      }
    }
    for (ResourceType<?> type : scope.owned()) {
      prune(type, complete);
    }
    return new ChildrenResult(results);
  }

  private void markOwner() throws InterruptedException {
    Optional<Patch> mark = ApplySet.mark(owner, applySetId, scope.controller(), scope.owned());
    if (mark.isPresent()) {
      ObjectName name = ObjectName.of(owner);
      ObjectMeta marked =
          resource(ownerType, name.namespace()).patch(name.name(), mark.get()).metadata();
      seenOwner = Objects.equals(marked.generation(), seenOwner.generation()) ? marked : seenOwner;
    }
  }

  private <T extends KubernetesObject> Child apply(Desired<T> child) throws InterruptedException {
    CachedResource<T> resource = resource(child.type(), child.name().namespace());
    try {
      T known = resource.known(child.name().name());
      for (int attempt = 1; ; attempt++) {
        if (known != null && !isOurs(child.type(), known)) {
          return taken(child, known);
        } else if (known != null && known.metadata().isBeingDeleted()) {
          return child.in(State.TERMINATING, null, "an object of this name is being deleted");
        }
        try {
          return applied(child, resource.applyTo(known, child.object()));
        } catch (ApiStatusException e) {
          // The cache was older than the server; kube-apiserver finds another uid invalid.
          T now = moved(e) ? resource.uncached().find(child.name().name()).orElse(null) : known;
          boolean same =
              !e.isConflict()
                  && uid(now).equals(uid(known))
                  && (now == null || isOurs(child.type(), now));
          if (!moved(e) || same || attempt == ATTEMPTS) {
            throw e;
          }
          known = now;
        }
      }
    } catch (KubernetesException e) {
      return failed(child.type().kind(), child.name(), "Apply", e);
    } catch (ClassCastException e) {
      throw refused(child.object(), "it is of another Java type than that of owns(…): " + e);
    }
  }

  private static boolean moved(ApiStatusException e) {
    return e.isConflict() || e.isInvalid();
  }

  private <T extends KubernetesObject> Child applied(Desired<T> child, Operation<T> operation) {
    T object = operation.object();
    if (operation.result() == OperationResult.CREATED) {
      tell(object, "Created", "Create");
    } else if (operation.isChanged()) {
      tell(object, "Updated", "Update");
    }
    Readiness readiness = Readiness.of(Unstructured.from(child.type().codec(), object));
    return child.in(
        readiness.isReady() ? State.READY : State.NOT_READY, operation, readiness.message());
  }

  private void tell(KubernetesObject child, String reason, String verb) {
    scope
        .events()
        .eventf(
            owner,
            child,
            EventRecorder.NORMAL,
            reason,
            verb + child.kind(),
            "%s the %s",
            reason.toLowerCase(Locale.ROOT),
            describe(child));
  }

  private <T extends KubernetesObject> Child taken(Desired<T> child, T present) {
    String belongs =
        OwnerReferences.controllerOf(present)
            .map(
                other ->
                    OwnerReferences.isControlledBy(present, owner)
                        ? "to the set " + present.metadata().labels().get(Children.SET)
                        : "to " + other.kind() + " " + other.name() + " (uid " + other.uid() + ")")
            .orElse("to no owner");
    String message =
        "there is one already, and it belongs %s, not to %s (uid %s): rename one of them"
            .formatted(belongs, describe(owner), uid(owner));
    scope
        .events()
        .warning(
            owner, "NameTaken", "Apply" + present.kind(), "%s: %s", describe(present), message);
    return child.in(State.NAME_TAKEN, null, message);
  }

  private Child failed(
      GroupVersionKind kind, ObjectName name, String verb, KubernetesException error) {
    scope.leadership().run(); // Without it, each other request would fail, too.
    String message = String.valueOf(error.getMessage());
    if (!(error instanceof ApiStatusException status && status.isConflict())) {
      scope.events().warning(owner, "ChildFailed", verb + kind.kind(), "%s", message);
    }
    return new Child(kind, name, State.FAILED, null, message, error);
  }

  // ---- deleting

  private <T extends KubernetesObject> void prune(ResourceType<T> type, boolean complete)
      throws InterruptedException {
    for (T object : candidates(type)) {
      ObjectName name = ObjectName.of(object);
      if (!isMember(type, object) || !handled.add(key(type, name))) {
        continue;
      }
      if (object.metadata().isBeingDeleted()) {
        results.add(obsolete(type, object, OperationResult.UNCHANGED));
      } else if (complete) {
        delete(type, object).ifPresent(results::add);
      } else {
        String message = "no longer desired; it is deleted when all desired children are applied";
        results.add(new Child(type.kind(), name, State.KEPT, null, message, null));
      }
    }
  }

  private <T extends KubernetesObject> List<T> candidates(ResourceType<T> type)
      throws InterruptedException {
    String namespace = type.isNamespaced() ? ObjectName.of(owner).namespace() : "";
    CachedResource<T> resource = resource(type, namespace);
    // No garbage collector deletes these with the owner, so an old cache would leave one behind.
    return isByLabel(type) && owner.metadata().isBeingDeleted()
        ? resource.uncached().list(Selector.parse(ApplySet.PART_OF + "=" + applySetId)).items()
        : resource.list();
  }

  /** Deletes an object if it is still as it was seen, or still a member. */
  private <T extends KubernetesObject> Optional<Child> delete(ResourceType<T> type, T seen)
      throws InterruptedException {
    ObjectName name = ObjectName.of(seen);
    CachedResource<T> resource = resource(type, name.namespace());
    T target = seen;
    try {
      confirmOwner();
      for (int attempt = 1; ; attempt++) {
        try {
          resource.delete(name.name(), thisOne(target.metadata()));
          tell(target, "Deleted", "Delete");
          return Optional.of(obsolete(type, target, OperationResult.DELETED));
        } catch (ApiStatusException e) {
          boolean gone = e.isNotFound() && !e.isUnexpectedServerError();
          if (!gone && (!e.isConflict() || attempt == ATTEMPTS)) {
            throw e;
          }
          Optional<T> now = gone ? Optional.empty() : resource.uncached().find(name.name());
          if (now.isEmpty() || !isMember(type, now.get())) {
            return Optional.empty(); // It is gone, or another client has given it away.
          } else if (now.get().metadata().isBeingDeleted()) {
            return Optional.of(obsolete(type, now.get(), OperationResult.UNCHANGED));
          }
          target = now.get();
        }
      }
    } catch (KubernetesException e) {
      return Optional.of(failed(type.kind(), name, "Delete", e));
    }
  }

  /** An owner of an old cache may desire again what it did not. */
  private void confirmOwner() throws InterruptedException {
    ObjectName name = ObjectName.of(owner);
    if (ownerConfirmed) {
      return;
    }
    Optional<? extends KubernetesObject> now =
        resource(ownerType, name.namespace()).uncached().find(name.name());
    if (now.isPresent() && uid(now.get()).equals(uid(owner)) && changed(now.get().metadata())) {
      throw ApiStatusException.conflict(
          ownerType.resource().groupResource(),
          name.name(),
          "it has changed since this reconcile read it, so the next one finds what is deleted");
    }
    ownerConfirmed = true;
  }

  /** Returns whether more than the status may have changed. */
  private boolean changed(ObjectMeta now) {
    boolean sameSpec =
        now.generation() != null
            && now.generation().equals(seenOwner.generation())
            && now.labels().equals(seenOwner.labels())
            && now.annotations().equals(seenOwner.annotations());
    return !sameSpec && !Objects.equals(now.resourceVersion(), seenOwner.resourceVersion());
  }

  private static DeleteOptions thisOne(ObjectMeta seen) {
    return DeleteOptions.builder()
        .preconditions(
            Preconditions.builder().uid(seen.uid()).resourceVersion(seen.resourceVersion()).build())
        .propagationPolicy(DeletionPropagation.BACKGROUND) // By default, some kinds leave orphans.
        .build();
  }

  private static <T extends KubernetesObject> Child obsolete(
      ResourceType<T> type, T object, OperationResult result) {
    return new Child(
        type.kind(),
        ObjectName.of(object),
        State.DELETED,
        new Operation<>(result, object),
        "no longer desired; it is being deleted",
        null);
  }

  // ---- membership

  /** Returns whether the set may change an object: a member, or one that only lacks the label. */
  private boolean isOurs(ResourceType<?> type, KubernetesObject object) {
    String set = object.metadata().labels().get(Children.SET);
    return isByLabel(type)
        ? label.equals(set)
            && applySetId.equals(object.metadata().labels().get(ApplySet.PART_OF))
            && !OwnerReferences.hasController(object)
        : OwnerReferences.isControlledBy(object, owner) && (set == null || set.equals(label));
  }

  private boolean isMember(ResourceType<?> type, KubernetesObject object) {
    return label.equals(object.metadata().labels().get(Children.SET)) && isOurs(type, object);
  }

  private static Object key(ResourceType<?> type, ObjectName name) {
    return List.of(type.resource().groupResource(), name);
  }

  private <T extends KubernetesObject> CachedResource<T> resource(
      ResourceType<T> type, String namespace) {
    CachedResource<T> all = scope.client().resource(type);
    return namespace.isEmpty() ? all : all.inNamespace(namespace);
  }

  private static String uid(@Nullable KubernetesObject object) {
    return object == null ? "" : Objects.requireNonNullElse(object.metadata().uid(), "");
  }

  private static String describe(KubernetesObject object) {
    String name = object.metadata().name();
    return object.kind() + " " + (name == null || name.isEmpty() ? "" : ObjectName.of(object));
  }
}
