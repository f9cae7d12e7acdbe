package dev.clientgo.apimachinery.meta;

/**
 * Finalizers: names that delay the deletion of an object. The controller that adds one acts before
 * the object is deleted, then removes it.
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
 * <p>These functions take objects of any type, and return an unchanged object itself. Corresponds
 * to controller-runtime's {@code controllerutil.AddFinalizer} and its siblings.
 */
public final class Finalizers {

  private Finalizers() {}

  /** Returns whether an object has a finalizer. */
  public static boolean contains(KubernetesObject object, String finalizer) {
    return object.metadata().hasFinalizer(finalizer);
  }

  /** Returns an object with a finalizer added at the end. */
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
