package dev.clientgo.remotecommand.internal.tar;

import static dev.clientgo.remotecommand.internal.tar.TarHeader.BLOCK;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/**
 * Reads an archive entry by entry, in constant memory: the forms of POSIX ({@code ustar} and {@code
 * pax}), of GNU and of Unix V7. Sparse files and archives of several volumes are refused.
 *
 * <p>It knows where it is, so that an archive that breaks off can be read on from there. For one
 * thread.
 */
public final class TarReader {

  /** The most bytes of a long name or an extended header. */
  private static final int MAX_EXTENSION = 1 << 20;

  /** The most headers before an entry that only extend it. */
  private static final int MAX_EXTENSIONS = 16;

  private final InputStream in;
  private long offset;
  private long entryOffset;
  private long dataOffset;

  /** How many bytes of the data of the entry are still to be read. */
  private long left;

  private int padding;

  /** Creates a reader of a whole archive. */
  public TarReader(InputStream in) {
    this(in, 0);
  }

  /**
   * Creates a reader that begins later.
   *
   * @param offset where in the archive the stream begins, which is the offset of an entry
   */
  public TarReader(InputStream in, long offset) {
    this.in = in;
    this.offset = offset;
    this.entryOffset = offset;
    this.dataOffset = offset;
  }

  /** Returns where in the archive the headers of the last entry begin. */
  public long entryOffset() {
    return entryOffset;
  }

  /** Returns where in the archive the data of the last entry begins. */
  public long dataOffset() {
    return dataOffset;
  }

  /**
   * Skips the rest of an entry and reads the header of the next one.
   *
   * @return null at the end
   * @throws TarFormatException if the stream is no archive
   * @throws EOFException if it ends too early
   */
  public @Nullable TarEntry next() throws IOException {
    skipFully(left);
    left = 0;
    skipFully(padding);
    padding = 0;
    long start = offset;
    TarExtensions extensions = new TarExtensions();
    for (int count = 0; count <= MAX_EXTENSIONS; count++) {
      byte[] block = in.readNBytes(BLOCK);
      offset += block.length;
      if ((block.length == 0 && count == 0) || isZero(block)) {
        return null;
      }
      if (block.length < BLOCK) {
        throw truncated();
      }
      TarHeader header = TarHeader.parse(block);
      switch (header.type()) {
        case 'x' -> extensions.addRecords(extension(header.size()));
        case 'g' -> TarExtensions.checkGlobal(extension(header.size()));
        case 'L' -> extensions.addLongName("path", extension(header.size()));
        case 'K' -> extensions.addLongName("linkpath", extension(header.size()));
        default -> {
          entryOffset = start;
          dataOffset = offset;
          return entry(header, extensions);
        }
      }
    }
    throw new TarFormatException("the archive has too many extended headers in a row");
  }

  private TarEntry entry(TarHeader header, TarExtensions extensions) throws TarFormatException {
    byte[] name = extensions.name(header.name());
    byte[] link = extensions.link(header.link());
    TarEntry.Type type = type(header.type(), name);
    long size = extensions.size(header.size());
    if (type == TarEntry.Type.FILE) {
      left = size;
      padding = (int) (-size & (BLOCK - 1));
    }
    return new TarEntry(
        new String(name, UTF_8),
        isText(name) && isText(link),
        type,
        header.mode(),
        left,
        extensions.modified(header.modified()),
        type == TarEntry.Type.SYMBOLIC_LINK || type == TarEntry.Type.HARD_LINK
            ? new String(link, UTF_8)
            : "");
  }

  private static TarEntry.Type type(char flag, byte[] name) throws TarFormatException {
    return switch (flag) {
      case '0', '7' -> TarEntry.Type.FILE;
      case 0 ->
          name.length > 0 && name[name.length - 1] == '/'
              ? TarEntry.Type.DIRECTORY
              : TarEntry.Type.FILE; // Unix V7.
      case '1' -> TarEntry.Type.HARD_LINK;
      case '2' -> TarEntry.Type.SYMBOLIC_LINK;
      case '3', '4', '6' -> TarEntry.Type.SPECIAL;
      case '5' -> TarEntry.Type.DIRECTORY;
      default ->
          throw new TarFormatException(
              "the archive has an entry of an unknown type: " + (int) flag);
    };
  }

  private static boolean isText(byte[] name) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(name));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static boolean isZero(byte[] block) {
    for (byte b : block) {
      if (b != 0) {
        return false;
      }
    }
    return block.length == BLOCK;
  }

  private byte[] extension(long size) throws IOException {
    if (size > MAX_EXTENSION) {
      throw new TarFormatException(
          "the archive has a name or extended header of " + size + " bytes");
    }
    byte[] content = in.readNBytes((int) size);
    offset += content.length;
    if (content.length < size) {
      throw truncated();
    }
    skipFully(-size & (BLOCK - 1));
    return content;
  }

  /**
   * Reads data of the last entry.
   *
   * @return how many bytes; -1 at its end
   * @throws EOFException if the archive ends too early
   */
  public int read(byte[] bytes) throws IOException {
    if (left == 0) {
      return -1;
    }
    int read = in.read(bytes, 0, (int) Math.min(bytes.length, left));
    if (read < 0) {
      throw truncated();
    }
    offset += read;
    left -= read;
    return read;
  }

  /** Counts data of the last entry as read: the stream does not have it. */
  public void omit(long bytes) {
    if (bytes < 0 || bytes > left) {
      throw new IllegalArgumentException(bytes + " of " + left + " bytes");
    }
    left -= bytes;
    offset += bytes;
  }

  private void skipFully(long bytes) throws IOException {
    for (long rest = bytes; rest > 0; ) {
      long skipped = in.skip(rest);
      if (skipped <= 0) {
        if (in.read() < 0) {
          throw truncated();
        }
        skipped = 1;
      }
      rest -= skipped;
      offset += skipped;
    }
  }

  private static EOFException truncated() {
    return new EOFException("the archive ends in the middle of an entry");
  }
}
