package dev.clientgo.apimachinery.serializer;

import dev.clientgo.apimachinery.errors.CodecException;

/**
 * Takes the items of a list one by one, while the rest is still on its way.
 *
 * @param <T> the type of the items
 */
@FunctionalInterface
public interface ListSink<T> {

  /** Takes the next item. */
  void accept(T item);

  /**
   * Takes note of an item that could not be decoded. The default throws, which ends the list.
   *
   * @param error what is wrong with it, and its name as far as it could be read
   */
  default void undecodable(CodecException error) {
    throw error;
  }
}
