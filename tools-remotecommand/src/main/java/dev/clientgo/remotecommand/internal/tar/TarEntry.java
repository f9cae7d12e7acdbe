package dev.clientgo.remotecommand.internal.tar;

import java.time.Instant;

/**
 * A file, a directory or a link in an archive. Immutable.
 *
 * @param name its path, with slashes; as the archive has it, so it may lead anywhere
 * @param isText whether the names are valid UTF-8; otherwise parts of them are replaced
 * @param type the type
 * @param mode the permissions, the lowest 12 bits of a mode of POSIX
 * @param size how many bytes of data follow; 0 unless it is a file
 * @param modified the time of the last change
 * @param link where a link leads; empty if it is none
 */
public record TarEntry(
    String name, boolean isText, Type type, int mode, long size, Instant modified, String link) {

  /** The types of entries. */
  public enum Type {
    /** A regular file. */
    FILE,
    /** A directory. */
    DIRECTORY,
    /** A second name of a file that came earlier. */
    HARD_LINK,
    /** A symbolic link. */
    SYMBOLIC_LINK,
    /** A device, or a pipe with a name. */
    SPECIAL
  }

  /** Returns a file. */
  public static TarEntry file(String name, int mode, long size, Instant modified) {
    return new TarEntry(name, true, Type.FILE, mode, size, modified, "");
  }

  /** Returns a directory. */
  public static TarEntry directory(String name, int mode, Instant modified) {
    return new TarEntry(name, true, Type.DIRECTORY, mode, 0, modified, "");
  }

  /** Returns a symbolic link. */
  public static TarEntry symbolicLink(String name, String link, Instant modified) {
    return new TarEntry(name, true, Type.SYMBOLIC_LINK, 0777, 0, modified, link);
  }
}
