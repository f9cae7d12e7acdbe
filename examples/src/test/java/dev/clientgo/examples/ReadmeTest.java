package dev.clientgo.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The code in the README is the code that is compiled. */
final class ReadmeTest {

  @Test
  void readme_program_isTheCompiledOne() throws Exception {
    String readme = Files.readString(Path.of("..", "README.md"));
    String source =
        Files.readString(Path.of("src/main/java/dev/clientgo/examples/readme/FollowPods.java"));
    int begin = readme.indexOf("```java\n") + "```java\n".length();

    String shown = readme.substring(begin, readme.indexOf("```", begin));

    assertThat(shown.strip()).isNotEmpty();
    assertThat(source).endsWith(shown);
  }
}
