package dev.clientgo.remotecommand.internal.tar;

import static dev.clientgo.remotecommand.internal.tar.TarHeader.BLOCK;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Writes an archive in the form of GNU, which the programs of GNU, BSD, BusyBox and Toybox read.
 * BusyBox ignores the long names of {@code pax}. For one thread.
 */
public final class TarWriter {

  private static final int NAME_LENGTH = 100;

  private final OutputStream out;

  /** How many bytes of the data of the entry are still to be written. */
  private long left;

  private int padding;

  /** Creates a writer. */
  public TarWriter(OutputStream out) {
    this.out = out;
  }

  /**
   * Begins an entry: a file, a directory or a symbolic link.
   *
   * @throws IllegalStateException if the data of the last entry is not complete
   */
  public void begin(TarEntry entry) throws IOException {
    endEntry();
    byte[] name = entry.name().getBytes(UTF_8);
    byte[] link = entry.link().getBytes(UTF_8);
    extend('L', name);
    extend('K', link);
    long modified = Math.max(0, entry.modified().getEpochSecond());
    out.write(
        TarHeader.format(name, flag(entry.type()), entry.mode(), entry.size(), modified, link));
    left = entry.size();
    padding = (int) (-left & (BLOCK - 1));
  }

  private static char flag(TarEntry.Type type) {
    return switch (type) {
      case FILE -> '0';
      case SYMBOLIC_LINK -> '2';
      case DIRECTORY -> '5';
      case HARD_LINK, SPECIAL -> throw new IllegalArgumentException("not written: " + type);
    };
  }

  /** Writes a name that does not fit into a header. */
  private void extend(char type, byte[] name) throws IOException {
    if (name.length <= NAME_LENGTH) {
      return;
    }
    byte[] title = "././@LongLink".getBytes(UTF_8);
    int length = name.length + 1; // With a zero at its end.
    out.write(TarHeader.format(title, type, 0, length, 0, new byte[0]));
    out.write(Arrays.copyOf(name, (length + BLOCK - 1) / BLOCK * BLOCK));
  }

  /**
   * Writes data of the entry.
   *
   * @throws IllegalStateException if it is more than the entry has
   */
  public void write(byte[] bytes, int start, int length) throws IOException {
    if (length > left) {
      throw new IllegalStateException("more data than the entry has: " + length + " of " + left);
    }
    out.write(bytes, start, length);
    left -= length;
  }

  /** Counts the data of the entry as written. */
  public void omit() {
    left = 0;
  }

  private void endEntry() throws IOException {
    if (left > 0) {
      throw new IllegalStateException("data of the entry is missing: " + left + " bytes");
    }
    out.write(new byte[padding]);
    padding = 0;
  }

  /** Ends the archive. Does not close the stream. */
  public void finish() throws IOException {
    endEntry();
    out.write(new byte[2 * BLOCK]);
    out.flush();
  }
}
