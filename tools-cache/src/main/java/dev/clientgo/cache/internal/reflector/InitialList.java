package dev.clientgo.cache.internal.reflector;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.KeyException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.internal.errors.OmittedTracker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Collects the whole state of a collection, either from the items of a list or from the initial
 * events of a watch. The store stays as it is until the list is complete.
 *
 * <p>Each object is prepared for the store when it arrives, so only one object at a time is held in
 * the form in which the server sent it:
 *
 * <ul>
 *   <li>If an object has not changed since it was stored, the list takes the stored one, so a
 *       second list does not double the memory.
 *   <li>The others are transformed.
 *   <li>If an object cannot be decoded or transformed, its key is kept. Without the key, the store
 *       would report that the object was deleted, although it exists.
 * </ul>
 *
 * <p>During initial events, objects may change or be deleted; the list shows the result. Each case
 * returns whether the initial events are complete.
 *
 * <p>Used by one thread.
 *
 * @param <T> the type of the objects
 */
public final class InitialList<T extends KubernetesObject>
    implements ListSink<T>, WatchEvent.Cases<T, Boolean> {

  private final Function<? super T, String> keyFunction;
  private final UnaryOperator<T> transform;
  private final Function<String, Optional<T>> lastKnown;
  private final ErrorReporter errors;
  private final long start;
  private final Map<String, T> objects = new LinkedHashMap<>();
  private final Set<String> unreadable = new HashSet<>();
  private final OmittedTracker omitted = new OmittedTracker();
  private String resourceVersion = "";

  /**
   * Creates an empty list.
   *
   * @param keyFunction returns the key of an object, or throws a {@link KeyException}
   * @param lastKnown returns the object that the store has under a key, empty if that is not known
   * @param start the time at which reading begins, by the monotonic clock
   */
  public InitialList(
      Function<? super T, String> keyFunction,
      UnaryOperator<T> transform,
      Function<String, Optional<T>> lastKnown,
      ErrorReporter errors,
      long start) {
    this.keyFunction = keyFunction;
    this.transform = transform;
    this.lastKnown = lastKnown;
    this.errors = errors;
    this.start = start;
  }

  // ---- the items of a list

  /** Puts an object into the list; replaces the one with the same key, if any. */
  @Override
  public void accept(T item) {
    String key = keyOf(item);
    if (key == null) {
      return;
    }
    Optional<T> stored = lastKnown.apply(key);
    try {
      boolean unchanged = stored.isPresent() && isSameState(stored.get(), item);
      objects.put(key, unchanged ? stored.get() : transform.apply(item));
      readable(key);
    } catch (RuntimeException e) {
      errors.report(e);
      unreadable(key, e);
    }
  }

  @Override
  public void undecodable(CodecException error) {
    errors.report(error);
    unreadable(error.objectName(), error);
  }

  /** Completes the list, which shows this version of the collection. */
  void complete(String resourceVersion) {
    this.resourceVersion = resourceVersion;
  }

  // ---- the initial events of a watch

  @Override
  public Boolean added(T object) {
    accept(object);
    return false;
  }

  @Override
  public Boolean modified(T object) {
    accept(object);
    return false;
  }

  @Override
  public Boolean deleted(T object) {
    remove(keyOf(object));
    return false;
  }

  @Override
  public Boolean bookmark(String resourceVersion, boolean initialEventsEnd) {
    // After an ordinary bookmark more initial events may follow.
    if (initialEventsEnd) {
      complete(resourceVersion);
    }
    return initialEventsEnd;
  }

  @Override
  public Boolean failed(KubernetesException error) {
    if (!(error instanceof CodecException codec) || !codec.isRecoverable()) {
      throw error;
    }
    if (codec.isInDeleted()) {
      errors.report(codec);
      remove(codec.objectName());
    } else {
      undecodable(codec);
    }
    return false;
  }

  private void remove(@Nullable String key) {
    if (key != null) {
      objects.remove(key);
      readable(key);
    }
  }

  // ---- the result

  private void readable(String key) {
    unreadable.remove(key);
    if (!omitted.isEmpty()) {
      omitted.resolved(key);
    }
  }

  private void unreadable(@Nullable String key, RuntimeException cause) {
    omitted.omitted(key, cause);
    // An earlier state in the same list is not older than the one in the store.
    if (key != null && !objects.containsKey(key)) {
      unreadable.add(key);
    }
  }

  private @Nullable String keyOf(T item) {
    try {
      return keyFunction.apply(item);
    } catch (KeyException e) {
      errors.report(e);
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

  /** Returns the time at which reading began. */
  public long start() {
    return start;
  }

  /** Returns the number of objects. */
  public int size() {
    return objects.size();
  }

  /** Returns the version of the collection that the list shows, once it is complete. */
  public String resourceVersion() {
    return resourceVersion;
  }

  /** Returns the keys of the objects. */
  Set<String> keys() {
    return objects.keySet();
  }

  /** Returns the keys of the objects that exist but could not be read. */
  public Set<String> unreadable() {
    return unreadable;
  }

  /** Returns the objects whose newest state is missing from the list. */
  public OmittedTracker omitted() {
    return omitted;
  }

  /** Returns all objects, in the order of their arrival. */
  public List<T> objects() {
    return new ArrayList<>(objects.values());
  }
}
