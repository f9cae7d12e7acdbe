package dev.clientgo.apimachinery.json;

import java.util.Arrays;

/**
 * The hashes that came before, most of the time: so that only texts that repeat are kept.
 *
 * <p>A table of half a hash each, whose index is the other half: it takes two bytes for each of the
 * many texts that never repeat. It doubles while it fills, up to its bound; after that new hashes
 * replace old ones. Not thread-safe.
 */
final class SeenHashes {

  private static final int FIRST_PLACES = 1 << 10;

  /** What the half of a hash that is not kept can tell apart. */
  private static final int MAX_PLACES = 1 << 16;

  private char[] halves = new char[FIRST_PLACES];
  private int admitted;
  private boolean asked;

  /** Starts a generation: if no hash came in the one that ends, all are forgotten. */
  void startGeneration() {
    if (!asked) {
      halves = new char[FIRST_PLACES];
      admitted = 0;
    }
    asked = false;
  }

  /** Returns whether the hash came before, and remembers it. */
  boolean isKnown(int hash) {
    asked = true;
    int place = hash & (halves.length - 1);
    char half = (char) (hash >>> 16);
    if (halves[place] == half) {
      return true;
    }
    if (++admitted > halves.length / 4 && halves.length < MAX_PLACES) {
      grow();
      place = hash & (halves.length - 1);
    }
    halves[place] = half;
    return false;
  }

  /** Puts each half into both of the places that it may belong to now. */
  private void grow() {
    int length = halves.length;
    halves = Arrays.copyOf(halves, length * 2);
    System.arraycopy(halves, 0, halves, length, length);
    admitted = 0;
  }
}
