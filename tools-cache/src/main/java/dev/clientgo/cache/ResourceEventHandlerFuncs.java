package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A handler that calls functions, for programs that need only some of the calls:
 *
 * <pre>{@code
 * informer.addEventHandler(
 *     ResourceEventHandlerFuncs.<Pod>builder()
 *         .onAdd(pod -> queue.add(ObjectName.of(pod)))
 *         .onUpdate((before, after) -> queue.add(ObjectName.of(after)))
 *         .onDelete(deleted -> queue.add(deleted.objectName()))
 *         .build());
 * }</pre>
 *
 * <p>Immutable. Corresponds to client-go's {@code tools/cache.TypedResourceEventHandlerFuncs} and
 * {@code TypedResourceEventHandlerDetailedFuncs}.
 *
 * @param <T> the type of the objects
 */
public final class ResourceEventHandlerFuncs<T> implements ResourceEventHandler<T> {

  /**
   * Handles an object that was added; see {@link ResourceEventHandler#onAdd}.
   *
   * @param <T> the type of the objects
   */
  @FunctionalInterface
  public interface AddFunction<T> {

    /** Handles an object that was added. */
    void onAdd(T object, boolean isInInitialList);
  }

  private final AddFunction<? super T> add;
  private final BiConsumer<? super T, ? super T> update;
  private final Consumer<? super DeletedObject<T>> delete;

  private ResourceEventHandlerFuncs(Builder<T> builder) {
    this.add = builder.add;
    this.update = builder.update;
    this.delete = builder.delete;
  }

  /** Returns a builder of handlers that ignore everything. */
  public static <T> Builder<T> builder() {
    return new Builder<>();
  }

  @Override
  public void onAdd(T object, boolean isInInitialList) {
    add.onAdd(object, isInInitialList);
  }

  @Override
  public void onUpdate(T oldObject, T newObject) {
    update.accept(oldObject, newObject);
  }

  @Override
  public void onDelete(DeletedObject<T> deleted) {
    delete.accept(deleted);
  }

  /**
   * Builds {@link ResourceEventHandlerFuncs}. Not safe for use by many threads.
   *
   * @param <T> the type of the objects
   */
  public static final class Builder<T> {

    private AddFunction<? super T> add = (object, isInInitialList) -> {};
    private BiConsumer<? super T, ? super T> update = (before, after) -> {};
    private Consumer<? super DeletedObject<T>> delete = deleted -> {};

    private Builder() {}

    /** Sets the function for an object that was added. Default: none. */
    public Builder<T> onAdd(Consumer<? super T> add) {
      requireNonNull(add, "add");
      this.add = (object, isInInitialList) -> add.accept(object);
      return this;
    }

    /**
     * Sets the function for an object that was added, or existed before the handler was registered.
     * Default: none.
     */
    public Builder<T> onAddDetailed(AddFunction<? super T> add) {
      this.add = requireNonNull(add, "add");
      return this;
    }

    /** Sets the function for the old and the new state of an updated object. Default: none. */
    public Builder<T> onUpdate(BiConsumer<? super T, ? super T> update) {
      this.update = requireNonNull(update, "update");
      return this;
    }

    /** Sets the function for a deleted object. Default: none. */
    public Builder<T> onDelete(Consumer<? super DeletedObject<T>> delete) {
      this.delete = requireNonNull(delete, "delete");
      return this;
    }

    /** Returns the handler built. */
    public ResourceEventHandlerFuncs<T> build() {
      return new ResourceEventHandlerFuncs<>(this);
    }
  }
}
