package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Lives in the order in which they were pushed, linked through themselves: pushing, popping and
 * removing take constant time and no memory. A life can be in one list at a time.
 */
final class LifeList<T> implements ReadyOrder<T> {

  private @Nullable Life<T> first;
  private @Nullable Life<T> last;
  private int size;

  @Override
  public int size() {
    return size;
  }

  @Nullable Life<T> first() {
    return first;
  }

  @Override
  public void push(Life<T> life) {
    life.previous = last;
    if (last == null) {
      first = life;
    } else {
      last.next = life;
    }
    last = life;
    size++;
  }

  @Override
  public Life<T> pop() {
    Life<T> life = requireNonNull(first);
    remove(life);
    return life;
  }

  /** Removes a life that is in this list. */
  void remove(Life<T> life) {
    Life<T> previous = life.previous;
    Life<T> next = life.next;
    if (previous == null) {
      first = next;
    } else {
      previous.next = next;
    }
    if (next == null) {
      last = previous;
    } else {
      next.previous = previous;
    }
    // A worker may keep the life for long: it must not keep its neighbours alive.
    life.previous = null;
    life.next = null;
    size--;
  }

  @Override
  public void touch(Life<T> life) {
    // First in, first out: an item keeps the place of its first add.
  }
}
