package dev.clientgo.rest.internal.http;

import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import okio.Buffer;
import okio.BufferedSource;
import okio.InflaterSource;
import okio.Okio;
import okio.Source;
import okio.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses a gzip stream of any number of members, each as soon as it arrives.
 *
 * <p>Kubernetes 1.37 answers a watch that sends the initial events in this form: a member each time
 * that it flushes. Okio's {@code GzipSource} takes what follows the first member for an error, and
 * the JDK's {@code GZIPInputStream} ends with it if nothing else has arrived yet.
 */
final class GzipMembers implements Source {

  private static final int MAGIC = 0x1f8b;
  private static final int DEFLATE = 8;
  private static final int HEADER_CRC = 1 << 1;
  private static final int EXTRA = 1 << 2;
  private static final int NAME = 1 << 3;
  private static final int COMMENT = 1 << 4;

  private final BufferedSource in;
  private final CRC32 crc = new CRC32();

  /** Null between members: each holds 38 KB outside the heap, and most watches are silent. */
  private @Nullable Inflater inflater;

  /** The content of the current member. */
  private @Nullable InflaterSource member;

  GzipMembers(Source in) {
    this.in = Okio.buffer(in);
  }

  @Override
  public long read(Buffer sink, long byteCount) throws IOException {
    while (true) {
      if (inflater == null || member == null) {
        if (in.exhausted()) {
          return -1;
        }
        readHeader();
        inflater = new Inflater(true);
        member = new InflaterSource(in, inflater);
      }
      long read = inflater.finished() ? -1 : member.read(sink, byteCount);
      if (read >= 0) {
        updateCrc(sink, read);
        return read;
      }
      readTrailer(inflater.getBytesWritten());
      endMember();
    }
  }

  private void readHeader() throws IOException {
    check("magic number", MAGIC, in.readShort() & 0xffff);
    check("method", DEFLATE, in.readByte());
    int flags = in.readByte();
    in.skip(6); // A time, and what compressed it.
    if ((flags & EXTRA) != 0) {
      in.skip(in.readShortLe() & 0xffff);
    }
    for (int text : new int[] {NAME, COMMENT}) {
      if ((flags & text) != 0) {
        while (in.readByte() != 0) {}
      }
    }
    if ((flags & HEADER_CRC) != 0) {
      in.skip(2);
    }
  }

  private void updateCrc(Buffer sink, long count) {
    try (Buffer.UnsafeCursor cursor = sink.readUnsafe()) {
      for (int n = cursor.seek(sink.size() - count); n > 0; n = cursor.next()) {
        crc.update(cursor.data, cursor.start, n);
      }
    }
  }

  private void readTrailer(long length) throws IOException {
    check("checksum", (int) crc.getValue(), in.readIntLe());
    check("length", (int) length, in.readIntLe());
    crc.reset();
  }

  private void endMember() {
    if (inflater != null) {
      inflater.end();
    }
    inflater = null;
    member = null;
  }

  private static void check(String what, int expected, int actual) throws IOException {
    if (actual != expected) {
      throw new IOException(
          "bad gzip "
              + what
              + ": "
              + Integer.toHexString(actual)
              + " instead of "
              + Integer.toHexString(expected));
    }
  }

  @Override
  public Timeout timeout() {
    return in.timeout();
  }

  @Override
  public void close() throws IOException {
    endMember();
    in.close();
  }
}
