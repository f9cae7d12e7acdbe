package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The messages, checks and metrics of docs/operations.md are those of the code. In a message,
 * {@code …} stands for what differs; each part between is in a literal of one file.
 */
final class OperationsPageTest {

  private static final String LITERAL = "\"((?:[^\"\\\\\\n]|\\\\.)*)\"";

  /** Literals that the compiler joins. */
  private static final Pattern JOINED =
      Pattern.compile(LITERAL + "(?:\\s*\\+\\s*" + LITERAL + ")*");

  private static final Pattern ONE = Pattern.compile(LITERAL);

  /** The first cell of a row, but for those of headings. */
  private static final Pattern CELL =
      Pattern.compile("(?m)^\\| (?!message \\||check \\|)(.+?) \\|");

  private static final Pattern CHECK =
      Pattern.compile("(?:all\\.put|add\\(Map\\.of)\\(\\s*\"([a-z-]+)\"");

  private static final Pattern METRIC =
      Pattern.compile(
          "\\b(?:controller_runtime|shard_group|leader_election|clientgo|rest_client)_\\w+");

  /** The shortest text of a message that can be searched for. */
  private static final int DISTINCT = 12;

  @Test
  void messages_areInTheCode() throws IOException {
    List<List<String>> files = literals();
    List<String> messages = quotes(section("Messages"));

    assertThat(messages).hasSizeGreaterThan(40).doesNotHaveDuplicates();
    assertThat(messages)
        .as("messages that no file of the main sources has")
        .allMatch(message -> files.stream().anyMatch(file -> isIn(file, message)));
  }

  @Test
  void checks_areThoseOfTheManager() throws IOException {
    Path pages =
        ProjectFiles.ROOT.resolve(
            "controller-runtime/src/main/java/dev/clientgo/controller/ManagerPages.java");
    Set<String> checks =
        CHECK
            .matcher(Files.readString(pages))
            .results()
            .map(check -> check.group(1))
            .collect(Collectors.toSet());

    assertThat(quotes(section("Checks")).stream().map(check -> check.replace("…", "")))
        .hasSameElementsAs(checks);
  }

  @Test
  void metrics_areInTheCode() throws IOException {
    Set<String> literals = literals().stream().flatMap(List::stream).collect(Collectors.toSet());
    Set<String> metrics =
        METRIC.matcher(page()).results().map(MatchResult::group).collect(Collectors.toSet());

    assertThat(metrics).hasSizeGreaterThan(6);
    assertThat(metrics)
        .allMatch(
            metric ->
                literals.contains(metric)
                    || literals.contains(metric.replace("controller_runtime_", "")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "A reconcile failed: name=…; true",
        "failed: name=… error=…; true",
        "\" has not led; true",
        "A reconcile succeeded: name=…; false",
        "A reconcile failed: … succeeded; false",
        "name=…; false"
      })
  void message_isInASource_orNot(String message, boolean found) {
    List<String> literals =
        literals(
            """
            char quote = '"';
            LOG.log(WARNING, "A reconcile "
                + "failed: name={0} error=" + error);
            throw new IllegalStateException(quote + "\\" has not led");
            """);

    assertThat(isIn(literals, message)).isEqualTo(found);
  }

  private static boolean isIn(List<String> literals, String message) {
    List<String> parts = Stream.of(message.split("…", -1)).filter(part -> !part.isBlank()).toList();
    return parts.stream().anyMatch(part -> part.length() >= DISTINCT)
        && parts.stream()
            .allMatch(part -> literals.stream().anyMatch(literal -> literal.contains(part)));
  }

  private static List<List<String>> literals() throws IOException {
    List<List<String>> files = new ArrayList<>();
    for (Path file : ProjectFiles.find(ProjectFiles.ROOT, ".java")) {
      String name = ProjectFiles.ROOT.relativize(file).toString().replace('\\', '/');
      if (name.contains("/src/main/java/") && !name.matches("(examples|samples|benchmarks)/.*")) {
        files.add(literals(Files.readString(file)));
      }
    }
    return files;
  }

  /** Returns the texts of a source, those that the compiler joins as one. */
  private static List<String> literals(String source) {
    return JOINED
        .matcher(source.replace("'\"'", "' '"))
        .results()
        .map(
            joined ->
                ONE.matcher(joined.group())
                    .results()
                    .map(literal -> literal.group(1).replace("\\\"", "\""))
                    .collect(Collectors.joining()))
        .toList();
  }

  /** Returns the first cells of all rows; one that is no quote keeps its marks. */
  private static List<String> quotes(String text) {
    return CELL.matcher(text)
        .results()
        .map(cell -> cell.group(1).replaceAll("^`([^`]+)`$", "$1"))
        .toList();
  }

  /** Returns the text between a heading of the second level and the next. */
  private static String section(String heading) throws IOException {
    return page().split("(?m)^## " + heading + "$", 2)[1].split("(?m)^## ", 2)[0];
  }

  private static String page() throws IOException {
    return Files.readString(ProjectFiles.ROOT.resolve("docs/operations.md"));
  }
}
