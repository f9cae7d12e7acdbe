package dev.clientgo.cache;

/**
 * One call of a handler: an object was added, updated or deleted.
 *
 * @param <T> the type of the objects
 */
sealed interface Notification<T> {

  /** Calls the handler. */
  void deliver(ResourceEventHandler<T> handler);

  /** Returns whether the handler is synced only after this call. */
  default boolean isInInitialList() {
    return false;
  }

  /** An object was added. */
  record Added<T>(T object, boolean isInInitialList) implements Notification<T> {
    @Override
    public void deliver(ResourceEventHandler<T> handler) {
      handler.onAdd(object, isInInitialList);
    }
  }

  /** An object was changed. */
  record Updated<T>(T oldObject, T newObject) implements Notification<T> {
    @Override
    public void deliver(ResourceEventHandler<T> handler) {
      handler.onUpdate(oldObject, newObject);
    }
  }

  /** An object was deleted. */
  record Deleted<T>(DeletedObject<T> deleted) implements Notification<T> {
    @Override
    public void deliver(ResourceEventHandler<T> handler) {
      handler.onDelete(deleted);
    }
  }
}
