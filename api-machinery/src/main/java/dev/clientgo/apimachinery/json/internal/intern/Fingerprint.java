package dev.clientgo.apimachinery.json.internal.intern;

import java.util.SplittableRandom;

/**
 * A hash of 93 bits that identifies a text: the chance that two texts have the same is less than
 * one in 10<sup>20</sup>, even if an attacker chose them.
 *
 * <p>The bytes, seven at a time, are the coefficients of a polynomial, which is evaluated at two
 * places modulo the prime 2<sup>61</sup> - 1. Two different polynomials of degree n agree at most
 * at n places. The places are random and secret, so an attacker cannot write texts that agree
 * there. A fixed hash function cannot promise that.
 */
public record Fingerprint(long a, int b) {

  private static final long PRIME = (1L << 61) - 1;
  private static final int BLOCK = 7;

  /** The places of evaluation, which must be the same for all texts that are compared. */
  record Places(long a, long b) {

    static Places any() {
      SplittableRandom random = new SplittableRandom();
      return new Places(random.nextLong(1, PRIME), random.nextLong(1, PRIME));
    }
  }

  /** Returns the fingerprint of part of an array. */
  static Fingerprint of(byte[] bytes, int from, int length, Places places) {
    long a = length;
    long b = length;
    int i = from;
    for (int last = from + length - BLOCK; i <= last; i += BLOCK) {
      long block = block(bytes, i);
      a = multiply(a, places.a) + block;
      b = multiply(b, places.b) + block;
    }
    long rest = 0;
    for (; i < from + length; i++) {
      rest = rest << 8 | (bytes[i] & 0xFF);
    }
    return new Fingerprint(
        reduce(multiply(a, places.a) + rest), (int) reduce(multiply(b, places.b) + rest));
  }

  private static long block(byte[] bytes, int i) {
    return (long) (bytes[i] & 0xFF) << 48
        | (long) (bytes[i + 1] & 0xFF) << 40
        | (long) (bytes[i + 2] & 0xFF) << 32
        | (long) (bytes[i + 3] & 0xFF) << 24
        | (bytes[i + 4] & 0xFF) << 16
        | (bytes[i + 5] & 0xFF) << 8
        | (bytes[i + 6] & 0xFF);
  }

  /** Multiplies two numbers below 2<sup>62</sup> modulo the prime, up to a small excess. */
  private static long multiply(long x, long y) {
    long low = x * y;
    return reduceOnce((low & PRIME) + (Math.multiplyHigh(x, y) << 3 | low >>> 61));
  }

  private static long reduce(long x) {
    long once = reduceOnce(x);
    return once >= PRIME ? once - PRIME : once;
  }

  private static long reduceOnce(long x) {
    return (x & PRIME) + (x >>> 61);
  }
}
