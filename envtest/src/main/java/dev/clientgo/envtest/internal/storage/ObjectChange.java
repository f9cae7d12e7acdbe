package dev.clientgo.envtest.internal.storage;

import org.jspecify.annotations.Nullable;

/** A change to one object. Immutable. */
public final class ObjectChange {

  private final long revision;
  private final @Nullable StoredObject before;
  private final @Nullable StoredObject after;
  private volatile @Nullable StoredObject gone;

  /**
   * Creates a change.
   *
   * @param revision the resource version of the change
   * @param before the object before, or null if it was created
   * @param after the object after, or null if it was deleted
   */
  public ObjectChange(long revision, @Nullable StoredObject before, @Nullable StoredObject after) {
    if (before == null && after == null) {
      throw new IllegalArgumentException("nothing changes into nothing");
    }
    this.revision = revision;
    this.before = before;
    this.after = after;
  }

  public long revision() {
    return revision;
  }

  /** Returns the key of the object. */
  public String key() {
    return after == null ? gone().key() : after.key();
  }

  public @Nullable StoredObject before() {
    return before;
  }

  public @Nullable StoredObject after() {
    return after;
  }

  /**
   * Returns the previous object with the revision of the change. A watch sends it when the object
   * is deleted or no longer matches.
   */
  public StoredObject gone() {
    StoredObject made = gone;
    if (made == null) {
      if (before == null) {
        throw new IllegalStateException("nothing was there at " + revision);
      }
      made = before.at(revision);
      gone = made; // Two threads may both create it; the results are equal.
    }
    return made;
  }
}
