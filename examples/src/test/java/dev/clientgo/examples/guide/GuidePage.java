package dev.clientgo.examples.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of the guide: its lines, its fenced blocks, its headings and its links. */
record GuidePage(Path file, List<String> lines, List<Fence> fences) {

  /** The folder of the guide, seen from the module. */
  static final Path GUIDE = Path.of("../docs/guide");

  private static final Pattern MARK =
      Pattern.compile("<!-- (source|output|change|answer): (.+) -->");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)]+)\\)");

  /**
   * A fenced block.
   *
   * @param mark {@code source}, {@code output}, {@code change} or {@code answer}, from the comment
   *     above the block, or empty
   * @param of the source that the block quotes or changes, or the command whose output it shows
   */
  record Fence(String mark, String of, String language, List<String> lines) {

    /** Returns the parts of a quote, which lines of three dots separate. */
    List<List<String>> parts() {
      List<List<String>> parts = new ArrayList<>(List.of(new ArrayList<>()));
      for (String line : lines) {
        if (line.strip().matches("(// )?…")) {
          parts.add(new ArrayList<>());
        } else {
          parts.get(parts.size() - 1).add(line);
        }
      }
      parts.removeIf(List::isEmpty);
      return parts;
    }
  }

  /** Returns the lessons in a language, in their order. */
  static List<GuidePage> lessons(String language) {
    try (Stream<Path> files = Files.list(GUIDE.resolve(language))) {
      return files.sorted().map(GuidePage::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static GuidePage read(Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      return new GuidePage(file, lines, fences(lines));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Fence> fences(List<String> lines) {
    List<Fence> fences = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("```")) {
        int end = i + 1 + lines.subList(i + 1, lines.size()).indexOf("```");
        Matcher mark = MARK.matcher(i == 0 ? "" : lines.get(i - 1));
        boolean marked = mark.matches();
        fences.add(
            new Fence(
                marked ? mark.group(1) : "",
                marked ? mark.group(2) : "",
                lines.get(i).substring(3),
                List.copyOf(lines.subList(i + 1, end))));
        i = end;
      }
    }
    return fences;
  }

  /** Returns the page in the other language. */
  GuidePage inOther(String language) {
    return read(GUIDE.resolve(language).resolve(file.getFileName()));
  }

  /** Returns the blocks with a mark. */
  List<Fence> marked(String mark) {
    return fences.stream().filter(fence -> fence.mark.equals(mark)).toList();
  }

  /** Returns the blocks in a language. */
  List<Fence> in(String language) {
    return fences.stream().filter(fence -> fence.language.equals(language)).toList();
  }

  /** Returns the level of each heading. */
  List<Integer> headings() {
    List<String> code = fences.stream().flatMap(fence -> fence.lines.stream()).toList();
    return lines.stream()
        .filter(line -> line.matches("#{1,6} .*") && !code.contains(line))
        .map(line -> line.indexOf(' '))
        .toList();
  }

  /** Returns the target of each link, without the language of the guide in it. */
  List<String> links() {
    return lines.stream()
        .flatMap(line -> LINK.matcher(line).results().map((MatchResult link) -> link.group(1)))
        .map(target -> target.replaceFirst("^\\.\\./(en|zh)/", "../other/"))
        .map(target -> target.replaceFirst("^([^#]+\\.md)#.*", "$1#"))
        .map(target -> target.replaceFirst("\\.zh\\.(md|png)$", ".$1"))
        .toList();
  }

  @Override
  public String toString() {
    return GUIDE.relativize(file).toString();
  }
}
