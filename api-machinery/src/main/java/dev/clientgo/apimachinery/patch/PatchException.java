package dev.clientgo.apimachinery.patch;

/** A patch is malformed, or does not match the document. */
public final class PatchException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  /** Creates an error whose message names the operation, the place and the problem. */
  public PatchException(String message) {
    super(message);
  }
}
