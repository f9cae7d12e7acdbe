package dev.clientgo.remotecommand.copy;

import java.util.List;

/**
 * A path in a container, which is copied from or to.
 *
 * @param directory the directory that {@code tar} changes to
 * @param name the name in it; empty for the directory itself
 */
record RemotePath(String directory, String name) {

  /**
   * Splits a path at its last slash.
   *
   * @throws IllegalArgumentException if it is empty
   */
  static RemotePath of(String path) {
    if (path.isEmpty()) {
      throw new IllegalArgumentException("the path in the container is empty");
    }
    int end = path.length();
    while (end > 1 && path.charAt(end - 1) == '/') {
      end--;
    }
    String trimmed = path.substring(0, end);
    int slash = trimmed.lastIndexOf('/');
    String name = trimmed.substring(slash + 1);
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      return new RemotePath(trimmed, "");
    }
    return new RemotePath(slash < 0 ? "." : slash == 0 ? "/" : trimmed.substring(0, slash), name);
  }

  /** Returns what {@code tar} packs; never an option. */
  String member() {
    return name.isEmpty() ? "." : "./" + name;
  }

  /**
   * Returns the path of a name of the archive, relative to this one.
   *
   * @throws CopyException if it is not below this one
   */
  List<String> relative(String entry) {
    List<String> parts = EntryPath.parts(entry);
    if (name.isEmpty()) {
      return parts;
    }
    if (parts.isEmpty() || !parts.get(0).equals(name)) {
      throw EntryPath.refused(entry, "it does not belong to " + this);
    }
    return parts.subList(1, parts.size());
  }

  /** Returns the path. */
  @Override
  public String toString() {
    return name.isEmpty() ? directory : directory.equals("/") ? "/" + name : directory + "/" + name;
  }
}
