package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first commands of docs/informers-gen.md, run as they stand there, in another folder. */
final class InformersGenPageTest {

  private static final Path PAGE = ProjectFiles.ROOT.resolve("docs/informers-gen.md");
  private static final Path JAR =
      ProjectFiles.ROOT.resolve("informers-gen/target/informers-gen-cli.jar");

  /** A project with one definition generates all parts, informers too, and compiles them. */
  @Test
  void commandsOfThePage_generateAndCompile(@TempDir Path project) throws Exception {
    assumeTrue(Files.exists(JAR), "mvn package makes " + JAR);
    List<String> commands = commands();
    assertThat(commands)
        .hasSize(3)
        .satisfiesExactly(
            build -> assertThat(build).startsWith("mvn "),
            generate -> assertThat(generate).startsWith("java "),
            compile -> assertThat(compile).startsWith("javac "));
    Files.copy(
        ProjectFiles.ROOT.resolve("examples/src/main/crds/foo.yaml"),
        Files.createDirectories(project.resolve("config/crd")).resolve("foo.yaml"));

    run(project, commands.get(1));
    run(project, commands.get(2));

    assertThat(ProjectFiles.find(project.resolve("classes"), "InformerFactory.class")).hasSize(1);
  }

  /** Returns the first block of the page, which is indented, as its lines. */
  private static List<String> commands() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .dropWhile(line -> !line.startsWith("    "))
        .takeWhile(line -> line.startsWith("    "))
        .map(line -> line.strip().replace("informers-gen/target/", JAR.getParent() + "/"))
        .toList();
  }

  private static void run(Path folder, String command) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile());
    builder
        .environment()
        .merge(
            "PATH",
            Path.of(System.getProperty("java.home"), "bin").toString(),
            (path, bin) -> bin + File.pathSeparator + path);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(command).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue())
        .as("%s%n%s", command, Files.readString(folder.resolve("output")))
        .isZero();
  }
}
