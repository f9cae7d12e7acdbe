package dev.clientgo.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** This library passes the scripts, and the page has them all. */
final class ConformanceTest {

  private static final Path PAGE = Path.of("../docs/conformance.md");

  static List<Script> quickScripts() {
    return Script.readAll().stream().filter(script -> !script.isSlow()).toList();
  }

  @ParameterizedTest
  @MethodSource("quickScripts")
  @Timeout(120)
  void script_isPassed(Script script) throws Exception {
    ScriptRun.Result result = ScriptRun.run(script, ThisLibrary::new);

    assertThat(result).isEqualTo(new ScriptRun.Result(ScriptRun.Outcome.PASSED, ""));
  }

  /** If it fails, run {@code ./conformance/run}, which writes the page. */
  @Test
  void page_hasEachScriptAndSaysThatThisLibraryPassesIt() throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("| [") && line.contains("/scripts/"))
            .map(line -> line.replaceFirst("^(\\| \\[.*?]\\(.*?\\) \\| . ).*", "$1"))
            .toList();

    assertThat(rows)
        .containsExactlyElementsOf(
            Script.readAll().stream()
                .map(
                    script ->
                        "| [%s](../conformance/scripts/%s.txt) | ✓ "
                            .formatted(script.title(), script.name()))
                .toList());
  }

  @Test
  void judge_fails_ifTheStoreDiffers() throws Exception {
    Script script = new Script("t", "T", "", List.of("put a=1", "start", "synced within 1"));

    ScriptRun.Result result = ScriptRun.run(script, (arguments, lines) -> new EmptyClient(lines));

    assertThat(result.outcome()).isEqualTo(ScriptRun.Outcome.FAILED);
    assertThat(result.evidence()).contains("the store has {}, the server {a=1@101}");
  }
}
