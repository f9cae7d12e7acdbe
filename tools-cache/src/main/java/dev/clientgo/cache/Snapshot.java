package dev.clientgo.cache;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.apimachinery.runtime.ListSink;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a collection while it is being read, from a list or from the initial events of a
 * watch.
 *
 * <p>What is read is made ready for the store one object at a time, so that never more than one
 * object is held in the form in which it came:
 *
 * <ul>
 *   <li>An object that has not changed since it was stored is dropped in favour of the stored one,
 *       so that to list again does not double the memory.
 *   <li>All others are transformed.
 *   <li>Of an object that cannot be decoded or transformed, the key is remembered: leaving it out
 *       would report as deleted what still exists.
 * </ul>
 *
 * <p>Used by one thread.
 *
 * @param <T> the type of the objects
 */
final class Snapshot<T extends KubernetesObject> implements ListSink<T> {

  private final KeyFunction<? super T> keyFunction;
  private final TransformFunction<T> transform;
  private final @Nullable KnownObjects<T> lastKnown;
  private final Reflector<T> reflector;
  private final Map<String, T> objects = new LinkedHashMap<>();
  private final Set<String> unreadable = new HashSet<>();
  private final OmittedObjectTracker omitted = new OmittedObjectTracker();

  /**
   * Creates an empty snapshot.
   *
   * @param lastKnown what the store has, if that is known
   * @param reflector reports what is wrong with objects
   */
  Snapshot(
      KeyFunction<? super T> keyFunction,
      TransformFunction<T> transform,
      @Nullable KnownObjects<T> lastKnown,
      Reflector<T> reflector) {
    this.keyFunction = keyFunction;
    this.transform = transform;
    this.lastKnown = lastKnown;
    this.reflector = reflector;
  }

  @Override
  public void accept(T item) {
    put(item);
  }

  /** Takes an object in place of the one with the same key, if any. */
  void put(T item) {
    String key = keyOf(item);
    if (key == null) {
      return;
    }
    Optional<T> stored = lastKnown == null ? Optional.empty() : lastKnown.getByKey(key);
    try {
      boolean unchanged = stored.isPresent() && isSameState(stored.get(), item);
      objects.put(key, unchanged ? stored.get() : transform.transform(item));
      readable(key);
    } catch (RuntimeException e) {
      reflector.report(e);
      unreadable(key, e);
    }
  }

  void remove(T item) {
    String key = keyOf(item);
    if (key != null) {
      objects.remove(key);
      readable(key);
    }
  }

  @Override
  public void undecodable(CodecException error) {
    reflector.report(error);
    unreadable(error.objectName(), error);
  }

  /** Takes out an object that was deleted, in a last state that cannot be decoded. */
  void deletedUndecodable(CodecException error) {
    reflector.report(error);
    String name = error.objectName();
    if (name != null) {
      objects.remove(name);
      readable(name);
    }
  }

  private void readable(String key) {
    unreadable.remove(key);
    if (!omitted.isEmpty()) {
      omitted.resolved(key);
    }
  }

  private void unreadable(@Nullable String key, RuntimeException cause) {
    omitted.omitted(key, cause);
    // What came before, in the same snapshot, is not older than what the store has.
    if (key != null && !objects.containsKey(key)) {
      unreadable.add(key);
    }
  }

  private @Nullable String keyOf(T item) {
    try {
      return KeyException.keyOf(keyFunction, item);
    } catch (KeyException e) {
      reflector.report(e);
      omitted.omitted(null, e);
      return null;
    }
  }

  private static boolean isSameState(KubernetesObject stored, KubernetesObject listed) {
    ObjectMeta ours = stored.metadata();
    ObjectMeta theirs = listed.metadata();
    return ours.uid() != null
        && ours.uid().equals(theirs.uid())
        && ours.resourceVersion() != null
        && ours.resourceVersion().equals(theirs.resourceVersion());
  }

  int size() {
    return objects.size();
  }

  /** Returns the keys of objects that exist, but in what state could not be read. */
  Set<String> unreadable() {
    return unreadable;
  }

  /** Returns the objects that the snapshot does not show in their newest state. */
  OmittedObjectTracker omitted() {
    return omitted;
  }

  /** Returns all objects, in the order in which they came. */
  List<T> objects() {
    return new ArrayList<>(objects.values());
  }
}
