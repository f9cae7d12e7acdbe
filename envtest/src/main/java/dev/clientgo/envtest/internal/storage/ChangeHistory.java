package dev.clientgo.envtest.internal.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;

/**
 * The latest changes to the objects of one kind, the oldest first. Watches read it, and lists of
 * past versions are computed from it.
 *
 * <p>Its size is bounded. A watch only holds a position in it, so the history keeps nothing for a
 * watch; a watch that is too slow finds its position forgotten. Not safe for use by many threads;
 * {@link ObjectStore} guards it.
 */
final class ChangeHistory {

  private final int limit;
  private final List<ObjectChange> changes = new ArrayList<>();

  /** The position of the oldest change that is kept, which is the number of forgotten changes. */
  private long first;

  private long horizon;

  /** Creates an empty history that keeps between that many changes and twice as many. */
  ChangeHistory(int limit) {
    this.limit = limit;
  }

  void add(ObjectChange change) {
    changes.add(change);
    if (changes.size() > 2 * limit) {
      forget(limit);
    }
  }

  private void forget(int count) {
    List<ObjectChange> oldest = changes.subList(0, count);
    horizon = oldest.get(count - 1).revision();
    oldest.clear();
    first += count;
  }

  /** Returns the revision after which the history is complete. */
  long horizon() {
    return horizon;
  }

  /** Returns the position of the next change. */
  long end() {
    return first + changes.size();
  }

  /**
   * Returns the position of the first change after a revision, which must not be before the
   * horizon.
   */
  long positionAfter(long revision) {
    int low = 0;
    int high = changes.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (changes.get(middle).revision() <= revision) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return first + low;
  }

  /** Returns whether the change at a position has been forgotten. */
  boolean isLost(long position) {
    return position < first;
  }

  /** Returns up to that many changes from a position that is not forgotten. */
  List<ObjectChange> from(long position, int atMost) {
    int begin = (int) (position - first);
    return List.copyOf(changes.subList(begin, Math.min(changes.size(), begin + atMost)));
  }

  /** Reverts the current objects to a past revision, which must not be before the horizon. */
  void undo(NavigableMap<String, StoredObject> objects, long revision) {
    for (int i = changes.size() - 1; i >= 0 && changes.get(i).revision() > revision; i--) {
      ObjectChange change = changes.get(i);
      StoredObject before = change.before();
      StoredObject after = change.after();
      if (before != null) {
        objects.put(before.key(), before);
      } else if (after != null) {
        objects.remove(after.key());
      }
    }
  }
}
