package dev.clientgo.envtest.internal.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;

/**
 * The latest changes to a collection, oldest first: what watches read, and what lists of the past
 * are made from.
 *
 * <p>It is bounded. Nothing is kept for a watch: it holds a position and reads on from there, and
 * one that is too slow finds that its position is lost. Not safe for use by many threads: the
 * {@link ObjectStore} guards it.
 */
final class ChangeHistory {

  private final int limit;
  private final List<ObjectChange> changes = new ArrayList<>();

  /** The position of the oldest change that is kept: how many have been forgotten. */
  private long first;

  private long horizon;

  /** Creates an empty history that keeps at least that many changes, and at most twice as many. */
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

  /** Returns the revision after which every change is known. */
  long horizon() {
    return horizon;
  }

  /** Returns the position of the change that comes next. */
  long end() {
    return first + changes.size();
  }

  /** Returns the position of the first change after a revision that is not before the horizon. */
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

  /** Returns up to that many changes from a position that is not lost. */
  List<ObjectChange> from(long position, int atMost) {
    int begin = (int) (position - first);
    return List.copyOf(changes.subList(begin, Math.min(changes.size(), begin + atMost)));
  }

  /** Turns the present of a collection into its past at a revision not before the horizon. */
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
