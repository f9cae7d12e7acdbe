package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.architecture.MarkdownPage.CodeBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each block of Java on a page is compiled. It is one of:
 *
 * <ul>
 *   <li>a part of a source that the build compiles. White space, comments and imports may differ,
 *       and a line {@code // …} stands for any code. A page may rename a type: {@code <!-- In the
 *       tests, Foo is ConfigMap. -->}
 *   <li>compiled from the page, if a comment above the block names its parameters: {@code <!--
 *       compiled with: Pod pod, RESTClient client -->}
 *   <li>built by a test that reads the page: {@code <!-- tested by: GettingStartedTest -->}
 * </ul>
 */
final class CodeBlocksTest {

  private static final Pattern COMMENT =
      Pattern.compile("(?s:/\\*.*?\\*/)|(?m:(?:^|(?<=\\s))//.*$|^ *(?:import|package) .*$)");

  private static final Pattern GAP = Pattern.compile("(?m)^ *// …$");
  private static final Pattern RENAMES = Pattern.compile("<!-- In the tests, (.+?)\\. -->");
  private static final Pattern RENAME = Pattern.compile("(\\w+) is (\\w+)");
  private static final Pattern MARK = Pattern.compile("<!-- (compiled with|tested by): ?(.*?) -->");

  /** Without white space and comments, by the name of the file. */
  private static final Map<Path, String> SOURCES = new HashMap<>();

  private int checked;

  @TempDir private Path folder;

  @BeforeAll
  static void readSources() throws IOException {
    for (Path source : ProjectFiles.find(ProjectFiles.ROOT, ".java")) {
      SOURCES.put(source, squeezed(Files.readString(source)));
    }
  }

  @Test
  void blocks_ofAllPages_areCompiled() throws IOException {
    List<MarkdownPage> pages =
        ProjectFiles.find(ProjectFiles.ROOT, ".md").stream().map(MarkdownPage::read).toList();

    assertThat(problems(pages)).isEmpty();
    assertThat(checked).isGreaterThan(80);
  }

  @Test
  void block_notCompiled_isNamedWithItsLine() throws IOException {
    String text =
        """
        # Page
        <!-- In the tests, Lines is Located and Blocks is CodeBlock. -->

        ```java
        record Lines(int line, String text) {} // 中文
        // …
        record Heading(int line, int level, String text) {}
        ```

        ```java
        record Located(int line, TYPE text) {}
        ```

        <!-- compiled with: Pod pod, List<Pod> pods -->
        ```java
        pods.forEach(System.out::println);
        pod.status().stage();
        ```

        <!-- compiled with: -->
        ```java
        String first = List.of("a").get(0);
        ```

        <!-- tested by: CodeBlocksTest -->
        ```java
        int a = 1
        ```

        <!-- tested by: NoSuchTest -->
        ```java
        int a = 2
        ```

        ```text
        not code
        ```
        """
            .replace("TYPE", "long"); // This source must not have that code, either.
    MarkdownPage page = MarkdownPage.of(ProjectFiles.ROOT.resolve("page.md"), text);

    assertThat(problems(List.of(page)))
        .containsExactly(
            "page.md:10: no source that the build compiles has this code",
            "page.md:31: there is no NoSuchTest that names this page",
            "page.md:17: cannot find symbol: method stage()");
  }

  private List<String> problems(List<MarkdownPage> pages) throws IOException {
    List<String> problems = new ArrayList<>();
    BlockCompiler compiler = new BlockCompiler(folder);
    for (MarkdownPage page : pages) {
      for (CodeBlock block : page.blocks()) {
        if (block.language().equals("java")) {
          checked++;
          String problem = problem(page, block, compiler);
          if (!problem.isEmpty()) {
            problems.add(name(page) + ":" + block.line() + ": " + problem);
          }
        }
      }
    }
    problems.addAll(compiler.compile());
    return problems;
  }

  private static String name(MarkdownPage page) {
    return ProjectFiles.ROOT.relativize(page.path()).toString();
  }

  /** Returns why a block is not known to be compiled, or an empty text. */
  private static String problem(MarkdownPage page, CodeBlock block, BlockCompiler compiler) {
    for (MatchResult mark : mark(page, block)) {
      String argument = mark.group(2);
      if (mark.group(1).equals("compiled with")) {
        compiler.add(name(page), block, argument);
        return "";
      }
      return SOURCES.entrySet().stream()
              .anyMatch(
                  source ->
                      source.getKey().getFileName().toString().matches(argument + "\\.java")
                          && source.getValue().contains(page.path().getFileName().toString()))
          ? ""
          : "there is no " + argument + " that names this page";
    }
    List<String> parts =
        GAP.splitAsStream(renamed(page, block.text())).map(CodeBlocksTest::squeezed).toList();
    return SOURCES.values().stream().anyMatch(source -> hasInOrder(source, parts))
        ? ""
        : "no source that the build compiles has this code";
  }

  /** Returns the mark in the lines right above the block, if there is one. */
  private static List<MatchResult> mark(MarkdownPage page, CodeBlock block) {
    List<String> lines = page.text().lines().limit(block.line() - 1L).toList();
    String above = String.join("\n", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
    return MARK.matcher(above).results().toList();
  }

  private static String renamed(MarkdownPage page, String code) {
    Stream<MatchResult> renames =
        RENAMES
            .matcher(page.text())
            .results()
            .flatMap(list -> RENAME.matcher(list.group(1)).results());
    return renames.reduce(
        code,
        (text, rename) -> text.replaceAll("\\b" + rename.group(1) + "\\b", rename.group(2)),
        (first, second) -> second);
  }

  private static boolean hasInOrder(String source, List<String> parts) {
    int from = 0;
    for (String part : parts) {
      int found = source.indexOf(part, from);
      if (found < 0) {
        return false;
      }
      from = found + part.length();
    }
    return true;
  }

  private static String squeezed(String code) {
    return COMMENT.matcher(code).replaceAll("").replaceAll("\\s+", "");
  }
}
