package dev.clientgo.clock;

/**
 * Calls methods that block from code that cannot throw {@link InterruptedException}: functions of
 * streams and collections, listeners, {@code Runnable} and {@code Supplier}.
 *
 * <pre>{@code
 * List<Pod> pods = names.stream().map(name -> Interruptible.get(() -> client.get(name))).toList();
 * names.forEach(name -> Interruptible.run(() -> client.delete(name)));
 * }</pre>
 *
 * <p>If the thread is interrupted, the call ends at once, the interrupt flag is set again, and an
 * {@link UncheckedInterruptedException} ends the stream. All other exceptions pass unchanged.
 *
 * <p>Code that can throw {@code InterruptedException}, such as a {@code Callable} for an executor,
 * does not need this class.
 */
public final class Interruptible {

  private Interruptible() {}

  /**
   * A call that blocks and has a result.
   *
   * @param <T> the type of the result
   */
  @FunctionalInterface
  public interface Call<T> {
    /** Makes the call. */
    T call() throws InterruptedException;
  }

  /** A call that blocks and has no result. */
  @FunctionalInterface
  public interface Action {
    /** Makes the call. */
    void run() throws InterruptedException;
  }

  /**
   * Makes a call and returns its result.
   *
   * @throws UncheckedInterruptedException if the thread is interrupted
   */
  public static <T> T get(Call<T> call) {
    try {
      return call.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedInterruptedException(e);
    }
  }

  /**
   * Makes a call.
   *
   * @throws UncheckedInterruptedException if the thread is interrupted
   */
  public static void run(Action action) {
    try {
      action.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedInterruptedException(e);
    }
  }
}
