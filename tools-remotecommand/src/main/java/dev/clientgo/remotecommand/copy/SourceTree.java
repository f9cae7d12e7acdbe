package dev.clientgo.remotecommand.copy;

import dev.clientgo.remotecommand.internal.tar.TarEntry;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Visits the local files that are copied into a container, sorted by name. For one thread. */
final class SourceTree {

  /** Receives the entries of an archive, directories before their content. */
  interface Visitor {
    void visit(Path path, TarEntry entry) throws IOException, InterruptedException;
  }

  private static final LinkOption[] FOLLOW = {};

  private static final LinkOption[] NO_FOLLOW = {LinkOption.NOFOLLOW_LINKS};

  private static final int DIRECTORY_MODE = 0755;

  private static final int FILE_MODE = 0644;

  private final Path root;
  private final SymbolicLinks links;
  private final Progress progress;
  private final Visitor visitor;
  private final boolean isPosix;

  /** The directories around the one that is visited, if links could lead back to them. */
  private final Deque<Path> parents = new ArrayDeque<>();

  SourceTree(Path root, SymbolicLinks links, Progress progress, Visitor visitor) {
    this.root = root;
    this.links = links;
    this.progress = progress;
    this.visitor = visitor;
    this.isPosix = root.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /**
   * Visits all files.
   *
   * @param name the name of the root in the archive; empty if the archive has only its content
   */
  void visit(String name) throws IOException, InterruptedException {
    visit(root, name, 0);
  }

  private void visit(Path path, String name, int depth) throws IOException, InterruptedException {
    BasicFileAttributes attributes;
    try {
      attributes = attributes(path, links == SymbolicLinks.FOLLOW ? FOLLOW : NO_FOLLOW);
    } catch (NoSuchFileException e) {
      if (Files.isSymbolicLink(path)) {
        progress.skip(path.toString(), "it is a symbolic link that leads nowhere");
        return;
      }
      throw e;
    }
    Instant modified = attributes.lastModifiedTime().toInstant();
    if (attributes.isDirectory()) {
      if (!name.isEmpty()) {
        visitor.visit(path, TarEntry.directory(name, mode(attributes, DIRECTORY_MODE), modified));
      }
      visitChildren(path, name, depth);
    } else if (attributes.isRegularFile()) {
      visitor.visit(
          path, TarEntry.file(name, mode(attributes, FILE_MODE), attributes.size(), modified));
    } else if (attributes.isSymbolicLink()) {
      visitLink(path, name, depth, modified);
    } else {
      progress.skip(path.toString(), "it is a device, a pipe or a socket");
    }
  }

  private BasicFileAttributes attributes(Path path, LinkOption... options) throws IOException {
    return isPosix
        ? Files.readAttributes(path, PosixFileAttributes.class, options)
        : Files.readAttributes(path, BasicFileAttributes.class, options);
  }

  private static int mode(BasicFileAttributes attributes, int otherwise) {
    return attributes instanceof PosixFileAttributes posix
        ? Permissions.mode(posix.permissions())
        : otherwise;
  }

  private void visitChildren(Path path, String name, int depth)
      throws IOException, InterruptedException {
    if (links == SymbolicLinks.FOLLOW) {
      Path real = path.toRealPath();
      if (parents.contains(real)) {
        throw new FileSystemLoopException(path.toString());
      }
      parents.push(real);
    }
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(path)) {
      stream.forEach(children::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    children.sort(null);
    for (Path child : children) {
      String childName = String.valueOf(child.getFileName());
      visit(child, name.isEmpty() ? childName : name + "/" + childName, depth + 1);
    }
    if (links == SymbolicLinks.FOLLOW) {
      parents.pop();
    }
  }

  private void visitLink(Path path, String name, int depth, Instant modified)
      throws IOException, InterruptedException {
    String target =
        Files.readSymbolicLink(path).toString().replace(path.getFileSystem().getSeparator(), "/");
    if (links == SymbolicLinks.SKIP) {
      progress.skip(path.toString(), "it is a symbolic link to " + target);
      return;
    }
    if (depth == 0 || !EntryPath.staysInside(depth - 1, target)) {
      throw EntryPath.leadsOutside(path.toString(), target);
    }
    visitor.visit(path, TarEntry.symbolicLink(name, target, modified));
  }
}
