package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Chinese pages use the words of docs/glossary-zh.md, and not the ones that it rules out. */
final class GlossaryTest {

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$");

  /** The URL or file of a link. */
  private static final Pattern TARGET = Pattern.compile("\\]\\([^)]*\\)");

  /** A concept: the word for it, and those that the pages must not use. */
  private record Word(String use, List<String> others) {}

  private static List<Word> glossary() throws IOException {
    return ROW.matcher(Files.readString(ProjectFiles.ROOT.resolve("docs/glossary-zh.md")))
        .results()
        .filter(row -> !row.group(1).equals("English"))
        .map(row -> new Word(row.group(2), List.of(row.group(3).split("、"))))
        .toList();
  }

  private static List<Path> chinesePages() throws IOException {
    List<Path> pages = new ArrayList<>(ProjectFiles.find(ProjectFiles.ROOT, ".zh.md"));
    ProjectFiles.find(ProjectFiles.ROOT, ".md").stream()
        .filter(page -> page.getParent().endsWith("docs/guide/zh"))
        .forEach(pages::add);
    return pages;
  }

  @Test
  void chinesePages_useTheWordsOfTheGlossary() throws IOException {
    List<Path> pages = chinesePages();
    List<String> found = new ArrayList<>();
    for (Path page : pages) {
      found.addAll(wrongWords(MarkdownPage.read(page), glossary()));
    }

    assertThat(glossary()).hasSizeGreaterThan(15);
    assertThat(pages).hasSizeGreaterThan(15);
    assertThat(found).isEmpty();
  }

  @Test
  void wrongWord_isNamedWithItsLine() {
    List<Word> glossary =
        List.of(
            new Word("短名称", List.of("缩写", "短名")),
            new Word("控制器", List.of("controller")),
            new Word("controller runtime", List.of("控制器运行时")));
    MarkdownPage page =
        MarkdownPage.of(
            Path.of("page.zh.md"),
            """
            # 短名称与 controller runtime
            controller-runtime、`controller` 和 [控制器](controller.md) 都可以。
            一个 controller 的短名，也叫缩写。
            """);

    assertThat(wrongWords(page, glossary))
        .containsExactly(
            "page.zh.md:3: 缩写 is 短名称",
            "page.zh.md:3: 短名 is 短名称",
            "page.zh.md:3: controller is 控制器");
  }

  private static List<String> wrongWords(MarkdownPage page, List<Word> glossary) {
    List<String> found = new ArrayList<>();
    List<String> allowed =
        glossary.stream()
            .map(Word::use)
            .sorted(Comparator.comparing(String::length).reversed())
            .toList();
    int number = 0;
    for (String line : page.withoutCode().split("\n", -1)) {
      number++;
      String text = TARGET.matcher(line).replaceAll("]");
      for (String word : allowed) {
        text = text.replace(word, "·");
      }
      for (Word word : glossary) {
        for (String other : word.others()) {
          // A Latin word must be whole: a reconciler is no reconcile.
          if (Pattern.compile("(?<![-\\w])" + Pattern.quote(other) + "(?![-\\w])", 0)
              .matcher(text)
              .find()) {
            found.add(
                "%s:%d: %s is %s".formatted(page.path().getFileName(), number, other, word.use()));
          }
        }
      }
    }
    return found;
  }
}
