package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Measures the size and the structure of the project, and writes the numbers to {@code
 * target/measures.md}. A number that must not rise has a limit; the others are for information.
 */
final class MeasuresTest {

  /** Circles of files, and files in them: the numbers may only fall. */
  private static final int MAX_CIRCLES = 32;

  private static final int LARGEST_CIRCLE = 8;

  /** Phrases of a translation in 1,000 lines: the number may only fall. */
  private static final double MAX_PHRASES = 0.5;

  /** Names that two exported packages give to different types: the number may only fall. */
  private static final int MAX_SHARED_NAMES = 3;

  /** Files in the walks of docs/architecture.md, by their headings: the numbers may only fall. */
  private static final Map<String, Integer> WALKS =
      Map.of(
          "From the socket to a worker, file by file", 25,
          "How a request travels", 12,
          "How a reconcile travels", 17,
          "How a command travels", 17);

  private static final Pattern WORD = Pattern.compile("\\S+");

  private static final Pattern WALKED_FILE = Pattern.compile("(?m)^\\d+\\. \\[`");

  /** Phrases that mark a translation more often than not, see CONTRIBUTING.md. */
  private static final List<String> PHRASES =
      List.of(
          "for ever",
          "anew",
          "hears",
          "hear of",
          "is told",
          "are told",
          "was told",
          "tells",
          "goes on",
          "go on",
          "is over",
          "all the same",
          "in any case",
          "by now",
          "one's own",
          "of which only",
          "in vain",
          "seldom",
          "beforehand",
          "has gone",
          "what is left",
          "nothing else",
          "all others",
          "no other",
          "another one",
          "in place of",
          "lest",
          "thereby",
          "upon",
          "shall",
          "the wish to",
          "under the eyes",
          "in the hands of",
          "be it",
          "the like",
          "at the most",
          "lives only once",
          "would not be",
          "of its own",
          "is about to",
          "are to be",
          "is to be");

  private static final Pattern PHRASE =
      Pattern.compile(
          PHRASES.stream()
              .map(phrase -> phrase.replace(" ", "\\s+"))
              .collect(Collectors.joining("|", "(?i)\\b(?:", ")\\b")));

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?://[^\\n]*\\n\\s*)+");

  private static final Set<String> NOT_PUBLISHED =
      Set.of("benchmarks", "conformance", "examples", "architecture-tests", "testing-internal");

  private static final List<JavaClass> CLASSES =
      new ClassFileImporter()
              .withImportOption(new ImportOption.DoNotIncludeTests())
              .importPackages("dev.clientgo")
              .stream()
              .filter(type -> !type.getPackageName().startsWith("dev.clientgo.kubernetes."))
              .toList();

  private final StringBuilder page = new StringBuilder("| what | now |\n|---|---|\n");

  @Test
  void project_isNoHeavier() throws IOException {
    row("published main lines", publishedLines());
    Map<String, Long> exported = exportedTypes();
    row("exported types", exported.values().stream().mapToLong(count -> count).sum());
    exported.forEach((module, count) -> row("&nbsp; of " + module, count));
    Map<String, Set<String>> sharedNames = sharedNames();
    row("names of several exported types", sharedNames.size());
    sharedNames.forEach((name, packages) -> row("&nbsp; " + name, String.join(", ", packages)));
    Map<String, Integer> walks = walks();
    walks.forEach((heading, files) -> row("files in the walk: " + heading, files));
    Map<String, Long> words = words();
    row("words of pages", words.values().stream().mapToLong(count -> count).sum());
    words.forEach((folder, count) -> row("&nbsp; of " + folder, count));
    List<Set<String>> circles = circles();
    int largest = circles.stream().mapToInt(Set::size).max().orElse(0);
    row("circles of files", circles.size());
    row("files in circles", circles.stream().mapToInt(Set::size).sum());
    row("files in the largest circle", largest);
    circles.stream()
        .sorted((a, b) -> b.size() - a.size())
        .forEach(circle -> row("&nbsp; circle of " + circle.size(), String.join(", ", circle)));
    Map<String, List<String>> phrases = new TreeMap<>();
    double density = phrases(phrases);
    row("phrases of a translation in 1,000 lines", Math.round(100 * density) / 100.0);
    Files.writeString(Path.of("target/measures.md"), page);

    assertThat(circles.size()).as(circles::toString).isLessThanOrEqualTo(MAX_CIRCLES);
    assertThat(largest).as(circles::toString).isLessThanOrEqualTo(LARGEST_CIRCLE);
    assertThat(density).as(phrases::toString).isLessThanOrEqualTo(MAX_PHRASES);
    assertThat(sharedNames).hasSizeLessThanOrEqualTo(MAX_SHARED_NAMES);
    assertThat(walks.keySet()).as("walks, each with a limit").isEqualTo(WALKS.keySet());
    walks.forEach(
        (heading, files) ->
            assertThat(files).as(heading).isLessThanOrEqualTo(WALKS.getOrDefault(heading, 0)));
  }

  private void row(String what, Object value) {
    page.append("| ").append(what).append(" | ").append(value).append(" |\n");
  }

  private static long publishedLines() throws IOException {
    long lines = 0;
    for (Path file : ProjectFiles.find(ProjectFiles.ROOT, ".java")) {
      Path name = ProjectFiles.ROOT.relativize(file);
      if (name.toString().replace('\\', '/').contains("/src/main/java/")
          && !NOT_PUBLISHED.contains(name.getName(0).toString())) {
        lines += Files.readString(file).lines().count();
      }
    }
    return lines;
  }

  /** Counts the public types of exported packages, nested ones aside, by module. */
  private static Map<String, Long> exportedTypes() throws IOException {
    Map<String, Long> found = new TreeMap<>();
    exportedTypesOfModules()
        .forEach((module, types) -> found.put(module, Long.valueOf(types.size())));
    return found;
  }

  /** Returns the names that public types of several exported packages have, with the packages. */
  private static Map<String, Set<String>> sharedNames() throws IOException {
    Map<String, Set<String>> packages = new TreeMap<>();
    for (List<JavaClass> types : exportedTypesOfModules().values()) {
      for (JavaClass type : types) {
        packages
            .computeIfAbsent(type.getSimpleName(), name -> new TreeSet<>())
            .add(type.getPackageName());
      }
    }
    packages.values().removeIf(found -> found.size() == 1);
    return packages;
  }

  private static Map<String, List<JavaClass>> exportedTypesOfModules() throws IOException {
    Pattern exports = Pattern.compile("(?m)^  exports ([a-z.]+);");
    Map<String, List<JavaClass>> found = new TreeMap<>();
    for (Path file : ProjectFiles.find(ProjectFiles.ROOT, "module-info.java")) {
      String module = ProjectFiles.ROOT.relativize(file).getName(0).toString();
      Set<String> packages =
          exports
              .matcher(Files.readString(file))
              .results()
              .map(match -> match.group(1))
              .collect(Collectors.toSet());
      found.put(
          module,
          CLASSES.stream()
              .filter(type -> packages.contains(type.getPackageName()))
              .filter(
                  type ->
                      type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
              .toList());
    }
    return found;
  }

  /** Counts the files in each walk of the page of the architecture, by the heading above it. */
  private static Map<String, Integer> walks() throws IOException {
    Map<String, Integer> found = new TreeMap<>();
    String page = Files.readString(ProjectFiles.ROOT.resolve("docs/architecture.md"));
    for (String section : page.split("(?m)^##+ ", -1)) {
      int files = (int) WALKED_FILE.matcher(section).results().count();
      if (files > 0) {
        found.put(section.lines().findFirst().orElseThrow(), files);
      }
    }
    return found;
  }

  /** Counts the words of the pages in docs, by folder; those of tables and code count, too. */
  private static Map<String, Long> words() throws IOException {
    Map<String, Long> found = new TreeMap<>();
    for (Path file : ProjectFiles.find(ProjectFiles.ROOT.resolve("docs"), ".md")) {
      String folder = ProjectFiles.ROOT.relativize(file.getParent()).toString().replace('\\', '/');
      found.merge(folder, WORD.matcher(Files.readString(file)).results().count(), Long::sum);
    }
    return found;
  }

  private static List<Set<String>> circles() {
    List<Set<String>> circles = new ArrayList<>();
    CLASSES.stream()
        .collect(Collectors.groupingBy(JavaClass::getPackageName))
        .values()
        .forEach(types -> circles.addAll(new Layers(types).circles()));
    return circles;
  }

  /** Returns the phrases in 1,000 lines of comments, code and English pages. */
  private static double phrases(Map<String, List<String>> found) throws IOException {
    long lines = 0;
    long count = 0;
    for (Path file : ProjectFiles.find(ProjectFiles.ROOT, ".java", ".md")) {
      String name = file.toString().replace('\\', '/');
      if (name.endsWith(".zh.md") || name.contains("/zh/") || name.endsWith("MeasuresTest.java")) {
        continue;
      }
      String text = Files.readString(file);
      lines += text.lines().count();
      Stream<String> prose =
          name.endsWith(".md")
              ? Stream.of(text)
              : COMMENT.matcher(text).results().map(match -> match.group());
      List<String> here =
          prose
              .map(comment -> comment.replaceAll("\\n *(\\*|//)", "\n"))
              .flatMap(comment -> PHRASE.matcher(comment).results().map(match -> match.group()))
              .toList();
      if (!here.isEmpty()) {
        found.put(ProjectFiles.ROOT.relativize(file).toString(), here);
        count += here.size();
      }
    }
    return 1000.0 * count / lines;
  }
}
