package dev.clientgo.apimachinery.json;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.RandomAccess;

/**
 * An unmodifiable list of one element, which is not null. It takes 16 bytes, {@link
 * List#of(Object)} takes 24, and most lists in API objects have one element: a pod has half a dozen
 * of them.
 */
final class SingletonList<E> extends AbstractCollection<E> implements List<E>, RandomAccess {

  private final E element;

  SingletonList(E element) {
    this.element = element;
  }

  /** Returns an equal list that costs more and can do all that lists can. */
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
