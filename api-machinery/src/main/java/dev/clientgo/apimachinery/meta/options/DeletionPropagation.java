package dev.clientgo.apimachinery.meta.options;

/**
 * How a deletion propagates to the objects that the deleted one owns.
 *
 * <p>Corresponds to client-go's {@code metav1.DeletionPropagation}.
 */
public enum DeletionPropagation {
  /** They stay and lose their owner reference. */
  ORPHAN("Orphan"),
  /** The server deletes them some time after their owner. */
  BACKGROUND("Background"),
  /**
   * The server deletes them before their owner, which stays, marked as being deleted, until then.
   */
  FOREGROUND("Foreground");

  private final String value;

  DeletionPropagation(String value) {
    this.value = value;
  }

  /** Returns the value in a query. */
  public String value() {
    return value;
  }
}
