package dev.clientgo.apimachinery.errors;

import org.jspecify.annotations.Nullable;

/**
 * Bytes could not be decoded as an object, or an object could not be encoded.
 *
 * <p>The message names the problem and the place: the path within the document and the offset in
 * bytes. In a list or a watch it also names the object, if its metadata could be read.
 */
public final class CodecException extends KubernetesException {

  private static final long serialVersionUID = 1;

  private final String path;
  private final long offset;
  private final String problem;
  private final boolean recoverable;
  private final @Nullable String objectKind;
  private final @Nullable String objectName;
  private final boolean inDeleted;

  private CodecException(
      String problem,
      String path,
      long offset,
      boolean recoverable,
      @Nullable String objectKind,
      @Nullable String objectName,
      boolean inDeleted,
      @Nullable Throwable cause) {
    super(message(problem, path, offset, objectKind, objectName), cause);
    this.problem = problem;
    this.path = path;
    this.offset = offset;
    this.recoverable = recoverable;
    this.objectKind = objectKind;
    this.objectName = objectName;
    this.inDeleted = inDeleted;
  }

  /**
   * Returns the error for a value that has the wrong type, is out of range or exceeds a bound. Its
   * end is known, so the reader can continue behind it.
   *
   * @param path RFC 6901 pointer to the value, empty for the whole document
   * @param offset position in bytes from the start of the stream, -1 if unknown
   */
  public static CodecException mismatch(
      String problem, String path, long offset, @Nullable Throwable cause) {
    return new CodecException(problem, path, offset, true, null, null, false, cause);
  }

  /**
   * Returns the error for a document that is not well-formed. The rest of the stream cannot be
   * read.
   *
   * @param path RFC 6901 pointer to the place of the problem, empty for the whole document
   * @param offset position in bytes from the start of the stream, -1 if unknown
   */
  public static CodecException malformed(
      String problem, String path, long offset, @Nullable Throwable cause) {
    return new CodecException(problem, path, offset, false, null, null, false, cause);
  }

  private static String message(
      String problem,
      String path,
      long offset,
      @Nullable String objectKind,
      @Nullable String objectName) {
    StringBuilder text = new StringBuilder(problem);
    if (!path.isEmpty()) {
      text.append(" at ").append(path);
    }
    if (offset >= 0) {
      text.append(" (byte ").append(offset).append(')');
    }
    if (objectName != null) {
      String kind = objectKind == null ? "object" : objectKind;
      text.append(" in ").append(kind).append(' ').append(objectName);
    } else if (objectKind != null) {
      text.append(" in a ").append(objectKind);
    }
    return text.toString();
  }

  /**
   * Returns this error with the object in which it occurred.
   *
   * @param kind its kind, null if unknown
   * @param name {@code namespace/name} or {@code name}, null if unknown
   */
  public CodecException inObject(@Nullable String kind, @Nullable String name) {
    return copy(kind, name, inDeleted);
  }

  /** Returns this error, marked as one in the last state of a deleted object. */
  public CodecException inDeleted() {
    return copy(objectKind, objectName, true);
  }

  private CodecException copy(@Nullable String kind, @Nullable String name, boolean deleted) {
    CodecException copy =
        new CodecException(problem, path, offset, recoverable, kind, name, deleted, getCause());
    copy.setStackTrace(getStackTrace());
    return copy;
  }

  /** Returns the problem: the message without the place. */
  public String problem() {
    return problem;
  }

  /** Returns the RFC 6901 pointer to the value, empty for the whole document. */
  public String path() {
    return path;
  }

  /** Returns the position in bytes from the start of the stream, -1 if unknown. */
  public long offset() {
    return offset;
  }

  /** Returns whether the rest of the stream can still be read. */
  public boolean isRecoverable() {
    return recoverable;
  }

  /** Returns the kind of the object in which it occurred, if known. */
  public @Nullable String objectKind() {
    return objectKind;
  }

  /** Returns {@code namespace/name} of the object in which it occurred, if known. */
  public @Nullable String objectName() {
    return objectName;
  }

  /** Returns whether it occurred in the last state of a deleted object. */
  public boolean isInDeleted() {
    return inDeleted;
  }
}
