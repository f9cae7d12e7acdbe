package dev.clientgo.apimachinery.json;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A stream that arrives in pieces: a read gives one of them, or less. */
public final class PieceStream extends InputStream {

  private final Deque<byte[]> pieces = new ArrayDeque<>();
  private @Nullable IOException error;
  private boolean blocking;

  /** Creates a stream of these pieces, which then ends. */
  public PieceStream(byte[]... pieces) {
    for (byte[] piece : pieces) {
      if (piece.length > 0) {
        this.pieces.add(piece);
      }
    }
  }

  /** Returns a stream of the bytes one by one. */
  public static PieceStream bytewise(byte[] bytes) {
    byte[][] pieces = new byte[bytes.length][];
    for (int i = 0; i < bytes.length; i++) {
      pieces[i] = new byte[] {bytes[i]};
    }
    return new PieceStream(pieces);
  }

  /** Returns a stream of the bytes in pieces, most of a few bytes and some of thousands. */
  public static PieceStream atRandom(byte[] bytes, Random random) {
    List<byte[]> pieces = new ArrayList<>();
    for (int from = 0; from < bytes.length; ) {
      int length = 1 + random.nextInt(random.nextInt(4) == 0 ? 10_000 : 20);
      int to = Math.min(bytes.length, from + length);
      pieces.add(Arrays.copyOfRange(bytes, from, to));
      from = to;
    }
    return new PieceStream(pieces.toArray(new byte[0][]));
  }

  /** Makes the stream fail behind the last piece instead of end. */
  public PieceStream thenFail(IOException error) {
    this.error = error;
    return this;
  }

  /** Makes it an error to read behind the last piece, where a live stream would block. */
  public PieceStream thenBlock() {
    this.blocking = true;
    return this;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    byte[] piece = pieces.poll();
    if (piece == null) {
      if (error != null) {
        throw error;
      }
      if (blocking) {
        throw new AssertionError("would block");
      }
      return -1;
    }
    int count = Math.min(piece.length, length);
    System.arraycopy(piece, 0, target, offset, count);
    if (count < piece.length) {
      pieces.addFirst(Arrays.copyOfRange(piece, count, piece.length));
    }
    return count;
  }

  @Override
  public void close() {
    throw new AssertionError("closed by code that does not own it");
  }
}
