package dev.clientgo.controller;

/**
 * The outcome of an operation that creates, changes or deletes an object; it completes the sentence
 * "The Deployment has been …".
 *
 * <p>Corresponds to controller-runtime's {@code controllerutil.OperationResult}.
 */
public enum OperationResult {
  /** The object was as it should be; nothing was written. */
  UNCHANGED("unchanged"),
  /** The object was not there and was created. */
  CREATED("created"),
  /** The object was changed, but not its status. */
  UPDATED("updated"),
  /** The object and its status were changed. */
  UPDATED_STATUS("updatedStatus"),
  /** Only the status of the object was changed. */
  UPDATED_STATUS_ONLY("updatedStatusOnly"),
  /** The object was there and was deleted; finalizers may keep it for a while. */
  DELETED("deleted");

  private final String text;

  OperationResult(String text) {
    this.text = text;
  }

  /** Returns the result as controller-runtime writes it, such as {@code updated}. */
  @Override
  public String toString() {
    return text;
  }
}
