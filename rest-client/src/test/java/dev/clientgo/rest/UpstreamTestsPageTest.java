package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
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
final class UpstreamTestsPageTest {

  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (.+) \\|$");
  private static final Pattern OURS = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");
  private static final Pattern CITED = Pattern.compile("\\bTest[A-Z]\\w+");

  private static String page() throws IOException {
    return Files.readString(Path.of("src/test/upstream-tests.md"));
  }

  /** Returns the texts of the tests below a folder by the name of their class. */
  private static Map<String, String> tests(String folder) throws IOException {
    Map<String, String> tests = new HashMap<>();
    try (Stream<Path> files = Files.walk(Path.of(folder))) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .forEach(
              file -> tests.put(file.getFileName().toString().replace(".java", ""), text(file)));
    }
    return tests;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void tests_thatThePageNames_exist() throws IOException {
    Map<String, String> tests = new HashMap<>();
    for (String module :
        List.of("api-machinery", "rest-client", "tools-cache", "envtest", "tools-remotecommand")) {
      tests.putAll(tests("../" + module + "/src/test/java"));
    }
    int count = 0;
    for (Matcher rows = ROW.matcher(page()); rows.find(); ) {
      for (Matcher ours = OURS.matcher(rows.group(2)); ours.find(); count++) {
        String text = tests.getOrDefault(ours.group(1), "");
        String method = ours.group(2) == null ? "class " + ours.group(1) : ours.group(2) + "(";
        assertThat(text.contains(method)).as("%s", ours.group()).isTrue();
      }
    }

    assertThat(count).isGreaterThan(200);
  }

  /** A row that waits for a part says which, and ends when the part is here. */
  @Test
  void rows_doNotWaitForPartsThatAreHere() throws IOException {
    assertThat(page()).doesNotContainIgnoringCase("not here yet");
  }

  @Test
  void goTests_thatAreNamedHere_areInThePage() throws IOException {
    Set<String> listed = new TreeSet<>();
    ROW.matcher(page()).results().forEach(row -> listed.add(row.group(1)));
    Map<String, String> tests = tests("src/test/java");
    Set<String> cited = new TreeSet<>();
    tests.forEach((name, text) -> CITED.matcher(text).results().forEach(c -> cited.add(c.group())));
    cited.removeAll(tests.keySet());

    assertThat(listed).containsAll(cited);
  }
}
