package dev.clientgo.apimachinery.yaml;

import java.util.Comparator;

/**
 * The order in which Go's {@code yaml.v2} writes keys: letters behind other characters, and digits
 * by the number that they make, so that {@code a2} stands before {@code a10}.
 */
final class KeyOrder implements Comparator<String> {

  @Override
  public int compare(String left, String right) {
    int[] a = left.codePoints().toArray();
    int[] b = right.codePoints().toArray();
    for (int i = 0; i < Math.min(a.length, b.length); i++) {
      if (a[i] != b[i]) {
        return difference(a, b, i);
      }
    }
    return Integer.compare(a.length, b.length);
  }

  private static int difference(int[] a, int[] b, int at) {
    boolean letterInA = Character.isLetter(a[at]);
    boolean letterInB = Character.isLetter(b[at]);
    if (letterInA != letterInB) {
      return letterInB ? -1 : 1;
    } else if (!letterInA) {
      int endA = endOfDigits(a, at);
      int endB = endOfDigits(b, at);
      boolean zero = a[at] == '0' || b[at] == '0';
      long start = zero && followsNumber(a, at) ? 1 : 0;
      int byValue = Long.compare(value(a, at, endA, start), value(b, at, endB, start));
      if (byValue != 0) {
        return byValue;
      } else if (endA != endB) {
        return Integer.compare(endA, endB);
      }
    }
    return Integer.compare(a[at], b[at]);
  }

  /** A zero within a number counts; one before it does not. */
  private static boolean followsNumber(int[] key, int at) {
    for (int i = at - 1; i >= 0 && Character.isDigit(key[i]); i--) {
      if (key[i] != '0') {
        return true;
      }
    }
    return false;
  }

  private static int endOfDigits(int[] key, int from) {
    int end = from;
    while (end < key.length && Character.isDigit(key[end])) {
      end++;
    }
    return end;
  }

  /** Overflows as Go's does. */
  private static long value(int[] key, int from, int to, long start) {
    long value = start;
    for (int i = from; i < to; i++) {
      value = value * 10 + (key[i] - '0');
    }
    return value;
  }
}
