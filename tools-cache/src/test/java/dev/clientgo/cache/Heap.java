package dev.clientgo.cache;

/** How much of the heap is in use by what can be reached. */
final class Heap {

  private Heap() {}

  /** Returns the bytes in use after collections that find nothing more. */
  static long used() {
    long before = Long.MAX_VALUE;
    long used = collect();
    while (used < before) {
      before = used;
      used = collect();
    }
    return used;
  }

  private static long collect() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
