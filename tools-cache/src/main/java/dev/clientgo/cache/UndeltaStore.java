package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A store for a program that needs the whole state instead of changes: after each change that a
 * {@link Reflector} reports, it calls the program with all objects. With many objects this is
 * expensive; use a handler of an informer instead.
 *
 * <p>Safe for use by many threads; two changes at the same time may lead to two calls with the same
 * objects. Corresponds to client-go's {@code tools/cache.UndeltaStore}.
 *
 * @param <T> the type of the objects
 */
public final class UndeltaStore<T> implements ReflectorStore<T> {

  private final Store<T> store;
  private final Consumer<? super List<T>> push;

  private UndeltaStore(Store<T> store, Consumer<? super List<T>> push) {
    this.store = store;
    this.push = requireNonNull(push, "push");
  }

  /**
   * Returns an empty store.
   *
   * @param push receives all objects after each change, in the thread that makes the change
   */
  public static <T> UndeltaStore<T> create(
      KeyFunction<? super T> keyFunction, Consumer<? super List<T>> push) {
    return new UndeltaStore<>(Indexer.create(keyFunction), push);
  }

  /** Returns all objects. */
  public List<T> list() {
    return store.list();
  }

  @Override
  public void add(T object) {
    store.add(object);
    push.accept(store.list());
  }

  @Override
  public void update(T object) {
    store.update(object);
    push.accept(store.list());
  }

  @Override
  public void delete(T object) {
    store.delete(object);
    push.accept(store.list());
  }

  @Override
  public void deleteByKey(String key) {
    store.deleteByKey(key);
    push.accept(store.list());
  }

  @Override
  public void replace(List<T> objects, String resourceVersion) {
    replace(objects, Set.of(), resourceVersion);
  }

  @Override
  public void replace(List<T> objects, Set<String> unreadable, String resourceVersion) {
    store.replace(objects, unreadable, resourceVersion);
    push.accept(store.list());
  }

  @Override
  public void resync() {}

  @Override
  public void bookmark(String resourceVersion) {
    store.bookmark(resourceVersion);
  }
}
