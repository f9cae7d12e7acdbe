package dev.clientgo.remotecommand.copy;

import dev.clientgo.remotecommand.internal.tar.TarEntry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A local directory that an archive is unpacked into. Nothing is written outside of it: each parent
 * of an entry must be a real directory, at the time when the entry is written, and a link is
 * replaced, never followed. For one thread.
 */
final class TargetTree {

  private static final int OWNER_DIRECTORY = 0700;

  /** Nobody else reads a file before it has the permissions of its entry. */
  private static final FileAttribute<?>[] OWNER_ONLY = {
    PosixFilePermissions.asFileAttribute(Permissions.of(0600))
  };

  private static final FileAttribute<?>[] NO_ATTRIBUTES = {};

  private final Path root;
  private final boolean keepsAttributes;

  /** Whether permissions are kept, too. */
  private final boolean keepsModes;

  /**
   * The directories around the last entry. They get their permissions and times when the archive
   * leaves them: both hinder or change with new files. An archive may have any number of others.
   */
  private final Deque<Directory> directories = new ArrayDeque<>();

  private record Directory(Path path, TarEntry entry) {}

  private int temporaryFiles;

  /**
   * Creates a tree.
   *
   * @param directory created if it is not there; it may be reached through links of the user
   */
  TargetTree(Path directory, boolean keepsAttributes) throws IOException {
    this.root = Files.createDirectories(followed(directory)).toRealPath();
    this.keepsAttributes = keepsAttributes;
    this.keepsModes =
        keepsAttributes && root.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** {@code createDirectories} refuses a link to a directory. */
  private static Path followed(Path directory) throws IOException {
    return Files.isDirectory(directory) ? directory.toRealPath() : directory;
  }

  /**
   * Creates a directory, until it is complete for its owner alone; one that is there stays open.
   */
  void directory(List<String> parts, TarEntry entry) throws IOException {
    if (parts.isEmpty()) {
      return;
    }
    Path path = locate(parts);
    boolean isNew = createDirectory(path, entry.name());
    if (keepsModes) {
      int mode = isNew ? 0 : Permissions.mode(Files.getPosixFilePermissions(path));
      Files.setPosixFilePermissions(path, Permissions.of(mode | OWNER_DIRECTORY));
    }
    directories.push(new Directory(path, entry));
  }

  /** Returns the path of an entry, after it has left the directories around the last one. */
  private Path locate(List<String> parts) throws IOException {
    leave(path(parts));
    return checked(parts);
  }

  private Path path(List<String> parts) throws IOException {
    Path path = root;
    for (String part : parts) {
      path = path.resolve(EntryPath.element(root.getFileSystem(), part));
    }
    return path;
  }

  /** Returns a path, after a look at each of its parents. */
  private Path checked(List<String> parts) throws IOException {
    for (int i = 1; i < parts.size(); i++) {
      createDirectory(path(parts.subList(0, i)), String.join("/", parts));
    }
    return path(parts);
  }

  /** Returns whether the directory is new. */
  private static boolean createDirectory(Path path, String entry) throws IOException {
    BasicFileAttributes found = attributes(path);
    if (found == null) {
      Files.createDirectory(path);
    } else if (found.isSymbolicLink()) {
      throw EntryPath.refused(entry, path + " is a link, and may lead anywhere");
    } else if (!found.isDirectory()) {
      throw EntryPath.refused(entry, path + " is not a directory");
    }
    return found == null;
  }

  private static @Nullable BasicFileAttributes attributes(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static void refuseDirectory(Path path, TarEntry entry) throws IOException {
    BasicFileAttributes found = attributes(path);
    if (found != null && found.isDirectory()) {
      throw EntryPath.refused(entry.name(), path + " is a directory");
    }
  }

  /** Begins a file, which appears under its name when it is complete. */
  NewFile file(List<String> parts, TarEntry entry) throws IOException {
    Path path = locate(parts);
    refuseDirectory(path, entry);
    while (true) {
      Path temporary = path.resolveSibling(".clientgo-copy-" + temporaryFiles + ".part");
      try {
        OutputStream out =
            Channels.newOutputStream(
                Files.newByteChannel(
                    temporary,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    keepsModes ? OWNER_ONLY : NO_ATTRIBUTES));
        return new NewFile(path, temporary, out, entry);
      } catch (FileAlreadyExistsException e) {
        temporaryFiles++; // Of another copy.
      }
    }
  }

  /** Creates a symbolic link that stays in the tree. */
  void symbolicLink(List<String> parts, TarEntry entry) throws IOException {
    if (!EntryPath.staysInside(parts.size() - 1, entry.link())) {
      throw EntryPath.leadsOutside(entry.name(), entry.link());
    }
    Path link = root.getFileSystem().getPath("");
    for (String part : entry.link().split("/", -1)) {
      if (!part.isEmpty()) {
        link = link.resolve(EntryPath.element(root.getFileSystem(), part));
      }
    }
    Path path = locate(parts);
    refuseDirectory(path, entry);
    Files.deleteIfExists(path);
    Files.createSymbolicLink(path, link);
  }

  /** Creates a second name of a file. */
  void hardLink(List<String> parts, List<String> existing, TarEntry entry) throws IOException {
    Path source = existing.isEmpty() ? root : checked(existing);
    BasicFileAttributes found = attributes(source);
    if (found == null || !found.isRegularFile()) {
      throw EntryPath.refused(
          entry.name(), "it is a hard link to " + entry.link() + ", which is no file of the copy");
    }
    Path path = locate(parts);
    refuseDirectory(path, entry);
    if (!path.equals(source)) {
      Files.deleteIfExists(path);
      Files.createLink(path, source);
    }
  }

  /** Completes all directories. */
  void finish() throws IOException {
    leave(root);
  }

  /** Sets the permissions and times of the directories that a path is not in, children first. */
  private void leave(Path next) throws IOException {
    for (Directory last = directories.peek();
        last != null && (next.equals(last.path) || !next.startsWith(last.path));
        last = directories.peek()) {
      directories.pop();
      setAttributes(last.path, last.entry);
    }
  }

  private void setAttributes(Path path, TarEntry entry) throws IOException {
    if (!keepsAttributes) {
      return;
    }
    if (keepsModes) {
      Files.setPosixFilePermissions(path, Permissions.of(entry.mode()));
    }
    Files.setLastModifiedTime(path, FileTime.from(entry.modified()));
  }

  /** A file that is being written under another name. */
  final class NewFile implements AutoCloseable {
    private final Path path;
    private final Path temporary;
    private final OutputStream out;
    private final TarEntry entry;

    private NewFile(Path path, Path temporary, OutputStream out, TarEntry entry) {
      this.path = path;
      this.temporary = temporary;
      this.out = out;
      this.entry = entry;
    }

    void write(byte[] bytes, int length) throws IOException {
      out.write(bytes, 0, length);
    }

    /** Gives the file its name, and replaces the file that has it. */
    void complete() throws IOException {
      out.close();
      setAttributes(temporary, entry);
      Files.move(temporary, path, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Deletes the file unless it is complete. */
    @Override
    public void close() throws IOException {
      out.close();
      Files.deleteIfExists(temporary);
    }
  }
}
