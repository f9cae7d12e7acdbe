package dev.clientgo.remotecommand.copy;

import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks the names and links of archives, by which a container could lead a copy astray. */
final class EntryPath {

  private EntryPath() {}

  /**
   * Splits a name into its parts, without {@code .} and empty ones.
   *
   * @throws CopyException if it is absolute or has a part {@code ..}
   */
  static List<String> parts(String name) {
    if (name.startsWith("/")) {
      throw refused(name, "its path is absolute");
    }
    List<String> parts = new ArrayList<>();
    for (String part : name.split("/", -1)) {
      if (part.equals("..")) {
        throw refused(name, "its path has a part ..");
      }
      if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    return parts;
  }

  /**
   * Returns a part as a path of one element.
   *
   * @throws CopyException if this file system has no such name
   */
  static Path element(FileSystem files, String part) {
    try {
      Path element = files.getPath(part);
      if (element.getNameCount() == 1 && !element.isAbsolute() && element.getRoot() == null) {
        return element;
      }
    } catch (InvalidPathException e) {
      throw new CopyException(
          "the name " + part + " is not possible here, so the file cannot be copied: " + e, e);
    }
    throw refused(part, "here this is not the name of a file");
  }

  /**
   * Returns whether a symbolic link stays in the tree. It must be relative, and may have {@code ..}
   * only at its beginning: after a name they would depend on whether that name is a link.
   *
   * @param depth how many directories of the tree the link is in
   */
  static boolean staysInside(int depth, String link) {
    if (link.isEmpty() || link.startsWith("/")) {
      return false;
    }
    int up = 0;
    boolean down = false;
    for (String part : link.split("/", -1)) {
      if (part.equals("..")) {
        if (down) {
          return false;
        }
        up++;
      } else if (!part.isEmpty() && !part.equals(".")) {
        down = true;
      }
    }
    return up <= depth;
  }

  /** Returns the error about a link that leads out of the tree. */
  static CopyException leadsOutside(String name, String link) {
    return refused(
        name,
        "this link to "
            + link
            + " leads out of the copied tree, or may do so; copy with SymbolicLinks.SKIP or FOLLOW");
  }

  static CopyException refused(String name, String reason) {
    return new CopyException("cannot copy " + name + ": " + reason, null);
  }
}
