package dev.clientgo.envtest.internal.verbs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.CustomResourceDefinition;
import dev.clientgo.envtest.internal.kinds.Resource;
import dev.clientgo.envtest.internal.kinds.ResourceRegistry;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.StoredObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Serves the kinds that CustomResourceDefinitions define.
 *
 * <p>It does the work of kube-apiserver's controllers, and does it before the write of a definition
 * is answered: it accepts the names, serves the kind, and deletes all objects before the
 * definition. Safe for use by many threads.
 */
public final class CustomResourceController {

  private static final GroupResource DEFINITIONS =
      new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");

  private final ReentrantLock lock = new ReentrantLock();
  private final ObjectStore store;
  private final ResourceRegistry resources;
  private final DeleteHandler deletes;
  private final Clock clock;

  /** The kinds whose deletion waits for objects with finalizers. */
  @GuardedBy("lock")
  private final Set<GroupResource> ending = new HashSet<>();

  public CustomResourceController(
      ObjectStore store, ResourceRegistry resources, DeleteHandler deletes, Clock clock) {
    this.store = store;
    this.resources = resources;
    this.deletes = deletes;
    this.clock = clock;
  }

  /** Reacts to a write. */
  public void afterWrite(Resource resource) {
    boolean definition = resource.groupResource().equals(DEFINITIONS);
    if (!definition && !resource.isCustom()) {
      return;
    }
    lock.lock();
    try {
      if (definition || ending.contains(resource.groupResource())) {
        for (StoredObject stored : store.list(DEFINITIONS, "").objects().values()) {
          if (stored.isBeingDeleted()) {
            endLocked(stored);
          }
        }
        // Names of deleted kinds are free now, so other definitions may use them.
        for (StoredObject stored : store.list(DEFINITIONS, "").objects().values()) {
          if (!stored.isBeingDeleted()) {
            establishLocked(stored);
          }
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Stops to serve custom kinds, and ends their watches. */
  void dropAll() {
    lock.lock();
    try {
      for (Resource resource : resources.all()) {
        if (resource.isCustom()) {
          resources.remove(resource.groupResource());
          store.drop(resource.groupResource());
        }
      }
      ending.clear();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void establishLocked(StoredObject stored) {
    Resource resource = CustomResourceDefinition.resource(stored.object());
    Optional<String> taken = takenName(resource);
    if (taken.isEmpty()) {
      store.open(resource.groupResource());
      resources.put(resource);
    }
    Unstructured established = withState(stored.object(), taken);
    if (!established.equals(stored.object())) {
      // If another writer has changed the definition, its own call follows.
      store.put(DEFINITIONS, stored.key(), stored, established);
    }
  }

  /** Returns a name that another kind of the group uses already. */
  private Optional<String> takenName(Resource resource) {
    for (Resource other : resources.all()) {
      if (other.group().equals(resource.group()) && !other.plural().equals(resource.plural())) {
        if (other.kind().equals(resource.kind())) {
          return Optional.of(resource.kind());
        }
        if (other.listKind().equals(resource.listKind())) {
          return Optional.of(resource.listKind());
        }
      }
    }
    return Optional.empty();
  }

  private Unstructured withState(Unstructured object, Optional<String> taken) {
    List<Map<String, Object>> conditions = new ArrayList<>();
    if (taken.isPresent()) {
      String message = '"' + taken.get() + "\" is already in use";
      conditions.add(condition(object, "NamesAccepted", "False", "KindConflict", message));
      conditions.add(
          condition(object, "Established", "False", "NotAccepted", "not all names are accepted"));
      return object.with(conditions, "status", "conditions");
    }
    conditions.add(condition(object, "NamesAccepted", "True", "NoConflicts", "no conflicts found"));
    conditions.add(
        condition(
            object,
            "Established",
            "True",
            "InitialNamesAccepted",
            "the initial names have been accepted"));
    return object
        .with(conditions, "status", "conditions")
        .with(object.nestedMap("spec", "names").orElse(Map.of()), "status", "acceptedNames");
  }

  private Map<String, Object> condition(
      Unstructured object, String type, String status, String reason, String message) {
    for (Map<String, Object> present : JsonTree.objects(object.content(), "status", "conditions")) {
      if (type.equals(present.get("type")) && status.equals(present.get("status"))) {
        return present;
      }
    }
    return JsonTree.of(
        "type", type,
        "status", status,
        "lastTransitionTime", Time.now(clock).toString(),
        "reason", reason,
        "message", message);
  }

  @GuardedBy("lock")
  private void endLocked(StoredObject stored) {
    Resource resource = CustomResourceDefinition.resource(stored.object());
    GroupResource kind = resource.groupResource();
    if (resources.isServed(resource)) {
      for (StoredObject object : store.list(kind, "").objects().values()) {
        deletes.delete(resource, object);
      }
      if (!store.list(kind, "").objects().isEmpty()) {
        ending.add(kind);
        return;
      }
      resources.remove(kind);
      store.drop(kind);
    }
    ending.remove(kind);
    if (stored.finalizers().equals(List.of(CustomResourceDefinition.CLEANUP))) {
      store.delete(DEFINITIONS, stored);
    }
  }
}
