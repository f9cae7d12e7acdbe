package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void runtimeOfThePage_hasAnArchive(@TempDir Path folder) throws Exception {
    Path bin = Path.of(System.getProperty("java.home"), "bin");
    assumeTrue(Files.exists(bin.resolve("jlink")), "a JDK with jlink");
    String page = Files.readString(ProjectFiles.ROOT.resolve("docs/cold-start.md"));
    Matcher jlink = Pattern.compile("(?m)^jlink (.*) --output runtime$").matcher(page);
    assertThat(jlink.find()).isTrue();
    Path runtime = folder.resolve("runtime");
    List<String> command = new ArrayList<>(List.of(jlink.group(1).split(" ", -1)));
    command.add(0, bin.resolve("jlink").toString());
    command.addAll(List.of("--output", runtime.toString()));
    run(command);
    String java = runtime.resolve("bin/java").toString();
    run(List.of(java, "-Xshare:dump"));

    run(
        List.of(
            java,
            "-Xshare:on",
            "@" + ProjectFiles.ROOT.resolve("docs/cold-start.options"),
            "-version"));
  }

  private static void run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
  }
}
