package dev.clientgo.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs stay short: whole files are counted, with imports and empty lines. */
final class ProgramSizeTest {

  @ParameterizedTest
  @CsvSource({
    "readme/FollowPods.java, 35",
    "readme/TeamQuota.java, 50",
    "foocontroller/FooController.java, 160",
    "minikubectl/MiniKubectl.java, 160"
  })
  void program_whole_isNoLongerThan(String file, int lines) throws Exception {
    Path source = Path.of("src/main/java/dev/clientgo/examples", file);

    assertThat(Files.readAllLines(source)).hasSizeLessThanOrEqualTo(lines);
  }

  @Test
  void fooReconciler_hasAThirdOfTheLinesOfTheControllerByHand() throws Exception {
    Path folder = Path.of("src/main/java/dev/clientgo/examples/foocontroller");
    int byHand = Files.readAllLines(folder.resolve("FooController.java")).size();

    assertThat(Files.readAllLines(folder.resolve("FooReconciler.java")))
        .hasSizeLessThanOrEqualTo(byHand / 3);
  }
}
