package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The options of docs/cold-start.md are in a file that users copy. */
final class ColdStartOptionsTest {

  @Test
  void jvm_withTheOptionsOfTheFile_startsWithoutAWarning()
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + ProjectFiles.ROOT.resolve("docs/cold-start.options"),
                "-version")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output).doesNotContainIgnoringCase("warning");
    assertThat(process.exitValue()).as(output).isZero();
  }
}
