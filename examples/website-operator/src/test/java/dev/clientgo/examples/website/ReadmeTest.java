package dev.clientgo.examples.website;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of the page are parts of the files. */
final class ReadmeTest {

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(java|yaml)\n(.*?)^```");

  private static List<MatchResult> find(Pattern pattern) throws IOException {
    return pattern.matcher(Files.readString(Path.of("README.md"))).results().toList();
  }

  @Test
  void examples_arePartsOfTheFiles() throws Exception {
    String code =
        Files.readString(
            Path.of("src/main/java/dev/clientgo/examples/website/WebsiteReconciler.java"));
    String sample = Files.readString(Path.of("config/sample.yaml"));

    List<MatchResult> blocks = find(BLOCK);

    assertThat(blocks).hasSize(2);
    for (MatchResult block : blocks) {
      assertThat(block.group(1).equals("java") ? code : sample).contains(block.group(2));
    }
  }
}
