package dev.clientgo.rest.discovery;

import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.clock.Clock;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The files of a discovery cache, in the layout of kubectl.
 *
 * @param timeToLive how long a file is valid
 */
record DiscoveryCacheFiles(Path folder, Duration timeToLive, Clock clock) {

  /** A DNS name, like those of groups and versions: no lone dots, slashes or drives. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-.A-Za-z0-9]*[A-Za-z0-9])?");

  Path groups() {
    return folder.resolve("servergroups.json");
  }

  /**
   * Returns the file for the resources of a version; empty if its names, which come from the
   * server, could lead to another folder.
   */
  Optional<Path> resources(GroupVersion version) {
    boolean core = version.group().isEmpty();
    if (!NAME.matcher(version.version()).matches()
        || !(core || NAME.matcher(version.group()).matches())) {
      return Optional.empty();
    }
    Path group = core ? folder : folder.resolve(version.group());
    return Optional.of(group.resolve(version.version()).resolve("serverresources.json"));
  }

  /** Reads a file; empty if it does not exist or is too old. */
  Optional<Map<?, ?>> read(Path file) throws IOException {
    try {
      Instant written = Files.getLastModifiedTime(file).toInstant();
      if (Duration.between(written, clock.now()).compareTo(timeToLive) > 0) {
        return Optional.empty();
      }
      return Optional.of(JsonTree.parse(Files.readAllBytes(file), file.toString()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  void write(Path file, Map<String, Object> document) throws IOException {
    replace(file, JsonTree.write(document));
  }

  /** Replaces a file as a whole, so that a reader sees the old or the new content. */
  static void replace(Path file, byte[] content) throws IOException {
    Path parent = file.getParent();
    Files.createDirectories(parent, permissions("rwxr-x---"));
    Path temporary =
        Files.createTempFile(parent, file.getFileName() + ".", ".tmp", permissions("rw-rw----"));
    try {
      Files.write(temporary, content);
      if (isPosix()) {
        // The umask may have removed some.
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-rw----"));
      }
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static FileAttribute<?>[] permissions(String permissions) {
    return isPosix()
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }
}
