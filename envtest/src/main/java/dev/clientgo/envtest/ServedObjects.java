package dev.clientgo.envtest;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.conversion.VersionConverter;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.internal.strategy.CreateUpdateStrategy;
import dev.clientgo.envtest.internal.verbs.CustomResourceController;
import java.util.List;
import java.util.Optional;

/**
 * The objects of one kind in the embedded server, read and written without HTTP, to set up a test
 * and to inspect its result.
 *
 * <p>Watches see these writes like any other, but nothing is validated, so a test can also create
 * states that no client could. Safe for use by many threads.
 */
public final class ServedObjects {

  private final ObjectStore store;
  private final ServedKind served;
  private final CreateUpdateStrategy strategy;
  private final CustomResourceController customResources;
  private final VersionConverter versions;

  ServedObjects(
      ObjectStore store,
      ServedKind served,
      CreateUpdateStrategy strategy,
      CustomResourceController customResources,
      VersionConverter versions) {
    this.store = store;
    this.served = served;
    this.strategy = strategy;
    this.customResources = customResources;
    this.versions = versions;
  }

  /** Returns all objects, in the order of a list. */
  public List<Unstructured> list() {
    return store.list(served.groupResource(), "").objects().values().stream()
        .map(this::served)
        .toList();
  }

  /**
   * Returns an object.
   *
   * @param namespace the namespace, empty for a cluster-scoped object
   */
  public Optional<Unstructured> get(String namespace, String name) {
    return Optional.ofNullable(store.get(kind(), StoredObject.key(namespace, name)))
        .map(this::served);
  }

  /**
   * Creates or replaces an object, including its status. Sets a UID, a creation time and a
   * generation if they are missing, and always a resource version.
   *
   * @return the stored object
   */
  public Unstructured put(Unstructured object) {
    Unstructured bare = strategy.complete(served, object.withType("", ""));
    String namespace = requireNonNullElse(bare.metadata().namespace(), "");
    String name = requireNonNullElse(bare.metadata().name(), "");
    if (name.isEmpty() || namespace.isEmpty() == served.resource().namespaced()) {
      throw new IllegalArgumentException(
          "%s need a name, and %s namespace"
              .formatted(kind(), served.resource().namespaced() ? "a" : "no"));
    }
    String key = StoredObject.key(namespace, name);
    String version = versions.storageVersion(served);
    Unstructured converted = versions.convert(served, bare, version);
    StoredObject stored;
    do {
      stored = store.put(kind(), key, store.get(kind(), key), converted, version);
    } while (stored == null);
    customResources.afterWrite(served.resource());
    return served(stored);
  }

  /**
   * Deletes an object, even if it has finalizers.
   *
   * @param namespace the namespace, empty for a cluster-scoped object
   * @return whether the object existed
   */
  public boolean delete(String namespace, String name) {
    while (true) {
      StoredObject stored = store.get(kind(), StoredObject.key(namespace, name));
      if (stored == null) {
        return false;
      }
      if (store.delete(kind(), stored) != null) {
        customResources.afterWrite(served.resource());
        return true;
      }
    }
  }

  private GroupResource kind() {
    return served.groupResource();
  }

  private Unstructured served(StoredObject stored) {
    return versions.read(served, stored).object().withType(served.apiVersion(), served.kind());
  }
}
