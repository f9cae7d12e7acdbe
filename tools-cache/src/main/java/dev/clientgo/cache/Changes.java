package dev.clientgo.cache;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.util.function.Consumer;

/**
 * Takes the events of a watch and passes them on to the store. An object that cannot be passed on
 * is reported and skipped; the store keeps what it has of it.
 *
 * <p>Each case returns whether the watch has served its purpose, which it never has. Used by one
 * thread.
 *
 * @param <T> the type of the objects
 */
final class Changes<T extends KubernetesObject> implements WatchEvent.Cases<T, Boolean> {

  private final ReflectorStore<T> store;
  private final TransformFunction<T> transform;
  private final ReflectorPosition position;
  private final Reflector<T> reflector;

  /** Whether versions only grow from here, so that another watch could go on behind the last. */
  private boolean inOrder;

  Changes(
      ReflectorStore<T> store,
      TransformFunction<T> transform,
      ReflectorPosition position,
      boolean inOrder,
      Reflector<T> reflector) {
    this.store = store;
    this.transform = transform;
    this.position = position;
    this.inOrder = inOrder;
    this.reflector = reflector;
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

  /** An object that is gone is gone, even if its last state is refused. */
  private void delete(T object) {
    T last;
    try {
      last = transform.transform(object);
    } catch (RuntimeException e) {
      // The error is reported, but nothing is missing from the store.
      store.deleteByKey(ObjectName.of(object).toString());
      reflector.report(e);
      return;
    }
    store.delete(last);
  }

  private boolean pass(T object, Consumer<T> change) {
    OmittedObjectTracker omitted = reflector.vitals().omitted();
    try {
      change.accept(object);
      if (!omitted.isEmpty()) {
        omitted.resolved(ObjectName.of(object).toString());
      }
    } catch (RuntimeException e) {
      reflector.report(e);
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
      reflector.report(error);
      String key = codec.objectName();
      OmittedObjectTracker omitted = reflector.vitals().omitted();
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
