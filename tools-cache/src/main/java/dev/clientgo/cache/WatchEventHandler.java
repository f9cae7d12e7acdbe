package dev.clientgo.cache;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.KeyException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.util.function.Consumer;

/**
 * Applies the events of a watch to the store and advances the position of the Reflector. If the
 * transform or the store refuses an object, this reports and skips it, and the store keeps the
 * state that it has.
 *
 * <p>Each case returns false: no event ends a watch. Used by one thread. Corresponds to client-go's
 * {@code handleWatch}.
 *
 * @param <T> the type of the objects
 */
final class WatchEventHandler<T extends KubernetesObject> implements WatchEvent.Cases<T, Boolean> {

  private final ReflectorStore<T> store;
  private final TransformFunction<T> transform;
  private final ReflectorPosition position;
  private final ReflectorHealth health;
  private final ErrorReporter errors;

  /** Whether the versions of the next events only grow, so that a watch may resume at each. */
  private boolean inOrder;

  WatchEventHandler(
      ReflectorStore<T> store,
      TransformFunction<T> transform,
      ReflectorPosition position,
      ReflectorHealth health,
      ErrorReporter errors) {
    this.store = store;
    this.transform = transform;
    this.position = position;
    this.health = health;
    this.errors = errors;
  }

  /**
   * Prepares for the events of another watch.
   *
   * @param inOrder false if the watch begins with the current objects, which come in no particular
   *     order of versions
   */
  void watchBegins(boolean inOrder) {
    this.inOrder = inOrder;
  }

  @Override
  public Boolean added(T object) {
    return pass(object, it -> store.add(transform.transform(it)));
  }

  @Override
  public Boolean modified(T object) {
    inOrder = true;
    return pass(object, it -> store.update(transform.transform(it)));
  }

  @Override
  public Boolean deleted(T object) {
    inOrder = true;
    return pass(object, this::delete);
  }

  /** Deletes an object even if the transform refuses its last state. */
  private void delete(T object) {
    T last;
    try {
      last = transform.transform(object);
    } catch (RuntimeException e) {
      // The error is reported, but nothing is missing from the store.
      store.deleteByKey(ObjectName.of(object).toString());
      errors.report(e);
      return;
    }
    store.delete(last);
  }

  private boolean pass(T object, Consumer<T> change) {
    OmittedObjects.Tracker omitted = health.omitted();
    try {
      change.accept(object);
      if (!omitted.isEmpty()) {
        omitted.resolved(ObjectName.of(object).toString());
      }
    } catch (RuntimeException e) {
      errors.report(e);
      omitted.omitted(e instanceof KeyException ? null : ObjectName.of(object).toString(), e);
    }
    if (inOrder) {
      position.reached(object.metadata().resourceVersion());
    }
    return false;
  }

  @Override
  public Boolean bookmark(String resourceVersion, boolean initialEventsEnd) {
    inOrder = true;
    store.bookmark(resourceVersion);
    position.reached(resourceVersion);
    return false;
  }

  @Override
  public Boolean failed(KubernetesException error) {
    if (error instanceof CodecException codec && codec.isRecoverable()) {
      errors.report(error);
      String key = codec.objectName();
      OmittedObjects.Tracker omitted = health.omitted();
      if (!codec.isInDeleted()) {
        omitted.omitted(key, error);
      } else if (key != null) {
        store.deleteByKey(key);
        omitted.resolved(key);
      }
      return false;
    }
    throw error;
  }
}
