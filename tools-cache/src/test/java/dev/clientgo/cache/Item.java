package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.cache.Delta.Added;
import dev.clientgo.cache.Delta.Deleted;
import dev.clientgo.cache.Delta.Replaced;
import dev.clientgo.cache.Delta.Sync;
import dev.clientgo.cache.Delta.Updated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The object of the tests of queues and stores: a name, which is the key, and a value. */
record Item(String name, int value) {

  static final KeyFunction<Item> KEY = Item::name;

  static Item item(String name, int value) {
    return new Item(name, value);
  }

  static Delta<Item> added(String name, int value) {
    return new Added<>(name, item(name, value));
  }

  static Delta<Item> updated(String name, int value) {
    return new Updated<>(name, item(name, value));
  }

  static Delta<Item> replaced(String name, int value) {
    return new Replaced<>(name, item(name, value));
  }

  static Delta<Item> sync(String name, int value) {
    return new Sync<>(name, item(name, value));
  }

  /** A deletion that the watch reported. */
  static Delta<Item> deleted(String name, int value) {
    return new Deleted<>(DeletedObject.of(name, item(name, value)));
  }

  /** A deletion inferred from a list. */
  static Delta<Item> gone(String name, int lastKnown) {
    return new Deleted<>(DeletedObject.ofUnknownFinalState(name, item(name, lastKnown)));
  }

  /** The content of a consumer's store. */
  static KnownObjects<Item> known(Item... items) {
    return new KnownObjects<>() {
      @Override
      public List<String> listKeys() {
        return Stream.of(items).map(Item::name).toList();
      }

      @Override
      public Optional<Item> getByKey(String key) {
        return Stream.of(items).filter(item -> item.name().equals(key)).findFirst();
      }
    };
  }

  /** Takes out that many entries, one pop at a time. */
  static <T> List<List<Delta<T>>> pop(Queue<T> queue, int count) throws InterruptedException {
    List<List<Delta<T>>> popped = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      queue.pop((deltas, isInInitialList) -> popped.add(List.copyOf(deltas)));
    }
    return popped;
  }

  /** Closes the queue and takes out all entries, one pop at a time. */
  static <T> List<List<Delta<T>>> drain(Queue<T> queue) throws InterruptedException {
    queue.close();
    List<List<Delta<T>>> popped = new ArrayList<>();
    while (queue.pop((deltas, isInInitialList) -> popped.add(List.copyOf(deltas)))) {}
    return popped;
  }

  /** Does the same with a queue that returns one delta at a time. */
  static <T> List<Delta<T>> drainEach(Queue<T> queue) throws InterruptedException {
    List<List<Delta<T>>> popped = drain(queue);
    assertThat(popped).allMatch(deltas -> deltas.size() == 1);
    return popped.stream().flatMap(List::stream).toList();
  }
}
