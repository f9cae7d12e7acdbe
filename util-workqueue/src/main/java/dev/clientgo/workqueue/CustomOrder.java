package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.Map;

/** An order of a caller's own, who knows items and not lives, and who is not taken at his word. */
final class CustomOrder<T> implements ReadyOrder<T> {

  private final QueueOrder<T> order;
  private final Map<T, Life<T>> lives = new HashMap<>();

  CustomOrder(QueueOrder<T> order) {
    this.order = requireNonNull(order, "order");
  }

  @Override
  public void push(Life<T> life) {
    order.push(life.value());
    lives.put(life.value(), life);
  }

  @Override
  public Life<T> pop() {
    T item = order.pop();
    Life<T> life = item == null ? null : lives.remove(item);
    if (life == null) {
      throw new IllegalStateException(
          order.getClass().getName() + ".pop() returned an item that is not queued: " + item);
    }
    return life;
  }

  @Override
  public void touch(Life<T> life) {
    order.touch(life.value());
  }

  @Override
  public int size() {
    return lives.size();
  }
}
