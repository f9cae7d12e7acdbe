package dev.clientgo.gen;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Reads YAML and JSON: files, folders, streams of many documents.
 *
 * <p>A document that cannot be read is reported and the others go on: YAML is cut at its document
 * marks before it is parsed, so that an error does not reach beyond its own document.
 */
final class Documents {

  private final Consumer<Problem> problems;
  private final List<Node> roots = new ArrayList<>();
  private int files;

  Documents(Consumer<Problem> problems) {
    this.problems = problems;
  }

  /** Returns the documents read so far, in order. */
  List<Node> roots() {
    return roots;
  }

  /** Returns how many files were read. */
  int files() {
    return files;
  }

  /** Reads a file, or the YAML and JSON files of a folder and its folders, sorted by name. */
  void read(Path path) {
    if (Files.isDirectory(path)) {
      try (Stream<Path> tree = Files.walk(path)) {
        tree.filter(Files::isRegularFile)
            .filter(Documents::isDocument)
            .sorted()
            .forEach(this::file);
      } catch (IOException e) {
        report(path.toString(), 0, "cannot list the folder: " + e.getMessage());
      }
    } else {
      file(path);
    }
  }

  private static boolean isDocument(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
  }

  private void file(Path file) {
    files++;
    try {
      text(file.toString(), Files.readString(file, UTF_8));
    } catch (CharacterCodingException e) {
      report(file.toString(), 0, "is not UTF-8 text");
    } catch (IOException e) {
      report(file.toString(), 0, "cannot be read: " + e);
    }
  }

  /** Reads the documents in a text. */
  void text(String file, String text) {
    String content = text.startsWith("\ufeff") ? text.substring(1) : text;
    String start = content.stripLeading();
    // What has document marks is YAML, even if its first document could be JSON.
    if ((start.startsWith("{") || start.startsWith("["))
        && content.lines().noneMatch(Documents::isMark)) {
      TreeReader.json(file, content, roots::add, problems);
    } else {
      yaml(file, content);
    }
  }

  private void yaml(String file, String content) {
    int firstLine = 0;
    int line = 0;
    StringBuilder document = new StringBuilder();
    for (String text : content.split("\n", -1)) {
      if (isMark(text)) {
        TreeReader.yaml(file, document.toString(), firstLine, roots::add, problems);
        document.setLength(0);
        firstLine = line;
        // What follows the mark on its line belongs to the document.
        document.append(text.startsWith("---") ? text.substring(3) : "");
      } else {
        document.append(text);
      }
      document.append('\n');
      line++;
    }
    TreeReader.yaml(file, document.toString(), firstLine, roots::add, problems);
  }

  /** Returns whether a line ends one document: within one, such a line cannot be content. */
  private static boolean isMark(String line) {
    return (line.startsWith("---") || line.startsWith("..."))
        && (line.length() == 3 || Character.isWhitespace(line.charAt(3)));
  }

  private void report(String file, int line, String text) {
    problems.accept(new Problem(file, line, "", text));
  }
}
