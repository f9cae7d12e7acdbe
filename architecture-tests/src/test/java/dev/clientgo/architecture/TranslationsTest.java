package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.architecture.MarkdownPage.CodeBlock;
import dev.clientgo.architecture.MarkdownPage.Heading;
import dev.clientgo.architecture.MarkdownPage.Located;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A Chinese page says what the English one says: it has the same headings by level, the same code
 * except for comments and the labels of pictures, and in each section the same links, figures and
 * names in code.
 */
final class TranslationsTest {

  /** The ending of the Chinese translation of a page or a picture. */
  private static final Pattern CHINESE = Pattern.compile("\\.zh\\.(md|png)$");

  /** A link to a page, unless {@code （英文）}, "English", follows. */
  private static final Pattern UNMARKED =
      Pattern.compile("\\[([^\\]]*)\\]\\(([^)#:]+\\.md)(?:#[^)]*)?\\)(?!（英文）)");

  private static final Pattern IN_CHINESE = Pattern.compile("/zh/|[.-]zh\\.md$|/README\\.md$");

  private static final Pattern NUMBER = Pattern.compile("\\d+(?:[.,]\\d+)*");
  private static final Pattern COMMENT =
      Pattern.compile("(?s:<!--.*?-->)|(?m:(?:^|(?<=\\s))(?://|#).*$)");

  /** In a picture, the label of an arrow or a box, which is in the language of the page. */
  private static final Pattern LABEL =
      Pattern.compile("(?<=-- )\\S.*?(?= -->)|(?<=\\[)[^\\[\\]]+(?=\\])");

  /** In a label, the name of a class. */
  private static final Pattern NAME = Pattern.compile("\\b[A-Z]\\w*");

  /** Not the URL or file of a link, whose numbers may be those of a name. */
  private static final Pattern TARGET = Pattern.compile("\\]\\([^)]*\\)");

  /** Returns the Chinese pages outside of the guide, whose lessons have a test of their own. */
  static List<Path> translations() throws IOException {
    return ProjectFiles.find(ProjectFiles.ROOT, ".zh.md");
  }

  @Test
  void translations_areFound() throws IOException {
    assertThat(translations())
        .extracting(page -> ProjectFiles.ROOT.relativize(page).toString())
        .contains("README.zh.md", "docs/live-view.zh.md");
  }

  @ParameterizedTest
  @MethodSource("translations")
  void translation_saysTheSame(Path chinese) {
    assertThat(differences(MarkdownPage.read(original(chinese)), MarkdownPage.read(chinese)))
        .isEmpty();
  }

  /** README.zh.md, which is a list of pages, says it once. */
  @Test
  void linkOfAChinesePage_toAnEnglishOne_saysSo() throws IOException {
    List<Path> pages = new ArrayList<>(translations());
    pages.remove(ProjectFiles.ROOT.resolve("README.zh.md"));
    pages.addAll(ProjectFiles.find(ProjectFiles.ROOT.resolve("docs/guide/zh"), ".md"));
    List<String> unmarked = new ArrayList<>();
    for (Path page : pages) {
      for (Matcher link = UNMARKED.matcher(Files.readString(page)); link.find(); ) {
        String target = page.resolveSibling(link.group(2)).normalize().toString();
        if (!link.group(1).equals("English") && !IN_CHINESE.matcher(target).find()) {
          unmarked.add(page.getFileName() + ": " + link.group());
        }
      }
    }

    assertThat(pages).hasSizeGreaterThan(14);
    assertThat(unmarked).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("translations")
  void translation_andOriginal_linkToOneAnother(Path chinese) {
    Path english = original(chinese);

    assertThat(targets(MarkdownPage.read(english))).contains(chinese.getFileName().toString());
    assertThat(targets(MarkdownPage.read(chinese))).contains(english.getFileName().toString());
  }

  private static Path original(Path chinese) {
    return chinese.resolveSibling(english(chinese.getFileName().toString()));
  }

  /** Returns the name of the English page or picture. */
  private static String english(String name) {
    return CHINESE.matcher(name).replaceFirst(".$1");
  }

  private static List<String> targets(MarkdownPage page) {
    return page.links().stream().map(Located::text).toList();
  }

  @Test
  void differences_ofAPageThatHasFallenBehind_areNamedWithTheirLines() {
    String text =
        """
        # Title
        ## Figures
        It takes 1.5 s, see [the page](page.md), [above](#title), and `run()`.
        ```sh
        ./run # go
        ```
        ```mermaid
        A -- then --> B[the B]
        ```
        ## End
        """;

    assertThat(
            differences(
                page("README.md", text),
                chinese(
                    text.replace("# Title", "# 标题")
                        .replace("#title", "#标题")
                        .replace("## Figures", "## 数据")
                        .replace("go", "跑")
                        .replace("then", "然后")
                        .replace("the B", "那个 B"))))
        .isEmpty();
    assertThat(
            differences(
                page("README.md", text),
                chinese(
                    text.replace("1.5", "1.4")
                        .replace("page.md", "other.md")
                        .replace("run()", "start()")
                        .replace("#title", "#figures")
                        .replace("./run", "./start")
                        .replace("the B", "the C")
                        .replace("## End", "### End"))))
        .containsExactly(
            "README.zh.md:10: the heading is of level 3, not 2: End",
            "README.zh.md:4: the code differs from that of line 4 in README.md",
            "README.zh.md:7: the code differs from that of line 7 in README.md",
            "README.zh.md:2: section \"Figures\" has the links [#1, other.md], not [#0, page.md]",
            "README.zh.md:2: section \"Figures\" has the numbers [1.4], not [1.5]",
            "README.zh.md:2: section \"Figures\" has the names [start()], not [run()]");
    assertThat(differences(page("README.md", text), chinese(text.replace("## End", ""))))
        .containsExactly("README.zh.md has 2 headings and 2 blocks of code, not 3 and 2");
  }

  private static MarkdownPage chinese(String text) {
    return page("README.zh.md", text);
  }

  private static MarkdownPage page(String name, String text) {
    return MarkdownPage.of(Path.of(name), text);
  }

  /** Returns where the translation of a page says something else, with its lines. */
  private static List<String> differences(MarkdownPage original, MarkdownPage translation) {
    String name = name(translation);
    List<Heading> headings = original.headings();
    List<Heading> translated = translation.headings();
    List<CodeBlock> blocks = original.blocks();
    if (headings.size() != translated.size() || blocks.size() != translation.blocks().size()) {
      return List.of(
          "%s has %d headings and %d blocks of code, not %d and %d"
              .formatted(
                  name,
                  translated.size(),
                  translation.blocks().size(),
                  headings.size(),
                  blocks.size()));
    }
    List<String> found = new ArrayList<>();
    for (int i = 0; i < headings.size(); i++) {
      Heading heading = translated.get(i);
      if (heading.level() != headings.get(i).level()) {
        found.add(
            "%s:%d: the heading is of level %d, not %d: %s"
                .formatted(
                    name,
                    heading.line(),
                    heading.level(),
                    headings.get(i).level(),
                    heading.text()));
      }
    }
    for (int i = 0; i < blocks.size(); i++) {
      CodeBlock block = translation.blocks().get(i);
      if (!code(block).equals(code(blocks.get(i)))) {
        found.add(
            "%s:%d: the code differs from that of line %d in %s"
                .formatted(name, block.line(), blocks.get(i).line(), name(original)));
      }
    }
    compare(found, original, translation, "links", TranslationsTest::links);
    compare(found, original, translation, "numbers", TranslationsTest::numbers);
    compare(found, original, translation, "names", MarkdownPage::codeSpans);
    return found;
  }

  private static String code(CodeBlock block) {
    String text = COMMENT.matcher(block.text()).replaceAll("");
    if (block.language().equals("mermaid")) {
      text = LABEL.matcher(text).replaceAll(label -> names(label.group()));
    }
    return block.language() + text.replaceAll("\\s+", "");
  }

  private static String names(String label) {
    return NAME.matcher(label).results().map(MatchResult::group).sorted().toList().toString();
  }

  private static void compare(
      List<String> found,
      MarkdownPage original,
      MarkdownPage translation,
      String what,
      Function<MarkdownPage, List<Located>> parts) {
    List<Heading> headings = translation.headings();
    for (int i = 0; i < headings.size(); i++) {
      List<String> expected = inSection(original, i, parts.apply(original));
      List<String> actual = inSection(translation, i, parts.apply(translation));
      if (!actual.equals(expected)) {
        found.add(
            "%s:%d: section \"%s\" has the %s %s, not %s"
                .formatted(
                    name(translation),
                    headings.get(i).line(),
                    headings.get(i).text(),
                    what,
                    actual,
                    expected));
      }
    }
  }

  /** Returns the parts below a heading, sorted, because sentences have another order. */
  private static List<String> inSection(MarkdownPage page, int heading, List<Located> parts) {
    List<Heading> headings = page.headings();
    int begin = headings.get(heading).line();
    int end = heading + 1 < headings.size() ? headings.get(heading + 1).line() : Integer.MAX_VALUE;
    return parts.stream()
        .filter(part -> part.line() >= begin && part.line() < end)
        .map(Located::text)
        .sorted()
        .toList();
  }

  /** Returns the links by the names of the English pages, without those to the top of the page. */
  private static List<Located> links(MarkdownPage page) {
    return page.links().stream()
        .map(link -> new Located(link.line(), inEnglish(page, link.text())))
        .filter(link -> !link.text().equals(english(name(page))))
        .toList();
  }

  /** Names the English page, and its heading by its number, which is that of the Chinese one. */
  private static String inEnglish(MarkdownPage page, String link) {
    String[] parts = link.split("#", 2);
    String file = english(parts[0].replace("guide/zh", "guide/en"));
    if (parts.length == 1 || !(file.isEmpty() || file.endsWith(".md")) || file.contains(":")) {
      return file + link.substring(parts[0].length());
    }
    MarkdownPage target =
        file.isEmpty() ? page : MarkdownPage.read(page.path().resolveSibling(parts[0]));
    return file + "#" + List.copyOf(target.anchors()).indexOf(parts[1]);
  }

  private static String name(MarkdownPage page) {
    return String.valueOf(page.path().getFileName());
  }

  private static List<Located> numbers(MarkdownPage page) {
    List<Located> numbers = new ArrayList<>();
    int line = 0;
    for (String text : page.withoutCode().split("\n", -1)) {
      line++;
      for (MatchResult number :
          NUMBER.matcher(TARGET.matcher(text).replaceAll("]")).results().toList()) {
        numbers.add(new Located(line, number.group()));
      }
    }
    return numbers;
  }
}
