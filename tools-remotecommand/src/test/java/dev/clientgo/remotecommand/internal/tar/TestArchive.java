package dev.clientgo.remotecommand.internal.tar;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** An archive with entries of any kind, also bad ones. */
public final class TestArchive {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Creates an empty archive. */
  public TestArchive() {}

  /** Adds an entry that claims to have that many bytes. */
  public TestArchive entry(char type, String name, String link, long size) {
    bytes.writeBytes(
        TarHeader.format(name.getBytes(UTF_8), type, 0644, size, 1000, link.getBytes(UTF_8)));
    return this;
  }

  /** Adds an entry with data. */
  public TestArchive entry(char type, String name, byte[] data) {
    entry(type, name, "", data.length);
    return raw(Arrays.copyOf(data, (data.length + 511) / 512 * 512));
  }

  /** Adds a file. */
  public TestArchive file(String name, String text) {
    return entry('0', name, text.getBytes(UTF_8));
  }

  /** Adds a directory. */
  public TestArchive directory(String name) {
    return entry('5', name, "", 0);
  }

  /** Adds a symbolic link. */
  public TestArchive link(String name, String link) {
    return entry('2', name, link, 0);
  }

  /** Adds bytes. */
  public TestArchive raw(byte[] added) {
    bytes.writeBytes(added);
    return this;
  }

  /** Returns the archive with its end. */
  public byte[] bytes() {
    byte[] all = bytes.toByteArray();
    return Arrays.copyOf(all, all.length + 1024);
  }

  /** Returns the archive without its end. */
  public byte[] openBytes() {
    return bytes.toByteArray();
  }
}
