package dev.clientgo.cache;

/**
 * Something that a handler is to be told.
 *
 * @param <T> the type of the objects
 */
sealed interface Notification<T> {

  /** Tells the handler. */
  void deliver(ResourceEventHandler<T> handler);

  /** Returns whether the handler is synced only when it has heard this. */
  default boolean isInInitialList() {
    return false;
  }

  /** An object appeared. */
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

  /** An object is gone. */
  record Deleted<T>(DeletedObject<T> deleted) implements Notification<T> {
    @Override
    public void deliver(ResourceEventHandler<T> handler) {
      handler.onDelete(deleted);
    }
  }
}
