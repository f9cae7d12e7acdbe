package dev.clientgo.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The code in the README is the code that is compiled. */
final class ReadmeTest {

  private static final Page README = Page.read("README.md");

  @Test
  void readme_program_isTheCompiledOne() throws Exception {
    String source =
        Files.readString(Path.of("src/main/java/dev/clientgo/examples/readme/FollowPods.java"));

    // The reader saves it in no package.
    assertThat(README.first("java").strip())
        .isEqualTo(source.replaceAll("(?m)^(package |/\\*\\*).*\n", "").strip());
  }

  /** The other project is built by {@link GettingStartedTest}. */
  @Test
  void readme_pom_isPartOfTheOneWithTests() {
    assertThat(Page.read("docs/getting-started.md").first("xml").lines())
        .containsSubsequence(README.first("xml").lines().toList());
  }
}
