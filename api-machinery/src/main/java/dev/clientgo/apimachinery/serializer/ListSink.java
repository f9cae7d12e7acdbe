package dev.clientgo.apimachinery.serializer;

import dev.clientgo.apimachinery.errors.CodecException;

/**
 * Receives the items of a list one by one, while the rest of the list still arrives.
 *
 * @param <T> the type of the items
 */
@FunctionalInterface
public interface ListSink<T> {

  /** Receives the next item. */
  void accept(T item);

  /**
   * Receives an item that could not be decoded. The default throws the error, which ends the list.
   *
   * @param error the problem, and the name of the item if it could be read
   */
  default void undecodable(CodecException error) {
    throw error;
  }
}
