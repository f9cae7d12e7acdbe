package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value made from a cache, made anew only when somebody asks for it and the cache has changed
 * since: a handler calls {@link #invalidate} at each change, readers call {@link #get}.
 *
 * <p>Who asks while the value is being made waits for it; it is made once for all of them. A change
 * while it is being made makes it outdated at once: it still goes to those who wait, but the next
 * who asks gets another. If making it fails, the error goes to who asked and nothing is kept.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache/synctrack.Lazy}.
 *
 * @param <V> the type of the value
 */
public final class Lazy<V> {

  private final Supplier<? extends V> evaluation;
  private volatile Entry current = new Entry();

  private Lazy(Supplier<? extends V> evaluation) {
    this.evaluation = requireNonNull(evaluation, "evaluation");
  }

  /**
   * Returns a value that is not made yet.
   *
   * @param evaluation makes the value, and may be called by several threads at once; not null
   */
  public static <V> Lazy<V> of(Supplier<? extends V> evaluation) {
    return new Lazy<>(evaluation);
  }

  /** Takes note that the value has to be made anew. */
  public void invalidate() {
    current = new Entry();
  }

  /** Returns the value, and makes it if there is none, or it is outdated. */
  public V get() {
    return current.get();
  }

  /** The value between two changes. */
  private final class Entry {

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable V value;

    V get() {
      lock.lock();
      try {
        V made = value;
        if (made == null) {
          made = requireNonNull(evaluation.get(), "value");
          value = made;
        }
        return made;
      } finally {
        lock.unlock();
      }
    }
  }
}
