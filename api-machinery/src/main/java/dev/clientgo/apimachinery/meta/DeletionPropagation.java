package dev.clientgo.apimachinery.meta;

/**
 * What becomes of the objects that a deleted one owns.
 *
 * <p>Corresponds to client-go's {@code metav1.DeletionPropagation}.
 */
public enum DeletionPropagation {
  /** They stay, and lose their owner. */
  ORPHAN("Orphan"),
  /** They are deleted some time after their owner. */
  BACKGROUND("Background"),
  /** They are deleted before their owner, which is marked as being deleted until then. */
  FOREGROUND("Foreground");

  private final String value;

  DeletionPropagation(String value) {
    this.value = value;
  }

  /** Returns the form that is sent. */
  public String value() {
    return value;
  }
}
