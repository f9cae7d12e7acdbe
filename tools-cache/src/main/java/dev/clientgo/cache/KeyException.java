package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A key could not be made from an object, or a name not be read from a key. The object was not
 * stored or queued.
 *
 * <p>Corresponds to client-go's {@code tools/cache.KeyError}.
 */
public final class KeyException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  /** Creates an error; the message names the object or the key, and the reason. */
  public KeyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Returns the key of the object; if it has none, the error names the class of the object. */
  static <T> String keyOf(KeyFunction<? super T> keyFunction, T object) {
    try {
      return requireNonNull(keyFunction.keyOf(object), "the key is null");
    } catch (KeyException e) {
      throw e;
    } catch (RuntimeException e) {
      // Not the object itself: it may be a Secret.
      throw new KeyException(
          "cannot make a key for a " + object.getClass().getName() + ": " + e, e);
    }
  }
}
