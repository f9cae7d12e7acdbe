package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.ListMeta;
import java.util.Iterator;
import java.util.List;

/**
 * Objects of one type, as a server listed them.
 *
 * @param <T> the type of the objects
 * @param metadata what the list carries besides its items
 * @param items the objects, unmodifiable
 */
public record ResourceList<T>(ListMeta metadata, List<T> items) implements Iterable<T> {

  public ResourceList {
    requireNonNull(metadata, "metadata");
    items = List.copyOf(items);
  }

  @Override
  public Iterator<T> iterator() {
    return items.iterator();
  }
}
