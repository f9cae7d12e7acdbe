package dev.clientgo.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** This library passes the scripts, and the page has them all. */
final class ConformanceTest {

  static List<Script> quickScripts() {
    return Script.readAll().stream().filter(script -> !script.isSlow()).toList();
  }

  @Execution(ExecutionMode.CONCURRENT) // They mostly wait.
  @ParameterizedTest
  @MethodSource("quickScripts")
  @Timeout(120)
  void script_isPassed(Script script) throws Exception {
    ScriptRun.Result result = ScriptRun.run(script, ThisLibrary::new);

    assertThat(result).isEqualTo(new ScriptRun.Result(ScriptRun.Outcome.PASSED, ""));
  }

  /** If it fails, run {@code ./conformance/run}, or {@code ./conformance/run page}. */
  @Test
  void page_isThatOfTheScriptsAndResults() throws IOException {
    assertThat(ConformancePage.FILE).hasContent(ConformancePage.write(Results.read()));
  }

  @Test
  void results_sayThatThisLibraryPassesEachScript() throws IOException {
    Results results = Results.read();

    assertThat(Script.readAll())
        .allSatisfy(
            script ->
                assertThat(results.of(script, "this library").outcome())
                    .isEqualTo(ScriptRun.Outcome.PASSED));
  }

  @Test
  void judge_fails_ifTheStoreDiffers() throws Exception {
    Script script = new Script("t", "T", "", List.of("put a=1", "start", "synced within 1"));

    ScriptRun.Result result = ScriptRun.run(script, (arguments, lines) -> new EmptyClient(lines));

    assertThat(result.outcome()).isEqualTo(ScriptRun.Outcome.FAILED);
    assertThat(result.evidence()).contains("the store has {}, the server {a=1@101}");
  }
}
