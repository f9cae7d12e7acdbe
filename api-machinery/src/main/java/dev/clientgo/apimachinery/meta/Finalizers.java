package dev.clientgo.apimachinery.meta;

/**
 * Names that hold back the deletion of an object: who adds one is asked to act before the object is
 * gone, and removes it when that is done.
 *
 * <pre>{@code
 * if (database.metadata().isBeingDeleted()) {
 *   dropTables(database);
 *   databases.edit(name, d -> Finalizers.remove(d, "example.com/drop-tables"));
 * } else {
 *   databases.edit(name, d -> Finalizers.add(d, "example.com/drop-tables"));
 * }
 * }</pre>
 *
 * <p>Objects of any type are taken; one that needs no change is returned as it is. Corresponds to
 * controller-runtime's {@code controllerutil.AddFinalizer} and its siblings.
 */
public final class Finalizers {

  private Finalizers() {}

  /** Returns whether an object has a finalizer. */
  public static boolean contains(KubernetesObject object, String finalizer) {
    return object.metadata().hasFinalizer(finalizer);
  }

  /** Returns an object with a finalizer, behind those that it has. */
  public static <T extends KubernetesObject> T add(T object, String finalizer) {
    return contains(object, finalizer)
        ? object
        : KubernetesObject.edit(
            object, meta -> meta.with(m -> m.editFinalizers(list -> list.add(finalizer))));
  }

  /** Returns an object without a finalizer. */
  public static <T extends KubernetesObject> T remove(T object, String finalizer) {
    return contains(object, finalizer)
        ? KubernetesObject.edit(
            object,
            meta -> meta.with(m -> m.editFinalizers(list -> list.removeIf(finalizer::equals))))
        : object;
  }
}
