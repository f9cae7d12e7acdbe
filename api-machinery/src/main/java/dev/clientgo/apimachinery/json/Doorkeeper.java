package dev.clientgo.apimachinery.json;

import java.util.Arrays;

/**
 * Knows which hashes came before, most of the time: so that what comes once is not let in where
 * room is for what repeats.
 *
 * <p>A table of half a hash each, whose place is the other half: it takes two bytes for each of the
 * many texts that never come again. It doubles while it fills, up to its bound; after that new
 * hashes take the places of old ones. Not safe for use by many threads.
 */
final class Doorkeeper {

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
