package dev.clientgo.examples.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Java file of the project, in which a page can quote a member. */
final class JavaSource {

  private static final Path ROOT = Path.of("..");

  private static final Pattern WORD =
      Pattern.compile("(?:\\b(class|record|interface|enum) )?\\b([A-Za-z]\\w*\\(?)");

  private final List<String> lines;

  private JavaSource(List<String> lines) {
    this.lines = lines;
  }

  /** Reads a file, whose path begins at the root of the project. */
  static JavaSource read(String path) {
    return read(ROOT.resolve(path));
  }

  private static JavaSource read(Path file) {
    try {
      return new JavaSource(Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all words of the main sources; a type is {@code class Type}, a call {@code call(}. */
  static Set<String> words() {
    Set<String> words = new HashSet<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path sources : modules.map(module -> module.resolve("src/main/java")).toList()) {
        if (Files.isDirectory(sources)) {
          addWords(sources, words);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return words;
  }

  private static void addWords(Path folder, Set<String> words) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        Matcher matcher = WORD.matcher(Files.readString(file));
        while (matcher.find()) {
          String word = matcher.group(2);
          words.add(matcher.group(1) == null ? word : "class " + word.replace("(", ""));
        }
      }
    }
  }

  /**
   * Returns the members of that name, each from its declaration to its end. An empty name is the
   * whole file.
   */
  List<List<String>> members(String name) {
    if (name.isEmpty()) {
      return List.of(lines);
    }
    String quoted = Pattern.quote(name);
    Pattern declaration =
        Pattern.compile(
            "\\s*(?!return |throw |new |else |\\*|//).*((class|record|interface|enum) "
                + quoted
                + "\\b.*|[\\w>\\]] "
                + quoted
                + "(\\(.*|;| =.*)|^\\s*(public |private |protected )?"
                + quoted
                + "\\(.*\\{)");
    List<List<String>> members = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (declaration.matcher(lines.get(i)).matches()) {
        members.add(lines.subList(i, end(i)));
      }
    }
    return members;
  }

  /** Returns the line behind a declaration, which ends with its last brace or with a semicolon. */
  private int end(int start) {
    int depth = 0;
    for (int i = start; i < lines.size(); i++) {
      String code = lines.get(i).replaceAll("\"(\\\\.|[^\"\\\\])*\"|'.'|//.*|^\\s*\\*.*", "");
      depth += code.replaceAll("[^{(]", "").length() - code.replaceAll("[^})]", "").length();
      if (depth == 0 && (code.endsWith("}") || code.endsWith(";"))) {
        return i + 1;
      }
    }
    return lines.size();
  }

  /** Returns whether the text has these parts, one behind the other; indentation does not count. */
  static boolean contains(List<String> text, List<List<String>> parts) {
    List<String> stripped = text.stream().map(String::strip).toList();
    int from = 0;
    for (List<String> part : parts) {
      List<String> wanted = part.stream().map(String::strip).toList();
      int at = from;
      while (at + wanted.size() <= stripped.size()
          && !stripped.subList(at, at + wanted.size()).equals(wanted)) {
        at++;
      }
      if (at + wanted.size() > stripped.size()) {
        return false;
      }
      from = at + wanted.size();
    }
    return true;
  }
}
