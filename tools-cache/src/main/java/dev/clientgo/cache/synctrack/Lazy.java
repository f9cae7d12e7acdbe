package dev.clientgo.cache.synctrack;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is computed from a cache when it is read, and again only if the cache has changed
 * since. A handler calls {@link #invalidate} at each change, readers call {@link #get}.
 *
 * <p>Readers that come during the computation wait for it and share its result. If the cache
 * changes during the computation, those readers still get the result, and the next reader starts
 * another computation. If the computation fails, the reader gets the error, and nothing is kept.
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
   * Returns a value that has not been computed yet.
   *
   * @param evaluation computes the value; several threads may call it at once, and it must not
   *     return null
   */
  public static <V> Lazy<V> of(Supplier<? extends V> evaluation) {
    return new Lazy<>(evaluation);
  }

  /** Records that the value is outdated. */
  public void invalidate() {
    current = new Entry();
  }

  /** Returns the value; computes it first if there is none, or if it is outdated. */
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
        V computed = value;
        if (computed == null) {
          computed = requireNonNull(evaluation.get(), "value");
          value = computed;
        }
        return computed;
      } finally {
        lock.unlock();
      }
    }
  }
}
