package dev.clientgo.architecture;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** Finds the files of the project. */
final class ProjectFiles {

  /** The folder of the whole project. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private ProjectFiles() {}

  /**
   * Returns the files below a folder whose names end so, in a fixed order, without those that a
   * build has made and those in hidden folders.
   */
  static List<Path> find(Path folder, String... endings) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            String name = dir.getFileName().toString();
            return name.equals("target") || (name.startsWith(".") && !dir.equals(folder))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            for (String ending : endings) {
              if (file.toString().endsWith(ending)) {
                found.add(file);
              }
            }
            return FileVisitResult.CONTINUE;
          }
        });
    found.sort(null);
    return found;
  }
}
