package dev.clientgo.cache;

import java.util.List;

/**
 * Some changes of a {@linkplain Store#transaction transaction} could not be made: an object has no
 * key, or an index function failed on it. The others were made. The failures are the {@linkplain
 * #getSuppressed suppressed} exceptions, the first one is also the cause.
 *
 * <p>Corresponds to client-go's {@code tools/cache.TransactionError}.
 */
public final class TransactionException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final int total;
  private final transient List<Integer> successfulIndices;

  TransactionException(
      int total, List<Integer> successfulIndices, List<? extends RuntimeException> failures) {
    super(
        "failed to execute (%s/%s) transactions, first because of: %s"
            .formatted(total - successfulIndices.size(), total, failures.get(0).getMessage()),
        failures.get(0));
    this.total = total;
    this.successfulIndices = List.copyOf(successfulIndices);
    failures.forEach(this::addSuppressed);
  }

  /** Returns how many changes the transaction had. */
  public int total() {
    return total;
  }

  /** Returns the positions of the changes that were made, ascending. */
  public List<Integer> successfulIndices() {
    return successfulIndices;
  }
}
