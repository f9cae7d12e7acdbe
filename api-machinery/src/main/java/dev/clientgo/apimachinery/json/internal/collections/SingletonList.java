package dev.clientgo.apimachinery.json.internal.collections;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.RandomAccess;

/**
 * An unmodifiable list of one element, which is not null. It takes 16 bytes, where {@link
 * List#of(Object)} takes 24. A pod has six lists of one element (docs/benchmarks/informer.md).
 */
public final class SingletonList<E> extends AbstractCollection<E> implements List<E>, RandomAccess {

  private final E element;

  public SingletonList(E element) {
    this.element = element;
  }

  /** Returns an equal list of the JDK, for the methods that are rarely called. */
  private List<E> full() {
    return List.of(element);
  }

  @Override
  public int size() {
    return 1;
  }

  @Override
  public E get(int index) {
    return index == 0 ? element : full().get(index);
  }

  @Override
  public Iterator<E> iterator() {
    return full().iterator();
  }

  @Override
  public ListIterator<E> listIterator() {
    return full().listIterator();
  }

  @Override
  public ListIterator<E> listIterator(int index) {
    return full().listIterator(index);
  }

  @Override
  public List<E> subList(int from, int to) {
    return full().subList(from, to);
  }

  @Override
  public int indexOf(Object other) {
    return full().indexOf(other);
  }

  @Override
  public int lastIndexOf(Object other) {
    return full().lastIndexOf(other);
  }

  @Override
  public E set(int index, E other) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void add(int index, E other) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean addAll(int index, Collection<? extends E> others) {
    throw new UnsupportedOperationException();
  }

  @Override
  public E remove(int index) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void clear() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean equals(Object other) {
    return full().equals(other);
  }

  @Override
  public int hashCode() {
    return 31 + element.hashCode();
  }
}
