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
 * Kubeconfigs that are about to be changed: nobody else who keeps to the rules changes them
 * meanwhile, and whoever reads one sees it as it was or as it will be.
 *
 * <p>The lock is that of kubectl: a file beside the kubeconfig, which must not be there before.
 */
final class KubeConfigFiles implements AutoCloseable {

  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rw-------");

  private final List<Path> locks = new ArrayList<>();

  private KubeConfigFiles() {}

  /**
   * Locks files, always in the same order.
   *
   * @throws ConfigException if one of them is locked already
   */
  static KubeConfigFiles lock(List<Path> files) {
    KubeConfigFiles locked = new KubeConfigFiles();
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

  /** Replaces a file. A new one is for its owner alone; a link stays one. */
  void write(Path file, KubeConfig config) {
    try {
      Path target = Files.exists(file) ? file.toRealPath() : file;
      Path temporary =
          Files.createTempFile(target.toAbsolutePath().getParent(), ".kubeconfig-", ".tmp");
      try {
        Files.writeString(temporary, config.toYaml(), UTF_8);
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

  /** Lets the others in again. */
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
