package dev.clientgo.envtest.internal.conversion;

/** A webhook has returned an object that the server must not accept. */
final class InvalidConversionException extends Exception {

  private static final long serialVersionUID = 1L;

  InvalidConversionException(String message) {
    super(message);
  }
}
