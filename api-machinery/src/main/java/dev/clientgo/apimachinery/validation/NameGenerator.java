package dev.clientgo.apimachinery.validation;

import java.util.random.RandomGenerator;

/**
 * Generates names as the API server does for an object with a {@code generateName}: the prefix and
 * five random characters.
 *
 * <p>Corresponds to {@code names.SimpleNameGenerator} of the API server and {@code rand.String} of
 * {@code k8s.io/apimachinery}.
 */
public final class NameGenerator {

  /** No vowels and no digits that look like vowels, so no word occurs by chance. */
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

  private static final int SUFFIX_LENGTH = 5;
  private static final int MAX_PREFIX_LENGTH = 63 - SUFFIX_LENGTH;

  private NameGenerator() {}

  /** Returns the prefix, cut to 58 characters, and five random ones. */
  public static String generate(String prefix, RandomGenerator random) {
    String kept =
        prefix.length() <= MAX_PREFIX_LENGTH ? prefix : prefix.substring(0, MAX_PREFIX_LENGTH);
    return kept + suffix(SUFFIX_LENGTH, random);
  }

  /** Returns random consonants and digits. */
  public static String suffix(int length, RandomGenerator random) {
    StringBuilder suffix = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      suffix.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return suffix.toString();
  }
}
