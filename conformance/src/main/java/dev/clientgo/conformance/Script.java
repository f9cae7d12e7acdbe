package dev.clientgo.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A fault script: a title, an explanation, and steps; {@code scripts/README.md} has the language.
 *
 * @param name the name of its file without {@code .txt}
 */
record Script(String name, String title, String explanation, List<String> steps) {

  /** The folder of the scripts; tests run in the folder of the module. */
  static final Path FOLDER = Path.of("scripts");

  /** Reads all scripts, in the order of their names. */
  static List<Script> readAll() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .filter(file -> file.toString().endsWith(".txt"))
          .sorted()
          .map(Script::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether it takes minutes, so that only {@code conformance/run} runs it. */
  boolean isSlow() {
    return steps.contains("slow");
  }

  private static Script read(Path file) {
    List<String> comments = new ArrayList<>();
    List<String> steps = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith("#")) {
          comments.add(line.substring(1).strip());
        } else if (!line.isBlank()) {
          steps.add(line.strip());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String explanation = String.join(" ", comments.subList(1, comments.size())).strip();
    String name = file.getFileName().toString().replace(".txt", "");
    return new Script(name, comments.get(0), explanation, List.copyOf(steps));
  }
}
