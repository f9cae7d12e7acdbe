package dev.clientgo.apimachinery.meta;

import static java.util.Objects.requireNonNull;

/**
 * An object already has a controller and cannot have a second one.
 *
 * <p>Corresponds to controller-runtime's {@code controllerutil.AlreadyOwnedError}.
 */
public final class AlreadyOwnedException extends IllegalStateException {

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
