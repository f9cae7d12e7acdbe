package dev.clientgo.controller;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.events.EventRecorder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a reconcile that a set of children uses.
 *
 * @param leadership throws if this process no longer leads, or no longer owns the object
 * @param kind the kind of the owners; null if there is none
 * @param owned the kinds that children may have
 */
record ChildrenScope(
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
