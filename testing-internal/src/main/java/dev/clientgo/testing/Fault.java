package dev.clientgo.testing;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The ways in which a user's function fails. */
public enum Fault {
  /** An unchecked exception. */
  EXCEPTION("a bug of the user"),
  /** An Error. */
  ERROR("com/example/Missing"),
  /** A recursion without an end. */
  STACK_OVERFLOW("StackOverflowError"),
  /** An exception whose text cannot be read. */
  WITHOUT_TEXT("WithoutText");

  private final String told;

  Fault(String told) {
    this.told = told;
  }

  /** Returns what an error message of the library has of this: its text or else its class. */
  public String told() {
    return told;
  }

  /** Throws; may stand where a value is needed. */
  @SuppressWarnings("TypeParameterUnusedInFormals") // For use as any expression.
  public <R> R fail() {
    switch (this) {
      case EXCEPTION -> throw new IllegalStateException(told);
      case ERROR -> throw new NoClassDefFoundError(told);
      case WITHOUT_TEXT -> throw new WithoutText();
      default -> throw new AssertionError(recurse(0)); // Does not come so far.
    }
  }

  private static int recurse(int depth) {
    return depth < 0 ? 0 : recurse(depth + 1) + 1;
  }

  /** Returns what {@link #fail} throws. */
  public Throwable thrown() {
    try {
      return fail();
    } catch (Throwable e) {
      return e;
    }
  }

  /** An exception that cannot be printed. */
  private static final class WithoutText extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }

    @Override
    public String toString() {
      throw new IllegalStateException("no text");
    }
  }

  /** Makes functions fail that visit it: always, or for objects whose names begin with bad. */
  public static final class Injector {

    private volatile @Nullable Fault fault;
    private final AtomicInteger strikes = new AtomicInteger();

    /** Makes functions fail from now on. */
    public void begin(Fault kind) {
      fault = kind;
    }

    /** Lets them work again. */
    public void end() {
      fault = null;
    }

    /** Returns how often a function has failed. */
    public int strikes() {
      return strikes.get();
    }

    /** Called by a function that fails for some objects. */
    public void visit(@Nullable String name) {
      if (name != null && name.startsWith("bad")) {
        visit();
      }
    }

    /** Called by a function that fails always. */
    public void visit() {
      Fault current = fault;
      if (current != null) {
        strikes.incrementAndGet();
        current.fail();
      }
    }
  }
}
