package dev.clientgo.cache.internal.errors;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.CodecException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records the objects that one stage of an informer omitted. The Reflector has one for the objects
 * that cannot be decoded or transformed, the Controller has one for those that the store refuses.
 * Each stage sees the states of an object in order, so it can tell when a newer state got through.
 *
 * <p>Safe for use by many threads.
 */
public final class OmittedTracker {

  /**
   * The omission of one object.
   *
   * @param undecodable whether the object could not be decoded
   * @param cause the error, kept of the first few only: its stack trace can be larger than the
   *     object
   */
  public record Omission(boolean undecodable, @Nullable RuntimeException cause) {}

  /** How many names and errors are kept: a bug in an index function may concern every object. */
  public static final int DETAILS = 10;

  @GuardedBy("this")
  private final Map<String, Omission> byKey = new LinkedHashMap<>();

  @GuardedBy("this")
  private final List<Omission> unnamed = new ArrayList<>();

  /** Read without the lock for each event, so that the normal case takes no lock. */
  private volatile boolean empty = true;

  /** Returns whether there are no such objects. */
  public boolean isEmpty() {
    return empty;
  }

  /**
   * Records an object that was left out.
   *
   * @param key its key, null if not even that is known
   */
  public synchronized void omitted(@Nullable String key, RuntimeException cause) {
    empty = false;
    boolean detailed = byKey.size() + unnamed.size() < DETAILS;
    Omission omission = new Omission(cause instanceof CodecException, detailed ? cause : null);
    if (key == null) {
      unnamed.add(omission);
    } else {
      byKey.put(key, omission);
    }
  }

  /** Records that a newer state of the object got through, or that it was deleted. */
  public synchronized void resolved(String key) {
    byKey.remove(key);
    empty = byKey.isEmpty() && unnamed.isEmpty();
  }

  /** Forgets all objects, because the whole collection is read again. */
  public synchronized void clear() {
    byKey.clear();
    unnamed.clear();
    empty = true;
  }

  /** Adds the objects with a key to a map that may have them already, and the others to a list. */
  public synchronized void copyTo(Map<String, Omission> named, List<Omission> others) {
    byKey.forEach(named::putIfAbsent);
    others.addAll(unnamed);
  }
}
