package dev.clientgo.apimachinery.json.internal.utf8;

import dev.clientgo.apimachinery.errors.CodecException;
import java.io.EOFException;
import org.jspecify.annotations.Nullable;

/**
 * Creates the errors of a reader with the place in the stream, and keeps an error that stops the
 * reader.
 *
 * <p>Two kinds of errors stop it. After malformed text, the rest of the stream has no meaning. A
 * value that is too large, too deep or not UTF-8 has an end, which {@link RawSkipper} finds.
 */
public final class ReaderErrors {

  private final ByteWindow in;
  private final Nesting nesting;
  private @Nullable CodecException failure;

  public ReaderErrors(ByteWindow in, Nesting nesting) {
    this.in = in;
    this.nesting = nesting;
  }

  /** Returns the error for text at an index in the window that is not JSON. */
  public CodecException malformed(String problem, int place) {
    return remember(CodecException.malformed(problem, nesting.path(), in.offset(place), null));
  }

  /** Returns the error for a stream that ends within a value. */
  public CodecException truncated() {
    return remember(
        CodecException.malformed(
            "unexpected end of the stream",
            nesting.path(),
            in.offset(in.end),
            new EOFException("unexpected end")));
  }

  /** Returns the error for a value or name that cannot be read but can be skipped. */
  public CodecException unreadable(String problem, int place) {
    return remember(CodecException.mismatch(problem, nesting.path(), in.offset(place), null));
  }

  /** Returns the error for a value at the position that is not of the expected type. */
  public CodecException mismatch(String problem) {
    return CodecException.mismatch(problem, nesting.path(), in.offset(in.position), null);
  }

  private CodecException remember(CodecException error) {
    failure = error;
    return error;
  }

  /** Throws if the object from the mark to the position is too large. */
  public void checkSize() {
    if (in.marked(0) > ByteWindow.MAX_OBJECT_BYTES) {
      throw tooLarge();
    }
  }

  /** Throws if the object from the mark to a byte ahead of the position is too large. */
  public void checkSizeWithin(int ahead) {
    if (in.marked(ahead) > ByteWindow.MAX_OBJECT_BYTES) {
      throw remember(tooLarge());
    }
  }

  private CodecException tooLarge() {
    return mismatch("object of more than " + ByteWindow.MAX_OBJECT_BYTES + " bytes");
  }

  /** Throws the error that stopped the reader, if there is one. */
  public void rethrow() {
    if (failure != null) {
      throw failure;
    }
  }

  /** Returns whether the reader must skip a value that it cannot read. */
  public boolean mustSkip() {
    return failure != null && failure.isRecoverable();
  }

  /** Clears the error after the reader has skipped the value. */
  public void skipped() {
    failure = null;
  }
}
