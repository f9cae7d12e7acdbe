package dev.clientgo.envtest.controllers.internal.garbage;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.Request;
import java.util.List;

/**
 * An object as the garbage collector sees it: who owns it, and how it is being deleted.
 *
 * <p>Corresponds to {@code node} in {@code pkg/controller/garbagecollector}.
 *
 * @param type the type of the object
 * @param object the metadata of the object
 */
record DependencyNode(ResourceType<PartialObjectMetadata> type, PartialObjectMetadata object) {

  /** The finalizer of an object that is deleted after its dependents. */
  static final String FOREGROUND = "foregroundDeletion";

  /** The finalizer of an object whose dependents stay. */
  static final String ORPHAN = "orphan";

  /** Returns the request for any object of any type: {@code shop/deployments.apps/web}. */
  static Request request(ResourceType<?> type, String namespace, String name) {
    return new Request(namespace, type + "/" + name);
  }

  Request request() {
    return request(type, namespace(), name());
  }

  String namespace() {
    return requireNonNullElse(object.metadata().namespace(), "");
  }

  String name() {
    return requireNonNullElse(object.metadata().name(), "");
  }

  String uid() {
    return requireNonNullElse(object.metadata().uid(), "");
  }

  List<OwnerReference> owners() {
    return object.metadata().ownerReferences();
  }

  boolean isBeingDeleted() {
    return object.metadata().isBeingDeleted();
  }

  boolean isDeletingDependents() {
    return isBeingDeleted() && object.metadata().hasFinalizer(FOREGROUND);
  }

  boolean isOrphaningDependents() {
    return isBeingDeleted() && object.metadata().hasFinalizer(ORPHAN);
  }

  /** Returns whether an object of that uid is an owner of this one. */
  boolean isOwnedBy(String uid) {
    return owners().stream().anyMatch(owner -> uid.equals(owner.uid()));
  }

  /** Returns whether the foreground deletion of an owner waits for this object. */
  boolean blocks(String ownerUid) {
    return owners().stream()
        .anyMatch(
            owner ->
                ownerUid.equals(owner.uid()) && Boolean.TRUE.equals(owner.blockOwnerDeletion()));
  }
}
