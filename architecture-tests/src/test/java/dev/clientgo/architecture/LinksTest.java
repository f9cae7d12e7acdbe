package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each link of a page or of Javadoc leads somewhere: a relative one to a file of the project, and
 * to a heading that is there; any other is a well-formed https URL, which the test does not fetch.
 * The compiler checks the references of Javadoc to code: {@code -Xdoclint} makes a wrong one an
 * error.
 */
final class LinksTest {

  /** In a source, a link of HTML in Javadoc, or the name of a page in a comment or a message. */
  private static final Pattern IN_SOURCE =
      Pattern.compile(
          "^ *(?:/\\*)?\\*.*\\b(?:href|src)=\"([^\"]*)\"|\\b(docs/[\\w/.-]+\\.md(?:#[\\w-]+)?)");

  private static final Pattern LINE = Pattern.compile("L(\\d+)");

  /** The pages whose anchors were looked for. */
  private final Map<Path, Set<String>> anchors = new HashMap<>();

  private int links;

  @Test
  void pages_linkOnlyToWhatIsThere() throws IOException {
    List<Path> pages = ProjectFiles.find(ProjectFiles.ROOT, ".md");

    assertThat(brokenLinks(ProjectFiles.ROOT, pages)).isEmpty();
    assertThat(pages).hasSizeGreaterThan(50);
    assertThat(links).isGreaterThan(300);
  }

  /** {@code ./site/build} refuses the same, but needs Python. */
  @Test
  void site_hasEachPageOfDocs() throws IOException {
    List<String> site = Files.readAllLines(ProjectFiles.ROOT.resolve("site/mkdocs.yml"));
    List<String> pages = new ArrayList<>();
    for (Path page : ProjectFiles.find(ProjectFiles.ROOT.resolve("docs"), ".md")) {
      pages.add(ProjectFiles.ROOT.relativize(page).toString());
    }

    assertThat(pages)
        .hasSizeGreaterThan(50)
        .allMatch(page -> site.stream().anyMatch(l -> l.matches(" +- (.*: )?" + page)));
  }

  @Test
  void site_hasTheJavadocOfEachPublishedModule() throws IOException {
    String build = Files.readString(ProjectFiles.ROOT.resolve("site/build"));
    List<String> leftOut =
        Pattern.compile("[',]!([\\w/-]+)").matcher(build).results().map(m -> m.group(1)).toList();

    assertThat(leftOut)
        .hasSizeGreaterThan(5)
        .filteredOn(module -> !module.equals("informers-gen/maven-plugin")) // No Java module.
        .allSatisfy(
            module ->
                assertThat(ProjectFiles.ROOT.resolve(module).resolve("pom.xml"))
                    .content()
                    .contains("<maven.deploy.skip>true"));
  }

  @Test
  void sources_linkOnlyToWhatIsThere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path source : ProjectFiles.find(ProjectFiles.ROOT, ".java", ".xml", "/run", "/test")) {
      int number = 0;
      for (String line : Files.readAllLines(source)) {
        number++;
        for (Matcher link = IN_SOURCE.matcher(line); link.find(); links++) {
          String target = link.group(1) == null ? link.group(2) : link.group(1);
          Path from = link.group(1) == null ? ProjectFiles.ROOT.resolve("pom.xml") : source;
          String problem = problem(ProjectFiles.ROOT, from, target);
          if (!problem.isEmpty()) {
            broken.add(ProjectFiles.ROOT.relativize(source) + ":" + number + ": " + problem);
          }
        }
      }
    }

    assertThat(broken).isEmpty();
    assertThat(links).isGreaterThan(30);
  }

  @Test
  void link_broken_isNamedWithItsLine(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("other.md"), "# A `b` of [c](d)!\n\n# 中文，标题\n\n# Twice\n# Twice\n");
    Path page =
        Files.writeString(
            folder.resolve("page.md"),
            """
            # Title
            [good](other.md#a-b-of-c) [good](#title) [good](https://example.com/a_(b)) [good](other.md#中文标题)
            ![missing](picture.svg) and [a file](missing.md
            "with a title"), <img src="gone.png">
            [no heading](other.md#b), [good](other.md#twice-1), [no third](other.md#twice-2)
            http://example.com, https://localhost/x and <https://example.com/a^b>
            ```text
            [not a link](nowhere.md)
            ```
            `[not a link](nowhere.md)` <!-- [nor this](nowhere.md) -->
            [outside](../../etc/passwd)

            [reference]: nowhere.md
            """);

    assertThat(brokenLinks(folder, List.of(page)))
        .containsExactly(
            "page.md:3: picture.svg: there is no such file",
            "page.md:3: missing.md: there is no such file",
            "page.md:4: gone.png: there is no such file",
            "page.md:5: other.md#b: the page has no such heading",
            "page.md:5: other.md#twice-2: the page has no such heading",
            "page.md:6: http://example.com: a link to another site begins with https://",
            "page.md:6: https://localhost/x: the URL has no host that others can reach",
            "page.md:6: https://example.com/a^b: Illegal character in path at index 21:"
                + " https://example.com/a^b",
            "page.md:11: ../../etc/passwd: there is no such file",
            "page.md:13: nowhere.md: there is no such file");
  }

  private List<String> brokenLinks(Path root, List<Path> pages) throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages) {
      for (MarkdownPage.Located link : MarkdownPage.read(page).links()) {
        links++;
        String problem = problem(root, page, link.text());
        if (!problem.isEmpty()) {
          broken.add(root.relativize(page) + ":" + link.line() + ": " + problem);
        }
      }
    }
    return broken;
  }

  /** Returns what is wrong with a link, or an empty text. */
  private String problem(Path root, Path from, String link) throws IOException {
    if (link.matches("[a-z]+:.*")) {
      String problem = problemOfUrl(link);
      return problem.isEmpty() ? "" : link + ": " + problem;
    }
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? from : from.resolveSibling(file).normalize();
    if (!target.startsWith(root) || !Files.exists(target)) {
      return link + ": there is no such file";
    }
    return hash < 0 || hasAnchor(target, link.substring(hash + 1))
        ? ""
        : link + ": the page has no such heading";
  }

  private static String problemOfUrl(String link) {
    if (!link.startsWith("https://")) {
      return "a link to another site begins with https://";
    }
    try {
      String host = new URI(link).getHost();
      return host == null || !host.contains(".") ? "the URL has no host that others can reach" : "";
    } catch (URISyntaxException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private boolean hasAnchor(Path target, String anchor) throws IOException {
    Matcher line = LINE.matcher(anchor);
    if (line.matches()) {
      return Integer.parseInt(line.group(1)) <= Files.readAllLines(target).size();
    }
    return anchors
        .computeIfAbsent(target, page -> MarkdownPage.read(page).anchors())
        .contains(anchor);
  }
}
