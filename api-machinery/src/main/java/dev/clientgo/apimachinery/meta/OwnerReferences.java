package dev.clientgo.apimachinery.meta;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The owners of an object. The server deletes an object after all its owners; at most one owner is
 * its controller, which follows its changes.
 *
 * <pre>{@code
 * Pod pod = OwnerReferences.setController(template, job);
 * OwnerReferences.isControlledBy(pod, job); // true
 * }</pre>
 *
 * <p>These functions take objects of any type, and return an unchanged object itself. A namespaced
 * owner can own only objects of its namespace; a cluster-scoped owner can own any.
 *
 * <p>Corresponds to the functions of client-go's {@code metav1} ({@code GetControllerOf}, {@code
 * IsControlledBy}, {@code NewControllerRef}) and controller-runtime's {@code controllerutil}.
 */
public final class OwnerReferences {

  private OwnerReferences() {}

  /* --------------- Reading --------------- */

  /** Returns the controller of an object: the first owner that is marked as one. */
  public static Optional<OwnerReference> controllerOf(KubernetesObject object) {
    return object.metadata().controller();
  }

  /** Returns whether an owner is the controller of an object; compares only uids. */
  public static boolean isControlledBy(KubernetesObject object, KubernetesObject owner) {
    String uid = owner.metadata().uid();
    return uid != null
        && controllerOf(object).filter(controller -> uid.equals(controller.uid())).isPresent();
  }

  /** Returns whether an object has an owner of the group, kind and name of this one. */
  public static boolean hasOwner(KubernetesObject object, KubernetesObject owner) {
    return owners(object).stream().anyMatch(refersTo(owner));
  }

  /** Returns whether an object has a controller. */
  public static boolean hasController(KubernetesObject object) {
    return controllerOf(object).isPresent();
  }

  /* --------------- Making --------------- */

  /**
   * Returns a reference to a controller; its foreground deletion waits for that of the object.
   *
   * @throws IllegalArgumentException if the owner has no kind, name or uid; objects that no server
   *     has stored lack the uid
   */
  public static OwnerReference newControllerRef(KubernetesObject owner) {
    return newOwnerRef(owner).toBuilder().controller(true).blockOwnerDeletion(true).build();
  }

  /**
   * Returns a reference to an owner that is not the controller.
   *
   * @throws IllegalArgumentException if the owner has no kind, name or uid; objects that no server
   *     has stored lack the uid
   */
  public static OwnerReference newOwnerRef(KubernetesObject owner) {
    return OwnerReference.builder()
        .apiVersion(required("apiVersion", owner.apiVersion(), owner))
        .kind(required("kind", owner.kind(), owner))
        .name(required("name", owner.metadata().name(), owner))
        .uid(required("uid", owner.metadata().uid(), owner))
        .build();
  }

  /* --------------- Changing --------------- */

  /**
   * Returns an object with a controller. Replaces a reference to the same owner.
   *
   * @throws AlreadyOwnedException if it has another controller
   * @throws IllegalArgumentException if the owner cannot own the object, since it lives in another
   *     namespace, or has no kind, name or uid
   */
  public static <T extends KubernetesObject> T setController(T object, KubernetesObject owner) {
    return set(object, owner, newControllerRef(owner));
  }

  /**
   * Returns an object with an owner that is not the controller. Replaces a reference to the same
   * owner.
   *
   * @throws IllegalArgumentException if the owner cannot own the object, since it lives in another
   *     namespace, or has no kind, name or uid
   */
  public static <T extends KubernetesObject> T setOwner(T object, KubernetesObject owner) {
    return set(object, owner, newOwnerRef(owner));
  }

  /**
   * Returns an object with the given reference, whose flags the caller has chosen. Replaces a
   * reference to the same owner.
   *
   * @throws AlreadyOwnedException if both this reference and another of the object are to
   *     controllers
   */
  public static <T extends KubernetesObject> T upsert(T object, OwnerReference reference) {
    if (reference.isController()) {
      controllerOf(object)
          .filter(present -> !present.refersToSame(reference))
          .ifPresent(
              present -> {
                throw new AlreadyOwnedException(object, describe(object), present, reference);
              });
    }
    return KubernetesObject.edit(
        object, meta -> meta.with(m -> m.editOwnerReferences(list -> put(list, reference))));
  }

  /**
   * Returns an object without an owner, controller or not.
   *
   * @throws IllegalArgumentException if it has no such owner
   */
  public static <T extends KubernetesObject> T removeOwner(T object, KubernetesObject owner) {
    if (!hasOwner(object, owner)) {
      throw new IllegalArgumentException(
          describe(object) + " does not have an owner reference for " + describe(owner));
    }
    return remove(object, refersTo(owner));
  }

  /**
   * Returns an object without its controller.
   *
   * @throws IllegalArgumentException if the object has no controller, or a different one
   */
  public static <T extends KubernetesObject> T removeController(T object, KubernetesObject owner) {
    Predicate<OwnerReference> controller = refersTo(owner).and(OwnerReference::isController);
    if (owners(object).stream().noneMatch(controller)) {
      throw new IllegalArgumentException(
          describe(object) + " does not have a controller reference for " + describe(owner));
    }
    return remove(object, controller);
  }

  private static <T extends KubernetesObject> T set(
      T object, KubernetesObject owner, OwnerReference reference) {
    requireNamespace(object, owner);
    return upsert(object, reference);
  }

  private static void requireNamespace(KubernetesObject object, KubernetesObject owner) {
    String ownerNamespace = orEmpty(owner.metadata().namespace());
    String namespace = orEmpty(object.metadata().namespace());
    if (ownerNamespace.isEmpty() || ownerNamespace.equals(namespace)) {
      return;
    }
    throw new IllegalArgumentException(
        describe(owner)
            + " cannot own "
            + describe(object)
            + ": "
            + (namespace.isEmpty()
                ? "a cluster-scoped object must not have a namespaced owner"
                : "cross-namespace owner references are disallowed")
            + "; the garbage collector would delete the object. Use a label or an annotation"
            + " to refer to it");
  }

  private static void put(List<OwnerReference> owners, OwnerReference reference) {
    for (int i = 0; i < owners.size(); i++) {
      if (owners.get(i).refersToSame(reference)) {
        owners.set(i, reference);
        return;
      }
    }
    owners.add(reference);
  }

  private static <T extends KubernetesObject> T remove(T object, Predicate<OwnerReference> which) {
    return KubernetesObject.edit(
        object, meta -> meta.with(m -> m.editOwnerReferences(list -> list.removeIf(which))));
  }

  private static Predicate<OwnerReference> refersTo(KubernetesObject owner) {
    OwnerReference reference =
        OwnerReference.builder()
            .apiVersion(owner.apiVersion())
            .kind(owner.kind())
            .name(owner.metadata().name())
            .build();
    return reference::refersToSame;
  }

  private static List<OwnerReference> owners(KubernetesObject object) {
    return object.metadata().ownerReferences();
  }

  private static String required(String what, @Nullable String value, KubernetesObject owner) {
    if (value == null || value.isEmpty()) {
      throw new IllegalArgumentException(
          "the owner "
              + describe(owner)
              + " has no "
              + what
              + ": read the owner from the server first");
    }
    return value;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  /** Returns kind, namespace and name of an object. */
  private static String describe(KubernetesObject object) {
    requireNonNull(object, "object");
    String namespace = orEmpty(object.metadata().namespace());
    return object.kind()
        + " "
        + (namespace.isEmpty() ? "" : namespace + "/")
        + orEmpty(object.metadata().name());
  }

  /**
   * An object already has a controller and cannot have a second one.
   *
   * <p>Corresponds to controller-runtime's {@code controllerutil.AlreadyOwnedError}.
   */
  public static final class AlreadyOwnedException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final transient KubernetesObject object;
    private final transient OwnerReference owner;

    /** Creates an exception; {@code described} is the object as the message names it. */
    AlreadyOwnedException(
        KubernetesObject object, String described, OwnerReference owner, OwnerReference wanted) {
      super(
          "object "
              + described
              + " is already owned by another "
              + owner.kind()
              + " controller "
              + owner.name()
              + ", so "
              + wanted.kind()
              + " "
              + wanted.name()
              + " cannot control it");
      this.object = requireNonNull(object, "object");
      this.owner = owner;
    }

    /** Returns the object. */
    public KubernetesObject owned() {
      return object;
    }

    /** Returns the controller that it has. */
    public OwnerReference owner() {
      return owner;
    }
  }
}
