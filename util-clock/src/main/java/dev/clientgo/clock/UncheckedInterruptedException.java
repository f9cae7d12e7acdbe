package dev.clientgo.clock;

import static java.util.Objects.requireNonNull;

/**
 * An {@link InterruptedException} in code that cannot throw one. The interrupt flag of the thread
 * is set when it is thrown.
 *
 * <p>It is no error of the library, so a {@code catch (KubernetesException e)} that continues with
 * the next object does not catch it. A method that can throw {@code InterruptedException} turns it
 * back:
 *
 * <pre>{@code
 * } catch (UncheckedInterruptedException e) {
 *   throw e.interruption();
 * }
 * }</pre>
 *
 * @see Interruptible
 */
public final class UncheckedInterruptedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  UncheckedInterruptedException(InterruptedException cause) {
    super(requireNonNull(cause, "cause"));
  }

  /**
   * Clears the interrupt flag of the thread and returns the interruption, for the caller to throw.
   */
  public InterruptedException interruption() {
    Thread.interrupted();
    return (InterruptedException) requireNonNull(getCause(), "cause");
  }
}
