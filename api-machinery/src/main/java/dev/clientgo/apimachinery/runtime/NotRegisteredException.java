package dev.clientgo.apimachinery.runtime;

import dev.clientgo.apimachinery.schema.GroupVersionKind;

/**
 * A scheme does not know a kind or a type. Corresponds to apimachinery's {@code
 * runtime.IsNotRegisteredError}.
 */
public final class NotRegisteredException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private NotRegisteredException(String message) {
    super(message);
  }

  static NotRegisteredException kind(GroupVersionKind kind) {
    return new NotRegisteredException(
        "no kind \""
            + kind.kind()
            + "\" is registered for version \""
            + kind.apiVersion()
            + "\"; register its type with Scheme.Builder.add");
  }

  static NotRegisteredException type(Class<?> type) {
    return new NotRegisteredException(
        "no kind is registered for the type "
            + type.getName()
            + "; register it with Scheme.Builder.add");
  }

  static NotRegisteredException conversion(Class<?> from, Object to) {
    return new NotRegisteredException(
        "no conversion is registered from " + from.getName() + " to " + to);
  }
}
