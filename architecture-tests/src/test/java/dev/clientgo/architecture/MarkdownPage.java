package dev.clientgo.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page in Markdown.
 *
 * @param path the file
 * @param text the whole page
 * @param prose the page with blanks instead of comments and blocks of code; lines stay where they
 *     are
 * @param blocks the blocks of code
 */
record MarkdownPage(Path path, String text, String prose, List<CodeBlock> blocks) {

  private static final Pattern FENCE = Pattern.compile("^ *(```+|~~~+) *(\\w*).*$");
  private static final Pattern COMMENT = Pattern.compile("(?s)<!--.*?-->");
  private static final Pattern CODE_SPAN =
      Pattern.compile("(?<!`)(`+)(?!`)((?:(?!\n\n).)+?)(?<!`)\\1(?!`)", Pattern.DOTALL);

  private static final Pattern LINK =
      Pattern.compile(
          "\\]\\(<?([^()\\s>]*(?:\\([^()\\s]*\\)[^()\\s>]*)*)>?(?:\\s+\"[^\"]*\")?\\)"
              + "|^ {0,3}\\[[^\\]]+\\]:\\s*(\\S+)"
              + "|\\b(?:href|src)=\"([^\"]*)\""
              + "|(?<![(\\w\"])(https?://[^\\s<>\"')\\]|]*[^\\s<>\"')\\]|.,;:])",
          Pattern.MULTILINE);

  private static final Pattern HEADING = Pattern.compile("(?m)^(#{1,6}) +(.+?) *#*$");
  private static final Pattern ANCHOR = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");

  /**
   * A block of code.
   *
   * @param line the line of the fence above it, from 1
   * @param language the word behind the fence, or empty
   */
  record CodeBlock(int line, String language, String text) {}

  /** A piece of text and its line, from 1. */
  record Located(int line, String text) {}

  /**
   * A heading.
   *
   * @param level 1 for the title
   */
  record Heading(int line, int level, String text) {}

  static MarkdownPage read(Path path) {
    try {
      return of(path, Files.readString(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static MarkdownPage of(Path path, String text) {
    List<CodeBlock> blocks = new ArrayList<>();
    StringBuilder prose = new StringBuilder();
    String fence = "";
    String language = "";
    int begin = 0;
    StringBuilder code = new StringBuilder();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      Matcher opening = FENCE.matcher(line);
      if (!fence.isEmpty() && line.strip().equals(fence)) {
        blocks.add(new CodeBlock(begin, language, code.toString()));
        fence = "";
      } else if (!fence.isEmpty()) {
        code.append(line).append('\n');
      } else if (opening.matches()) {
        fence = opening.group(1);
        language = opening.group(2);
        begin = number;
        code.setLength(0);
      } else {
        prose.append(line);
      }
      prose.append('\n');
    }
    if (!fence.isEmpty()) {
      throw new IllegalArgumentException(path + ":" + begin + ": the block of code has no end");
    }
    return new MarkdownPage(path, text, blanked(COMMENT, prose.toString()), List.copyOf(blocks));
  }

  /** Returns the text with blanks instead of all matches. */
  private static String blanked(Pattern pattern, String text) {
    return pattern.matcher(text).replaceAll(match -> match.group().replaceAll("[^\n]", " "));
  }

  /** Returns the targets of all links, in their order. */
  List<Located> links() {
    return LINK.matcher(withoutCode())
        .results()
        .map(match -> new Located(lineOf(match.start()), target(match)))
        .toList();
  }

  private static String target(MatchResult match) {
    for (int group = 1; group <= match.groupCount(); group++) {
      if (match.group(group) != null) {
        return match.group(group);
      }
    }
    throw new IllegalStateException(match.group());
  }

  /** Returns the prose without comments, blocks and spans of code. */
  String withoutCode() {
    return blanked(CODE_SPAN, prose);
  }

  /** Returns the spans of code in the prose, in their order. */
  List<Located> codeSpans() {
    return CODE_SPAN
        .matcher(prose)
        .results()
        .map(match -> new Located(lineOf(match.start()), match.group(2).strip()))
        .toList();
  }

  List<Heading> headings() {
    return HEADING
        .matcher(prose)
        .results()
        .map(
            match ->
                new Heading(lineOf(match.start()), match.group(1).length(), match.group(2).strip()))
        .toList();
  }

  /** Returns the anchors that GitHub makes of the headings, in order, then those the page sets. */
  Set<String> anchors() {
    Set<String> anchors = new LinkedHashSet<>();
    for (Heading heading : headings()) {
      String anchor =
          heading
              .text
              .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N}\\p{M}\\- _]", "")
              .replace(' ', '-');
      String unique = anchor;
      for (int i = 1; !anchors.add(unique); i++) {
        unique = anchor + "-" + i;
      }
    }
    ANCHOR.matcher(prose).results().forEach(match -> anchors.add(match.group(1)));
    return anchors;
  }

  private int lineOf(int offset) {
    return 1 + (int) prose.substring(0, offset).chars().filter(c -> c == '\n').count();
  }
}
