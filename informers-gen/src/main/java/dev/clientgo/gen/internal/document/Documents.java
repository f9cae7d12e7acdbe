package dev.clientgo.gen.internal.document;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.gen.report.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileVisitOption;
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
 * <p>A document that cannot be read is reported and the others are still read: YAML is cut at its
 * document marks before it is parsed, so that an error does not reach beyond its own document.
 */
public final class Documents {

  private static final String BYTE_ORDER_MARK = "\ufeff";

  private final Consumer<Report.Problem> problems;
  private final Consumer<Report.Problem> notes;
  private final List<Node> roots = new ArrayList<>();
  private int files;

  public Documents(Consumer<Report.Problem> problems) {
    this(problems, note -> {});
  }

  /**
   * @param problems receives a problem for each document that cannot be read
   * @param notes receives a note for each document that is skipped
   */
  public Documents(Consumer<Report.Problem> problems, Consumer<Report.Problem> notes) {
    this.problems = problems;
    this.notes = notes;
  }

  /** Returns the documents read so far, in order. */
  public List<Node> roots() {
    return roots;
  }

  /** Returns how many files were read. */
  public int files() {
    return files;
  }

  /** Reads a file, or the YAML and JSON files of a folder and its folders, sorted by name. */
  public void read(Path path) {
    if (Files.isDirectory(path)) {
      try (Stream<Path> tree = Files.walk(path, FileVisitOption.FOLLOW_LINKS)) {
        tree.filter(Files::isRegularFile)
            .filter(Documents::isDocument)
            .sorted()
            .forEach(file -> file(file, true));
      } catch (IOException | UncheckedIOException e) {
        report(path.toString(), 0, "cannot list the folder: " + e.getMessage());
      }
    } else {
      file(path, false);
    }
  }

  private static boolean isDocument(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
  }

  private void file(Path file, boolean ofFolder) {
    files++;
    try {
      String text = decode(Files.readAllBytes(file));
      if (text.isBlank()) {
        notes.accept(new Report.Problem(file.toString(), 0, "", "is empty"));
      }
      text(file.toString(), text, ofFolder);
    } catch (CharacterCodingException e) {
      report(file.toString(), 0, "is not UTF-8 text");
    } catch (IOException e) {
      report(file.toString(), 0, "cannot be read: " + e);
    }
  }

  /** Decodes UTF-8, or UTF-16 with a byte order mark, which PowerShell writes. */
  public static String decode(byte[] bytes) throws CharacterCodingException {
    int mark = bytes.length < 2 ? 0 : ((bytes[0] & 0xff) << 8) | (bytes[1] & 0xff);
    boolean utf16 = mark == 0xfeff || mark == 0xfffe;
    return (utf16 ? UTF_16 : UTF_8).newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  /** Reads the documents in a text. */
  public void text(String file, String text) {
    text(file, text, false);
  }

  private void text(String file, String text, boolean ofFolder) {
    String content = withoutMark(text);
    String start = content.stripLeading();
    // Text with document marks is YAML, even if its first document could be JSON.
    boolean json = (start.startsWith("{") && !start.startsWith("{{")) || start.startsWith("[");
    if (json && content.lines().noneMatch(Documents::isMark)) {
      TreeReader.json(file, content, roots::add, onProblem(content, 0, ofFolder));
    } else {
      yaml(file, content, ofFolder);
    }
  }

  private void yaml(String file, String content, boolean ofFolder) {
    int firstLine = 0;
    int line = 0;
    StringBuilder document = new StringBuilder();
    for (String each : content.split("\n", -1)) {
      String text = withoutMark(each); // Concatenated files have several.
      if (isMark(text)) {
        yaml(file, document.toString(), firstLine, ofFolder);
        document.setLength(0);
        firstLine = line;
        // Text behind the mark on its line belongs to the document.
        document.append(text.startsWith("---") ? text.substring(3) : "");
      } else {
        document.append(text);
      }
      document.append('\n');
      line++;
    }
    yaml(file, document.toString(), firstLine, ofFolder);
  }

  private void yaml(String file, String document, int firstLine, boolean ofFolder) {
    TreeReader.yaml(
        file, document, firstLine, roots::add, onProblem(document, firstLine, ofFolder));
  }

  /** Reports a document that cannot be read, or, if it is a template, how to render it. */
  private Consumer<Report.Problem> onProblem(String document, int firstLine, boolean ofFolder) {
    return problem -> {
      HelmTemplate template = HelmTemplate.find(document);
      if (template == null) {
        problems.accept(problem);
      } else if (ofFolder && !template.hasCrd()) {
        // A chart has many. A folder without any CRD is a separate error.
        notes.accept(template.describe(problem.file(), firstLine, HelmTemplate.SKIPPED));
      } else {
        problems.accept(template.describe(problem.file(), firstLine, HelmTemplate.RENDER));
      }
    };
  }

  private static String withoutMark(String text) {
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
  }

  /** Returns whether a line ends one document: such a line cannot be content. */
  private static boolean isMark(String line) {
    return (line.startsWith("---") || line.startsWith("..."))
        && (line.length() == 3 || Character.isWhitespace(line.charAt(3)));
  }

  private void report(String file, int line, String text) {
    problems.accept(new Report.Problem(file, line, "", text));
  }
}
