package dev.clientgo.apimachinery.meta;

import org.jspecify.annotations.Nullable;

/**
 * An object has no key, or a key is not a name. The object was not stored or queued.
 *
 * <p>Corresponds to client-go's {@code tools/cache.KeyError}.
 */
public final class KeyException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  /** Creates an error; the message names the object or the key, and the reason. */
  public KeyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
