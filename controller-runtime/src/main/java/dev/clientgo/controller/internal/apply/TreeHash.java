package dev.clientgo.controller.internal.apply;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The hash of a JSON tree, in which the order of fields has no meaning: 256 bits, so equal is
 * equal.
 */
record TreeHash(BigInteger value) {

  static TreeHash of(@Nullable Object tree) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      add(digest, tree);
      return new TreeHash(new BigInteger(digest.digest()));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("each JVM has SHA-256", e);
    }
  }

  private static void add(MessageDigest digest, @Nullable Object tree) {
    if (tree instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> sorted = new TreeMap<>();
      map.forEach((name, value) -> sorted.put((String) name, value));
      mark(digest, '{', sorted.size());
      sorted.forEach(
          (name, value) -> {
            text(digest, name);
            add(digest, value);
          });
    } else if (tree instanceof List<?> list) {
      mark(digest, '[', list.size());
      list.forEach(value -> add(digest, value));
    } else if (tree instanceof String string) {
      text(digest, string);
    } else {
      mark(digest, '=', 1);
      text(digest, String.valueOf(tree));
    }
  }

  private static void text(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    mark(digest, '"', bytes.length);
    digest.update(bytes);
  }

  /** Marks kinds and lengths, so that no two trees are the same bytes. */
  private static void mark(MessageDigest digest, char kind, int size) {
    digest.update((byte) kind);
    for (int shift = 24; shift >= 0; shift -= 8) {
      digest.update((byte) (size >>> shift));
    }
  }
}
