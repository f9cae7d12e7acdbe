package dev.clientgo.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.CodecException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records which objects one stage of an informer could not pass on. The Reflector has one for
 * objects that cannot be decoded or transformed, the consumer of its queue one for those that the
 * store refuses: each stage sees the states of an object in order, so each can tell when a newer
 * state got through.
 *
 * <p>Safe for use by many threads.
 */
final class OmittedObjectTracker {

  /** How many names and errors are kept; a bug in an index function meets every object. */
  static final int DETAILS = 10;

  /** The error is kept for the first few only: its stack trace can be larger than the object. */
  private record Omission(boolean undecodable, @Nullable RuntimeException cause) {}

  @GuardedBy("this")
  private final Map<String, Omission> byKey = new LinkedHashMap<>();

  @GuardedBy("this")
  private final List<Omission> unnamed = new ArrayList<>();

  /** Read without the lock for each event, so that the normal case costs nothing. */
  private volatile boolean empty = true;

  boolean isEmpty() {
    return empty;
  }

  /**
   * Records an object that was left out.
   *
   * @param key its key, null if not even that is known
   */
  synchronized void omitted(@Nullable String key, RuntimeException cause) {
    empty = false;
    boolean detailed = byKey.size() + unnamed.size() < DETAILS;
    Omission omission = new Omission(cause instanceof CodecException, detailed ? cause : null);
    if (key == null) {
      unnamed.add(omission);
    } else {
      byKey.put(key, omission);
    }
  }

  /** Records that a newer state of the object got through, or that it is deleted. */
  synchronized void resolved(String key) {
    byKey.remove(key);
    empty = byKey.isEmpty() && unnamed.isEmpty();
  }

  /** Forgets all objects: the whole collection is read anew. */
  synchronized void clear() {
    byKey.clear();
    unnamed.clear();
    empty = true;
  }

  /** Returns all objects that one of two stages left out. */
  static OmittedObjects of(
      OmittedObjectTracker reading, OmittedObjectTracker storing, boolean cacheIsEmpty) {
    Map<String, Omission> named = new LinkedHashMap<>();
    List<Omission> all = new ArrayList<>();
    reading.copyTo(named, all);
    storing.copyTo(named, all);
    all.addAll(named.values());
    if (all.isEmpty()) {
      return OmittedObjects.NONE;
    }
    int undecodable = 0;
    for (Omission omission : all) {
      undecodable += omission.undecodable ? 1 : 0;
    }
    Optional<Omission> first = all.stream().filter(each -> each.cause != null).findFirst();
    return new OmittedObjects(
        all.size(),
        undecodable,
        cacheIsEmpty,
        named.keySet().stream().limit(DETAILS).toList(),
        first.isEmpty() ? null : first.get().cause);
  }

  private synchronized void copyTo(Map<String, Omission> named, List<Omission> others) {
    byKey.forEach(named::putIfAbsent);
    others.addAll(unnamed);
  }
}
