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
 * The files of a discovery cache, as kubectl has them.
 *
 * @param timeToLive how long a file is believed
 */
record CacheFolder(Path folder, Duration timeToLive, Clock clock) {

  /** A name of DNS, as those of groups and versions are: no dots alone, no slashes, no drives. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-.A-Za-z0-9]*[A-Za-z0-9])?");

  Path groups() {
    return folder.resolve("servergroups.json");
  }

  /**
   * Returns where the resources of a version are kept; empty if its names, which a server makes up,
   * are none of folders and might lead elsewhere.
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

  /** Reads a file; empty if it is not there or too old. */
  Optional<Map<?, ?>> read(Path file) throws IOException {
    try {
      Instant written = Files.getLastModifiedTime(file).toInstant();
      if (Duration.between(written, clock.now()).compareTo(timeToLive) > 0) {
        return Optional.empty();
      }
      return Optional.of(Documents.parse(Files.readAllBytes(file), file.toString()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  void write(Path file, Map<String, Object> document) throws IOException {
    replace(file, Documents.write(document));
  }

  /** Replaces a file, so that whoever reads it sees the old one or the new one. */
  static void replace(Path file, byte[] content) throws IOException {
    Path parent = file.getParent();
    Files.createDirectories(parent, permissions("rwxr-x---"));
    Path temporary =
        Files.createTempFile(parent, file.getFileName() + ".", ".tmp", permissions("rw-rw----"));
    try {
      Files.write(temporary, content);
      if (isPosix()) {
        // The umask may have taken some away.
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
