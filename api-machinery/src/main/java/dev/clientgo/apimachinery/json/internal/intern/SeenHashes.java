package dev.clientgo.apimachinery.json.internal.intern;

import java.util.Arrays;

/**
 * Remembers most hashes of texts, so that only a text that repeats is kept.
 *
 * <p>The table holds one half of each hash, at the index of the other half: two bytes for each of
 * the many texts that never repeat. It doubles while it fills, up to its bound; after that new
 * hashes replace old ones. Not thread-safe.
 */
final class SeenHashes {

  private static final int FIRST_PLACES = 1 << 10;

  /** The number of values of the half that is the index. */
  private static final int MAX_PLACES = 1 << 16;

  private char[] halves = new char[FIRST_PLACES];
  private int admitted;
  private boolean asked;

  /** Starts a generation: forgets all hashes if none was looked up in the previous one. */
  void startGeneration() {
    if (!asked) {
      halves = new char[FIRST_PLACES];
      admitted = 0;
    }
    asked = false;
  }

  /** Returns whether the hash is known, and remembers it. */
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

  /** Copies each half to both of the places where it may belong now. */
  private void grow() {
    int length = halves.length;
    halves = Arrays.copyOf(halves, length * 2);
    System.arraycopy(halves, 0, halves, length, length);
    admitted = 0;
  }
}
