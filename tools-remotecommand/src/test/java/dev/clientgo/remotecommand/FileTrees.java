package dev.clientgo.remotecommand;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** Compares trees of files. */
final class FileTrees {

  private FileTrees() {}

  /** Returns a line for each file below a directory. */
  static String[] describe(Path root) throws IOException {
    Map<String, String> lines = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.toList()) {
        String name = root.relativize(path).toString();
        if (Files.isSymbolicLink(path)) {
          lines.put(name, "-> " + Files.readSymbolicLink(path));
        } else if (!name.isEmpty()) {
          lines.put(
              name,
              content(path)
                  + " "
                  + PosixFilePermissions.toString(Files.getPosixFilePermissions(path))
                  + " "
                  + Files.getLastModifiedTime(path));
        }
      }
    }
    return lines.entrySet().stream().map(Object::toString).toArray(String[]::new);
  }

  /** Returns the contents of the files of a directory by their names. */
  static Map<String, String> contents(Path directory) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> paths = Files.list(directory)) {
      for (Path path : paths.toList()) {
        contents.put(directory.relativize(path).toString(), content(path));
      }
    }
    return contents;
  }

  private static String content(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return "directory";
    }
    CRC32 sum = new CRC32();
    byte[] buffer = new byte[64 * 1024];
    try (InputStream in = Files.newInputStream(path)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        sum.update(buffer, 0, read);
      }
    }
    return Files.size(path) + " bytes " + sum.getValue();
  }

  /** Writes a file of random bytes. */
  static void write(Path path, long size, Random random) throws IOException {
    byte[] buffer = new byte[64 * 1024];
    try (OutputStream out = Files.newOutputStream(path)) {
      for (long left = size; left > 0; left -= buffer.length) {
        random.nextBytes(buffer);
        out.write(buffer, 0, (int) Math.min(buffer.length, left));
      }
    }
  }

  /** Deletes a folder with all in it, and returns whether it is gone. */
  static boolean delete(Path root) {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return true;
    }
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.toList()) {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        }
      }
      for (Path path : FileTrees.deepestFirst(root)) {
        Files.deleteIfExists(path);
      }
      return true;
    } catch (IOException | UncheckedIOException e) {
      return false; // Something was written meanwhile.
    }
  }

  private static List<Path> deepestFirst(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths.sorted(Comparator.reverseOrder()).toList();
    }
  }
}
