package dev.clientgo.cache;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.IntStream;

/**
 * Some changes of a {@linkplain Store#transaction transaction} failed, because an object has no key
 * or an index function failed on it. The others were made. One bug may concern every object, so
 * only the first ten failures are {@linkplain #getSuppressed suppressed} exceptions. The first one
 * is also the cause, and the message contains their number.
 *
 * <p>Corresponds to client-go's {@code tools/cache.TransactionError}.
 */
public final class TransactionException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  /** How many failures are attached at most: {@value}. */
  private static final int MAX_ATTACHED = 10;

  private final int total;
  private final transient List<Integer> successfulIndices;
  private final transient Map<Integer, RuntimeException> failures;

  /**
   * Creates an instance.
   *
   * @param failures why changes failed, by their positions in ascending order; at least one
   */
  TransactionException(int total, SortedMap<Integer, RuntimeException> failures) {
    super(message(total, failures), first(failures));
    this.total = total;
    this.successfulIndices =
        IntStream.range(0, total).filter(i -> !failures.containsKey(i)).boxed().toList();
    this.failures = failures;
    failures.values().stream().limit(MAX_ATTACHED).forEach(this::addSuppressed);
  }

  private static RuntimeException first(SortedMap<Integer, RuntimeException> failures) {
    return failures.values().iterator().next();
  }

  private static String message(int total, SortedMap<Integer, RuntimeException> failures) {
    int more = failures.size() - MAX_ATTACHED;
    return "failed to execute (%s/%s) transactions, first because of: %s%s"
        .formatted(
            failures.size(),
            total,
            first(failures).getMessage(),
            more > 0
                ? " (the first %s are attached, and %s more)".formatted(MAX_ATTACHED, more)
                : "");
  }

  /** Returns how many changes the transaction had. */
  public int total() {
    return total;
  }

  /** Returns why changes failed, by their positions. */
  Map<Integer, RuntimeException> failures() {
    return failures;
  }

  /** Returns the positions of the changes that were made, ascending. */
  public List<Integer> successfulIndices() {
    return successfulIndices;
  }
}
