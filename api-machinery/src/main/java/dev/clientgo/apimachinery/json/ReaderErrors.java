package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.errors.CodecException;
import java.io.EOFException;
import org.jspecify.annotations.Nullable;

/**
 * Creates the errors of a reader, with the place in the stream, and keeps the error after which
 * reading cannot go on.
 *
 * <p>There are two kinds of errors. Malformed text ends the stream: the rest of it has no meaning.
 * A value that is too large, too deep or not UTF-8 has an end, and {@link RawSkipper} finds it.
 */
final class ReaderErrors {

  private final ByteWindow in;
  private final Nesting nesting;
  private @Nullable CodecException failure;

  ReaderErrors(ByteWindow in, Nesting nesting) {
    this.in = in;
    this.nesting = nesting;
  }

  /** Returns the error for text that is no JSON, from a place in the window on. */
  CodecException malformed(String problem, int place) {
    return remember(CodecException.malformed(problem, nesting.path(), in.offset(place), null));
  }

  /** Returns the error for a stream that ends within a value. */
  CodecException truncated() {
    return remember(
        CodecException.malformed(
            "unexpected end of the stream",
            nesting.path(),
            in.offset(in.end),
            new EOFException("unexpected end")));
  }

  /** Returns the error for a value, or the name of a field, that is not read but can be skipped. */
  CodecException unreadable(String problem, int place) {
    return remember(CodecException.mismatch(problem, nesting.path(), in.offset(place), null));
  }

  private CodecException remember(CodecException error) {
    failure = error;
    return error;
  }

  /** Throws if the object that has just been read, and kept in memory, is too large. */
  void checkSize() {
    if (in.marked(0) > JsonReader.MAX_OBJECT_BYTES) {
      throw tooLarge();
    }
  }

  /** Throws if the object that is being read, and kept in memory, reaches too far ahead. */
  void checkSizeWithin(int ahead) {
    if (in.marked(ahead) > JsonReader.MAX_OBJECT_BYTES) {
      throw remember(tooLarge());
    }
  }

  private CodecException tooLarge() {
    String problem = "object of more than " + JsonReader.MAX_OBJECT_BYTES + " bytes";
    return CodecException.mismatch(problem, nesting.path(), in.offset(in.position), null);
  }

  /** Throws the error behind which the reader cannot go on, if there is one. */
  void rethrow() {
    if (failure != null) {
      throw failure;
    }
  }

  /** Returns whether the reader must skip what it cannot read. */
  boolean mustSkip() {
    return failure != null && failure.isRecoverable();
  }

  /** Takes note of that it has skipped it. */
  void skipped() {
    failure = null;
  }
}
