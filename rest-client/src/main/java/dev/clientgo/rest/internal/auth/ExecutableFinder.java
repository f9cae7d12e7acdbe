package dev.clientgo.rest.internal.auth;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds executables in {@code PATH}, as a shell does. Immutable.
 *
 * <p>Unlike a shell, it ignores relative entries of {@code PATH}, empty ones included: they lead
 * into the current directory, where others may write.
 */
final class ExecutableFinder {

  private final List<Path> folders;
  private final List<String> endings;

  ExecutableFinder(Map<String, String> environment) {
    folders =
        Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(Path::isAbsolute)
            .toList();
    endings = endings(environment);
  }

  /** On Windows, the suffix of a name decides whether a file is executable. */
  private static List<String> endings(Map<String, String> environment) {
    List<String> endings = new ArrayList<>(List.of(""));
    if (File.separatorChar == '\\') {
      endings.addAll(
          List.of(environment.getOrDefault("PATHEXT", ".COM;.EXE;.BAT;.CMD").split(";", -1)));
    }
    return endings;
  }

  /** Returns the executable of a name or a path. */
  Optional<Path> find(String command) {
    try {
      if (isPath(command)) {
        return executable(Path.of(command).toAbsolutePath().normalize());
      }
      return folders.stream()
          .map(folder -> executable(folder.resolve(command).toAbsolutePath()))
          .flatMap(Optional::stream)
          .findFirst();
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private Optional<Path> executable(Path path) {
    // Windows adds an ending to a name without one, so it runs no file without one.
    boolean bare = endings.size() > 1 && !path.getFileName().toString().contains(".");
    return endings.stream()
        .skip(bare ? 1 : 0)
        .map(ending -> Path.of(path + ending))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  /** Returns why an executable was not found. */
  String describe(String command) {
    if (!isPath(command)) {
      return "no folder of PATH has it";
    }
    Path path = Path.of(command);
    return Files.exists(path) ? path + " is not executable" : "there is no file " + path;
  }

  private static boolean isPath(String command) {
    return command.contains("/") || command.contains(File.separator);
  }
}
