package dev.clientgo.cache;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.KeyException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.cache.internal.errors.OmittedTracker;
import dev.clientgo.cache.internal.reflector.ErrorReporter;
import dev.clientgo.cache.internal.reflector.ReflectorHealth;
import dev.clientgo.cache.internal.reflector.ReflectorPosition;
import dev.clientgo.cache.internal.reflector.WatchEvents;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Applies the events of a watch to the store of a Reflector, which in an informer is the queue, and
 * advances the position of the Reflector. If the transform or the store refuses an object, this
 * reports and skips it, and the store keeps the state that it has.
 *
 * <p>Used by one thread. Corresponds to client-go's {@code handleWatch}.
 *
 * @param <T> the type of the objects
 */
final class WatchEventHandler<T extends KubernetesObject> implements WatchEvents<T> {

  private final ReflectorStore<T> store;
  private final UnaryOperator<T> transform;
  private final ReflectorPosition position;
  private final ReflectorHealth health;
  private final ErrorReporter errors;

  /** Whether the versions of the next events only grow, so that a watch may resume at each. */
  private boolean inOrder;

  WatchEventHandler(
      ReflectorStore<T> store,
      UnaryOperator<T> transform,
      ReflectorPosition position,
      ReflectorHealth health,
      ErrorReporter errors) {
    this.store = store;
    this.transform = transform;
    this.position = position;
    this.health = health;
    this.errors = errors;
  }

  @Override
  public void watchBegins(boolean inOrder) {
    this.inOrder = inOrder;
  }

  @Override
  public Boolean added(T object) {
    return pass(object, it -> store.add(transform.apply(it)));
  }

  @Override
  public Boolean modified(T object) {
    inOrder = true;
    return pass(object, it -> store.update(transform.apply(it)));
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
      last = transform.apply(object);
    } catch (RuntimeException e) {
      // The error is reported, but nothing is missing from the store.
      store.deleteByKey(ObjectName.of(object).toString());
      errors.report(e);
      return;
    }
    store.delete(last);
  }

  private boolean pass(T object, Consumer<T> change) {
    health.confirmed();
    OmittedTracker omitted = health.omitted();
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
    health.confirmed();
    store.bookmark(resourceVersion);
    position.reached(resourceVersion);
    return false;
  }

  @Override
  public Boolean failed(KubernetesException error) {
    if (error instanceof CodecException codec && codec.isRecoverable()) {
      health.confirmed();
      errors.report(error);
      String key = codec.objectName();
      OmittedTracker omitted = health.omitted();
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
