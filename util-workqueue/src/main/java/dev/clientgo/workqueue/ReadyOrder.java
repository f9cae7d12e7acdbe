package dev.clientgo.workqueue;

/** The lives that are ready, in the order in which they are handed out. */
interface ReadyOrder<T> {

  /** Takes in a life that is not in here; if it throws, the life is still not in here. */
  void push(Life<T> life);

  /** Removes and returns the first life of at least one. */
  Life<T> pop();

  /** Notes that the item of a life in here was added again. */
  void touch(Life<T> life);

  int size();
}
