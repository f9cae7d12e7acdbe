package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each test that the page of the threats names is there. */
final class SecurityPageTest {

  private static final Pattern NAME = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

  @Test
  void page_namesTestsThatExist() throws Exception {
    List<Path> sources = ProjectFiles.find(ProjectFiles.ROOT, "Test.java");
    List<String> missing = new ArrayList<>();
    List<MatchResult> names =
        NAME.matcher(Files.readString(ProjectFiles.ROOT.resolve("SECURITY.md"))).results().toList();
    for (MatchResult name : names) {
      Pattern method = Pattern.compile("void " + name.group(2) + "\\(");
      boolean found = false;
      for (Path source : sources) {
        found |=
            source.getFileName().toString().equals(name.group(1) + ".java")
                && method.matcher(Files.readString(source)).find();
      }
      if (!found) {
        missing.add(name.group());
      }
    }

    assertThat(names).hasSizeGreaterThan(20);
    assertThat(missing).isEmpty();
  }
}
