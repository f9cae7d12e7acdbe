package dev.clientgo.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The code in the README is the code that is compiled. */
final class ReadmeTest {

  private static final Page README = Page.read("README.md");

  @ParameterizedTest
  @ValueSource(strings = {"FollowPods", "TeamQuota"})
  void readme_program_isTheCompiledOne(String name) throws Exception {
    String source =
        Files.readString(
            Path.of("src/main/java/dev/clientgo/examples/readme").resolve(name + ".java"));

    // The reader saves it in no package.
    assertThat(README.all("java").stream().map(String::strip))
        .contains(source.replaceAll("(?m)^(package |/\\*\\*).*\n", "").strip());
  }

  @Test
  void lessons_areInTheReadmeOrTheGuide() throws Exception {
    StringBuilder pages = new StringBuilder(Files.readString(Path.of("../README.md")));
    Path guide = Path.of("../docs/guide/en");
    if (Files.exists(guide)) {
      try (Stream<Path> lessons = Files.list(guide)) {
        for (Path lesson : lessons.toList()) {
          pages.append(Files.readString(lesson));
        }
      }
    }

    assertThat(Main.lessons())
        .contains("pod-informer")
        .allSatisfy(
            name -> assertThat(pages).containsPattern("(?:`|\\./examples/run )" + name + "\\b"));
  }

  /** The other project is built by {@link GettingStartedTest}. */
  @Test
  void readme_pom_isPartOfTheOneWithTests() {
    assertThat(Page.read("docs/getting-started.md").first("xml").lines())
        .containsSubsequence(README.first("xml").lines().toList());
  }
}
