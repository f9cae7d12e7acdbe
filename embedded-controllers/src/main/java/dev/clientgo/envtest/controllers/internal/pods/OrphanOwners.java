package dev.clientgo.envtest.controllers.internal.pods;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.MapFunction;
import dev.clientgo.controller.Request;
import dev.clientgo.events.EventRecorder;
import dev.clientgo.kubernetes.core.v1.PodTemplateSpec;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The selectors of the owners of one kind, by which an object without a controller finds those that
 * may adopt it. A reconciler reports the selector of an owner before it lists the owner's objects.
 * So it sees an object that came earlier in the list, and one that comes later is mapped to it.
 *
 * <p>Corresponds to upstream's {@code getPodReplicaSets} and its siblings. Safe for use by many
 * threads.
 */
public final class OrphanOwners {

  private final ResourceType<?> ownerType;
  private final Map<Request, Selector> selectors = new ConcurrentHashMap<>();

  /** Creates an instance without owners. */
  public OrphanOwners(ResourceType<?> ownerType) {
    this.ownerType = ownerType;
  }

  /**
   * Returns the selector of a workload, to which objects are mapped from now on.
   *
   * <p>Empty if the selector selects nothing or not the pods of the template: a real server refuses
   * such a workload, and its controller would create pods without end. Then an event of the
   * workload explains why it has no pods.
   */
  public Optional<Selector> follow(
      KubernetesObject owner,
      @Nullable LabelSelector selector,
      PodTemplateSpec template,
      EventRecorder events) {
    Selector labels = Selector.of(selector);
    if (labels.isEverything() || !labels.matches(template.metadata().labels())) {
      String note = "the selector must not be empty, and must match the labels of the template";
      events.warning(owner, "InvalidSelector", "Reconcile", note);
      return Optional.empty();
    }
    selectors.put(Request.of(owner), labels);
    return Optional.of(labels);
  }

  /** Forgets an owner that is gone. */
  public void remove(Request owner) {
    selectors.remove(owner);
  }

  /** Maps an object to its controller, or to all that may adopt it if it has none. */
  public <T extends KubernetesObject> MapFunction<T> map() {
    MapFunction<T> controller = MapFunction.controller(ownerType);
    return object ->
        object.metadata().controller().isPresent() ? controller.map(object) : mayAdopt(object);
  }

  /** Returns all owners. */
  public Set<Request> owners() {
    return Set.copyOf(selectors.keySet());
  }

  /** Returns all owners in the namespace of an object. */
  public Collection<Request> ownersInNamespaceOf(KubernetesObject object) {
    return selectors.keySet().stream()
        .filter(owner -> owner.namespace().equals(object.metadata().namespace()))
        .toList();
  }

  private Collection<Request> mayAdopt(KubernetesObject orphan) {
    return selectors.entrySet().stream()
        .filter(entry -> entry.getKey().namespace().equals(orphan.metadata().namespace()))
        .filter(entry -> entry.getValue().matches(orphan.metadata().labels()))
        .map(Map.Entry::getKey)
        .toList();
  }
}
