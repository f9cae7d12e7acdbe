package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/crd-gen.md, with its record, and one whose codec needs another jar. */
final class CrdGenPageTest {

  private static final Path JAR = ProjectFiles.ROOT.resolve("crd-gen/target/crd-gen-cli.jar");
  private static final String CLASS_PATH =
      Pattern.compile(File.pathSeparator, Pattern.LITERAL)
          .splitAsStream(
              System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")))
          .filter(entry -> Files.exists(Path.of(entry)))
          .collect(Collectors.joining(File.pathSeparator));

  @TempDir private Path folder;

  @Test
  void commandsOfThePage_generateAndCompare() throws Exception {
    assumeTrue(Files.exists(JAR), "mvn package makes " + JAR);
    assertThat(Files.readString(ProjectFiles.ROOT.resolve("docs/crd-gen.md")))
        .contains("crd-gen-cli.jar generate --classpath target/classes com.example.Database")
        .contains("crd-gen-cli.jar diff released.yaml crds.yaml");
    compile("Database", "Website");

    // The jar lacks databind, which the codec of the Website uses.
    String classPath = folder + File.pathSeparator + CLASS_PATH;
    run("crds.yaml", 0, "generate", "--classpath", classPath, "com.example.Database");
    run("all.yaml", 0, "generate", "--classpath", classPath, "com.example.Website");
    run("diff", 0, "diff", folder.resolve("crds.yaml") + "", folder.resolve("crds.yaml") + "");
    run("gone", 1, "diff", folder.resolve("crds.yaml") + "", folder.resolve("all.yaml") + "");

    assertThat(folder.resolve("crds.yaml")).content().contains("name: databases.example.com");
    assertThat(folder.resolve("all.yaml")).content().contains("name: websites.web.example.com");
    assertThat(folder.resolve("diff")).hasContent("0 breaking changes, 0 warnings");
    assertThat(folder.resolve("gone")).content().contains("the definition is gone");
  }

  private void compile(String... types) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("-proc:none", "-cp", CLASS_PATH, "-d", folder.toString()));
    for (String type : types) {
      Path source =
          ProjectFiles.ROOT.resolve("crd-gen/src/test/java/dev/clientgo/crd/" + type + ".java");
      String text =
          Files.readString(source)
              .replace(
                  "package dev.clientgo.crd;", "package com.example; import dev.clientgo.crd.*;");
      arguments.add(Files.writeString(folder.resolve(type + ".java"), text).toString());
    }
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, arguments.toArray(String[]::new)))
        .isZero();
  }

  private void run(String output, int code, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                JAR.toString()));
    command.addAll(List.of(arguments));
    Path file = folder.resolve(output);
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(file.toFile()).start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as("%s", Files.readString(file)).isEqualTo(code);
  }
}
