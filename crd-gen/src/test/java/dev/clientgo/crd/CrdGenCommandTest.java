package dev.clientgo.crd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.crd.cli.CrdGen;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line. */
final class CrdGenCommandTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(Object... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] texts = new String[arguments.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = arguments[i].toString();
    }
    return CrdGen.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(texts);
  }

  /** A record that the class path of this program does not have. */
  private Path compiled(String component) throws Exception {
    return compiled(component, "");
  }

  private Path compiled(String component, String body) throws Exception {
    Path source = folder.resolve("Box.java");
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Files.writeString(
        source,
        """
        package com.example;
        import dev.clientgo.crd.*;
        @CustomResource(group = "example.com", version = "v1")
        public record Box(COMPONENT) {BODY}
        """
            .replace("COMPONENT", component)
            .replace("BODY", body));
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(
                    null,
                    null,
                    null,
                    "-proc:none",
                    "-cp",
                    System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")),
                    "-d",
                    classes.toString(),
                    source.toString()))
        .isZero();
    return classes;
  }

  @Test
  void generate_recordOfAClassPath_printsItsDefinition() throws Exception {
    Path classes = compiled("@Schema(maximum = 10) int spec");

    assertThat(run("generate", "--classpath", classes, "com.example.Box")).isZero();

    assertThat(err.toString()).isEmpty();
    assertThat(out.toString())
        .startsWith("---\n")
        .contains("name: boxes.example.com", "maximum: 10");
    Path file = Files.writeString(folder.resolve("crds.yaml"), out.toString());
    assertThat(run("generate", "--classpath", classes, "--check", file, "com.example.Box"))
        .isZero();
    assertThat(out.toString()).isEmpty();
    Files.writeString(file, Files.readString(file).replace("\n", "\r\n"));
    assertThat(run("generate", "--classpath", classes, "--check", file, "com.example.Box"))
        .as("as Git checks it out on Windows")
        .isZero();
    Files.writeString(file, "other");
    assertThat(run("generate", "--classpath", classes, "--check", file, "com.example.Box"))
        .isEqualTo(1);
    assertThat(err.toString()).contains("is not what the records give; generate it again");
  }

  /** The encoding of the terminal must not change a file. */
  @Test
  void generate_printsUtf8() throws Exception {
    Path classes = compiled("@Schema(description = \"gr\\u00f6\\u00dfe\") int spec");
    Path file = folder.resolve("crds.yaml");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dfile.encoding=US-ASCII",
                "-Dstdout.encoding=US-ASCII",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                CrdGen.class.getName(),
                "generate",
                "--classpath",
                classes.toString(),
                "com.example.Box")
            .redirectOutput(file.toFile())
            .redirectError(folder.resolve("err").toFile())
            .start();

    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(file)).contains("description: gr\u00f6\u00dfe");
    assertThat(run("generate", "--classpath", classes, "--check", file, "com.example.Box"))
        .isZero();
  }

  @Test
  void output_thatCannotBeWritten_isAnError() throws Exception {
    Path classes = compiled("int spec");
    run("generate", "--classpath", classes, "com.example.Box");
    Path file = Files.writeString(folder.resolve("crds.yaml"), out.toString());
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    for (String arguments :
        List.of("generate --classpath " + classes + " com.example.Box", "diff F F")) {
      err.getBuffer().setLength(0);

      assertThat(
              CrdGen.commandLine()
                  .setOut(new PrintWriter(full, true, UTF_8))
                  .setErr(new PrintWriter(err, true))
                  .execute(arguments.replace("F", file.toString()).split(" ")))
          .isEqualTo(2);
      assertThat(err.toString()).isEqualTo("error: cannot write the output\n");
    }
  }

  @Test
  void generate_badInput_saysWhatToDo() throws Exception {
    Path classes = compiled("java.util.Locale spec");

    assertThat(run("generate")).isEqualTo(2);
    assertThat(run("generate", "--classpath", classes, "com.example.Box")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("error: com.example.Box, .spec: java.util.Locale has no schema: make it a");
    assertThat(out.toString()).isEmpty();
    assertThat(run("generate", "--classpath", classes, "com.example.Bax")).isEqualTo(2);
    assertThat(err.toString()).startsWith("error: there is no class com.example.Bax on the class");
    assertThat(run("generate", "--classpath", folder.resolve("none"), "a.B")).isEqualTo(2);
    assertThat(err.toString()).startsWith("error: there is no file or folder ");
  }

  @Test
  void generate_recordThatCannotBeRead_isAnErrorOfTheInput() throws Exception {
    String failing = "@Override public String toString() { throw new Error(\"no text\"); }";
    Path classes = compiled("Level spec", "enum Level { LOW; " + failing + "}");
    assertThat(run("generate", "--classpath", classes, "com.example.Box")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            "error: com.example.Box, .spec: cannot read the values of com.example.Box$Level:"
                + " java.lang.Error: no text\n");

    classes = compiled("java.util.List<Part> spec", "record Part(int a) {}");
    Files.delete(classes.resolve("com/example/Box$Part.class"));
    assertThat(run("generate", "--classpath", classes, "com.example.Box")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("error: the class path lacks a class: ")
        .contains("com.example.Box$Part");
  }

  /** Exit code 1 says that something breaks. */
  @Test
  void diff_definitionThatIsNoSchema_isNoFinding() throws Exception {
    run("generate", "--classpath", compiled("int spec"), "com.example.Box");
    Path whole = Files.writeString(folder.resolve("whole.yaml"), out.toString());
    Path wrong =
        Files.writeString(
            folder.resolve("wrong.yaml"), out.toString().replace("- spec", "- {a: b}"));

    assertThat(run("diff", whole, wrong)).isEqualTo(2);
  }

  @Test
  void diff_exitCodeSaysWhetherSomethingBreaks() throws Exception {
    run("generate", "--classpath", compiled("@Schema(maximum = 10) int spec"), "com.example.Box");
    Path old = Files.writeString(folder.resolve("old.yaml"), out.toString());
    run("generate", "--classpath", compiled("@Schema(maximum = 5) int spec"), "com.example.Box");
    Path now = Files.writeString(folder.resolve("new.yaml"), out.toString());

    assertThat(run("diff", old, now)).isEqualTo(1);
    assertThat(out.toString())
        .startsWith(
            "breaks stored objects: boxes.example.com v1 .spec: maximum changed from 10 to 5;")
        .endsWith("1 breaking changes, 0 warnings\n");
    assertThat(run("diff", now, old)).isZero();
    assertThat(out.toString()).isEqualTo("0 breaking changes, 0 warnings\n");
  }

  @Test
  void diff_readsTheListOfKubectl_andRefusesAFileWithoutDefinitions() throws Exception {
    run("generate", "--classpath", compiled("int spec"), "com.example.Box");
    Path single = Files.writeString(folder.resolve("single.yaml"), out.toString());
    String item = out.toString().substring("---\n".length()).indent(2).substring(2);
    Path list =
        Files.writeString(
            folder.resolve("list.yaml"), "apiVersion: v1\nkind: List\nitems:\n- " + item);
    Path none = Files.writeString(folder.resolve("none.yaml"), "kind: ConfigMap\n");

    assertThat(run("diff", list, single)).as(err::toString).isZero();
    assertThat(run("diff", list, none)).isEqualTo(2);
    assertThat(err.toString()).endsWith("none.yaml has no CustomResourceDefinition\n");
    assertThat(run("diff", folder.resolve("missing.yaml"), none)).isEqualTo(2);
    assertThat(err.toString()).startsWith("error: cannot read ");
  }

  /** Comparing nothing would find nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "v1beta1, metadata: {name: a}, spec: {NAMES, versions: [{name: v1}]}",
        "v1, metadata: {name: a}",
        "v1, metadata: {name: a}, spec: {NAMES, versions: []}",
        "v1, metadata: {name: a}, spec: {NAMES, versions: [{name: v1, schema: {}}]}",
        "v1, spec: {NAMES, VERSIONS}",
        "v1, metadata: {name: a}, spec: {group: g, names: {plural: as, kind: A}, VERSIONS}",
        "v1, metadata: {name: a}, spec: {scope: Cluster, names: {plural: as, kind: A}, VERSIONS}",
        "v1, metadata: {name: a}, spec: {group: g, scope: Cluster, names: {kind: A}, VERSIONS}",
        "v1, metadata: {name: a}, spec: {group: g, scope: Cluster, names: {plural: as}, VERSIONS}",
      })
  void diff_definitionThatLacksAField_isRefused(String rest) throws Exception {
    String yaml =
        "kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/"
            + rest.replace("NAMES", "group: g, scope: Cluster, names: {plural: as, kind: A}")
                .replace(
                    "VERSIONS",
                    "versions: [{name: v1, schema: {openAPIV3Schema: {type: object}}}]");
    run("generate", "--classpath", compiled("int spec"), "com.example.Box");
    Path whole = Files.writeString(folder.resolve("whole.yaml"), out.toString());
    Path lacking = Files.writeString(folder.resolve("lacking.yaml"), out + "---\n{" + yaml + "}");

    assertThat(run("diff", lacking, whole)).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("error: ")
        .contains(
            "lacking.yaml: the definition ", "is no apiextensions.k8s.io/v1 with a name, group");
    assertThat(run("diff", whole, lacking)).isEqualTo(2);
  }

  @Test
  void withoutACommand_printsHelp() {
    assertThat(run()).isZero();
    assertThat(out.toString()).contains("generate", "diff");
  }
}
