package dev.clientgo.envtest;

import org.jspecify.annotations.Nullable;

/** A change to one object of a collection. Immutable. */
final class Change {

  private final long revision;
  private final @Nullable Stored before;
  private final @Nullable Stored after;
  private volatile @Nullable Stored gone;

  /**
   * Creates a change.
   *
   * @param revision the resource version of the change
   * @param before the object before, or null if it was created
   * @param after the object after, or null if it was deleted
   */
  Change(long revision, @Nullable Stored before, @Nullable Stored after) {
    if (before == null && after == null) {
      throw new IllegalArgumentException("nothing changes into nothing");
    }
    this.revision = revision;
    this.before = before;
    this.after = after;
  }

  long revision() {
    return revision;
  }

  /** Returns the key of the object. */
  String key() {
    return after == null ? gone().key() : after.key();
  }

  @Nullable Stored before() {
    return before;
  }

  @Nullable Stored after() {
    return after;
  }

  /**
   * Returns the object before, at the revision of the change: what a watch is told when an object
   * leaves what it looks at.
   */
  Stored gone() {
    Stored made = gone;
    if (made == null) {
      if (before == null) {
        throw new IllegalStateException("nothing was there at " + revision);
      }
      made = before.at(revision);
      gone = made; // Two threads may both make it; it is the same.
    }
    return made;
  }
}
