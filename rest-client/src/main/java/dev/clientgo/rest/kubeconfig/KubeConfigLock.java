package dev.clientgo.rest.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Locks kubeconfigs during a change, and replaces each file as a whole, so that a reader sees the
 * old or the new content.
 *
 * <p>The lock is that of kubectl: a file beside the kubeconfig, which must not exist before.
 */
final class KubeConfigLock implements AutoCloseable {

  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rw-------");

  private final List<Path> locks = new ArrayList<>();

  private KubeConfigLock() {}

  /**
   * Locks files, in an order that prevents deadlocks.
   *
   * @throws ConfigException if one of them is already locked
   */
  static KubeConfigLock lock(List<Path> files) {
    KubeConfigLock locked = new KubeConfigLock();
    try {
      files.stream().map(Path::toAbsolutePath).distinct().sorted().forEach(locked::lock);
      return locked;
    } catch (ConfigException e) {
      locked.close();
      throw e;
    }
  }

  private void lock(Path file) {
    Path lock = file.resolveSibling(file.getFileName() + ".lock");
    try {
      Files.createDirectories(lock.getParent());
      locks.add(Files.createFile(lock));
    } catch (FileAlreadyExistsException e) {
      throw new ConfigException(
          "kubeconfig "
              + file
              + " is being changed by another program; if there is none, delete "
              + lock,
          e);
    } catch (IOException e) {
      throw new ConfigException(
          "cannot write beside kubeconfig " + file + ": " + e.getMessage(), e);
    }
  }

  /** Replaces a file. A new file is private to its owner; a link stays a link. */
  void write(Path file, String yaml) {
    try {
      Path target = Files.exists(file) ? file.toRealPath() : file;
      Path temporary =
          Files.createTempFile(target.toAbsolutePath().getParent(), ".kubeconfig-", ".tmp");
      try {
        Files.writeString(temporary, yaml, UTF_8);
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
          Files.setPosixFilePermissions(
              temporary, Files.exists(target) ? Files.getPosixFilePermissions(target) : PRIVATE);
        }
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      throw new ConfigException("cannot write kubeconfig " + file + ": " + e.getMessage(), e);
    }
  }

  /** Unlocks the files. */
  @Override
  public void close() {
    for (Path lock : locks) {
      try {
        Files.deleteIfExists(lock);
      } catch (IOException e) {
        throw new ConfigException("cannot delete " + lock + ": delete it by hand", e);
      }
    }
  }
}
