package dev.clientgo.controller.internal.debug;

import java.util.ArrayList;
import java.util.List;

/** The causes of a reconcile that has not begun. {@link ReconcileHistory} guards it. */
final class PendingCauses {

  private final List<RecordedCause> causes = new ArrayList<>(2);
  private int dropped;

  /** Keeps the cause, unless there are so many already; returns whether it does. */
  boolean add(RecordedCause cause, int limit) {
    if (causes.size() >= limit) {
      dropped++;
      return false;
    }
    causes.add(cause);
    return true;
  }

  List<RecordedCause> causes() {
    return causes;
  }

  int dropped() {
    return dropped;
  }
}
