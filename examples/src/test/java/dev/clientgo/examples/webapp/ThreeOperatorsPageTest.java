package dev.clientgo.examples.webapp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The page of comparisons has the lines that it says, and this library's operator is the source.
 */
final class ThreeOperatorsPageTest {

  private static final Path PAGE = Path.of("../docs/three-operators.md");
  private static final Path OPERATOR =
      Path.of("src/main/java/dev/clientgo/examples/webapp/WebAppOperator.java");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(java|text|go)\n(.*?)^```");
  private static final Pattern FIGURE = Pattern.compile("(?m)^\\| .* \\| (\\d+) \\|$");

  /** Counts the lines that are not empty, no comment, no import and no package. */
  private static long count(String code) {
    return code.replaceAll("(?s)/\\*.*?\\*/", "")
        .replaceAll("(?ms)^import \\(.*?^\\)$", "")
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .filter(line -> !line.matches("(//|import |package ).*"))
        .count();
  }

  @Test
  void figures_areTheLinesOfTheBlocks() throws Exception {
    String page = Files.readString(PAGE);
    List<Long> lines =
        BLOCK.matcher(page).results().map(block -> count(block.group(2))).limit(3).toList();
    List<Long> figures =
        FIGURE.matcher(page).results().map(figure -> Long.valueOf(figure.group(1))).toList();

    assertThat(figures).isEqualTo(lines).hasSize(3);
    assertThat(lines.get(0)).isEqualTo(count(Files.readString(OPERATOR))).isLessThanOrEqualTo(65);
  }

  @Test
  void firstBlock_isTheSource() throws Exception {
    MatchResult first = BLOCK.matcher(Files.readString(PAGE)).results().findFirst().orElseThrow();

    assertThat(Files.readString(OPERATOR)).endsWith(first.group(2));
  }
}
