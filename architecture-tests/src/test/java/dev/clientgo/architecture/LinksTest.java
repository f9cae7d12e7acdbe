package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each relative link of the project's pages leads to a file, and to a heading that is there. */
final class LinksTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern LINK =
      Pattern.compile("\\]\\((?!https?:)([^)\\s#]*)(?:#([^)\\s]+))?\\)");

  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

  @Test
  void links_leadToFilesAndHeadings() throws IOException {
    List<String> broken = new ArrayList<>();
    List<Path> pages = pages();
    for (Path page : pages) {
      Matcher link = LINK.matcher(Files.readString(page).replaceAll("(?s)```.*?```", ""));
      while (link.find()) {
        Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
        if (!Files.exists(target) || !hasHeading(target, link.group(2))) {
          broken.add(ROOT.relativize(page) + ": " + link.group());
        }
      }
    }

    assertThat(pages).hasSizeGreaterThan(20);
    assertThat(broken).isEmpty();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !ROOT.relativize(file).toString().contains("target"))
          .toList();
    }
  }

  private static boolean hasHeading(Path page, String anchor) throws IOException {
    if (anchor == null) {
      return true;
    }
    Matcher heading = HEADING.matcher(Files.readString(page));
    while (heading.find()) {
      if (anchorOf(heading.group(1)).equals(anchor)) {
        return true;
      }
    }
    return false;
  }

  /** Makes the anchor that GitHub makes of a heading. */
  private static String anchorOf(String heading) {
    return heading
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}\\- _]", "")
        .replace(' ', '-');
  }
}
