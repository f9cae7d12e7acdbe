package dev.clientgo.workqueue;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The items that a queue still held when the wait for its end was over.
 *
 * <p>Immutable; the lists are in no particular order. {@link #toString} fits in a log line: it
 * counts the items and names the first ten of each list.
 *
 * @param processing the items that workers process
 * @param queued the items that wait for a worker; an item that was added again while it is
 *     processed is in both lists
 * @param <T> the type of items
 */
public record Unfinished<T>(List<T> processing, List<T> queued) {

  private static final int NAMED = 10;

  /** Copies the lists. */
  public Unfinished {
    processing = List.copyOf(processing);
    queued = List.copyOf(queued);
  }

  /** Returns whether all work is done. */
  public boolean isEmpty() {
    return processing.isEmpty() && queued.isEmpty();
  }

  @Override
  public String toString() {
    return isEmpty()
        ? "nothing"
        : describe(processing) + " in process, " + describe(queued) + " queued";
  }

  private static String describe(List<?> items) {
    if (items.isEmpty()) {
      return "none";
    }
    String names =
        items.stream().limit(NAMED).map(String::valueOf).collect(Collectors.joining(", "));
    String more = items.size() > NAMED ? ", and " + (items.size() - NAMED) + " more" : "";
    return items.size() + " (" + names + more + ")";
  }
}
