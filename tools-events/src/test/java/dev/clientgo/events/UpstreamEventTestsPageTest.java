package dev.clientgo.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code src/test/upstream-tests.md} names only tests that exist, and every Go test that a test
 * here names.
 */
final class UpstreamEventTestsPageTest {

  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (.+) \\|$");
  private static final Pattern OURS = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");
  private static final Pattern CITED = Pattern.compile("\\{@code (Test[A-Z]\\w+)}");

  private static List<Path> tests() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  @Test
  void page_andTests_nameOneAnother() throws IOException {
    String page = Files.readString(Path.of("src/test/upstream-tests.md"));
    Map<String, String> texts = new HashMap<>();
    Set<String> cited = new TreeSet<>();
    for (Path file : tests()) {
      String text = Files.readString(file);
      texts.put(file.getFileName().toString().replace(".java", ""), text);
      CITED.matcher(text).results().forEach(match -> cited.add(match.group(1)));
    }
    Set<String> listed = new TreeSet<>();
    int count = 0;
    for (Matcher rows = ROW.matcher(page); rows.find(); ) {
      listed.add(rows.group(1));
      for (Matcher ours = OURS.matcher(rows.group(2)); ours.find(); count++) {
        String text = texts.getOrDefault(ours.group(1), "");
        String wanted =
            ours.group(2) == null ? "class " + ours.group(1) : "void " + ours.group(2) + "(";
        assertThat(text.contains(wanted)).as("%s", ours.group()).isTrue();
      }
    }

    assertThat(count).isGreaterThan(20);
    assertThat(listed).containsAll(cited);
  }
}
