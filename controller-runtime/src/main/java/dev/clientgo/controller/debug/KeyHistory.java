package dev.clientgo.controller.debug;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.ObjectName;
import java.util.List;

/**
 * The last reconciles of one request by one controller.
 *
 * @param controller the name of the controller
 * @param request the namespace and the name that the request has
 * @param reconciles how many reconciles there were since the recorder first saw the request
 * @param records the last of them, the oldest first
 * @param pending the causes of the next reconcile, which has not begun
 * @param droppedPending how many more causes of the next reconcile came, beyond the limit
 */
public record KeyHistory(
    String controller,
    ObjectName request,
    long reconciles,
    List<ReconcileRecord> records,
    List<Cause> pending,
    int droppedPending) {

  public KeyHistory {
    requireNonNull(controller, "controller");
    requireNonNull(request, "request");
    records = List.copyOf(records);
    pending = List.copyOf(pending);
  }

  /** Returns the history in lines, as the message of a failed test shows it. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(controller).append(' ').append(request).append(": ");
    text.append(reconciles).append(reconciles == 1 ? " reconcile" : " reconciles");
    if (records.size() < reconciles) {
      text.append(", the last ").append(records.size()).append(':');
    }
    for (ReconcileRecord each : records) {
      text.append("\n  ").append(each.toString().replace("\n", "\n  "));
    }
    if (!pending.isEmpty()) {
      text.append("\n  waiting for the next reconcile:");
      pending.forEach(
          cause -> text.append("\n    ").append(cause.toString().replace("\n", "\n    ")));
      if (droppedPending > 0) {
        text.append("\n    and ").append(droppedPending).append(" more causes");
      }
    }
    return text.toString();
  }
}
