package dev.clientgo.gen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.gen.cli.CompilePath;
import dev.clientgo.gen.cli.InformersGen;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line as people use it. */
final class InformersGenTest {

  private static final String CRONTAB = "src/test/resources/golden/crontab/crd.yaml";
  private static final String STREAM = "src/test/resources/traps/stream.yaml";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private String in = "";
  private Clock clock = FakeClock.create(); // Stands still, so that no run is a long one.

  @TempDir private Path folder;

  private int run(String... args) {
    return InformersGen.commandLine(new ByteArrayInputStream(in.getBytes(UTF_8)), clock)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      return tree.filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString().replace('\\', '/'))
          .sorted()
          .toList();
    }
  }

  @Test
  void generate_crd_writesFilesAndTheSum() throws IOException {
    assertThat(run("generate", "--output", folder + "", "--package", "com.example", CRONTAB))
        .as(err.toString())
        .isZero();

    assertThat(files()).contains("com/example/stable/v1/CronTab.java");
    assertThat(err.toString()).startsWith("1 kind in 1 group version from 1 input;");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void generate_longRun_tellsHowFarItIs() {
    clock = new HastyClock();

    assertThat(run("generate", "--dry-run", "--package", "com.example", CRONTAB)).isZero();

    assertThat(err.toString().lines())
        .startsWith("reading " + CRONTAB + " (1 of 1)")
        .anyMatch(line -> line.matches("generating .*CronTab \\(1 of 1\\)"));
  }

  @Test
  void generate_anew_leavesWhatIsTheSameAndRemovesWhatIsGone() throws IOException {
    run("generate", "--output", folder + "", "--package", "com.example", CRONTAB);
    Path type = folder.resolve("com/example/stable/v1/CronTab.java");
    Files.setLastModifiedTime(type, java.nio.file.attribute.FileTime.fromMillis(1_000));
    Path own = Files.writeString(folder.resolve("com/example/Own.java"), "class Own {}");

    run(
        "generate",
        "--output",
        folder + "",
        "--package",
        "com.example",
        "--skip",
        "SCHEME",
        CRONTAB);

    assertThat(Files.getLastModifiedTime(type).toMillis()).isEqualTo(1_000);
    assertThat(files()).doesNotContain("com/example/ApiScheme.java");
    assertThat(own).exists();
  }

  @Test
  void generate_intoAFolderWithAFileOfAnotherOrigin_leavesAllAsItIs() throws IOException {
    Path own = Files.createDirectories(folder.resolve("com/example")).resolve("package-info.java");
    Files.writeString(own, "/** Mine. */ package com.example;", UTF_8);

    assertThat(run("generate", "--output", folder + "", "--package", "com.example", CRONTAB))
        .isEqualTo(1);

    assertThat(err.toString()).contains(own + " exists and was not generated");
    assertThat(own).hasContent("/** Mine. */ package com.example;");
    assertThat(files()).hasSize(1);
  }

  /** The list of files is missing if only the sources were committed. */
  @Test
  void generate_overGeneratedFilesWithoutTheirList_replacesThem() throws IOException {
    run("generate", "--output", folder + "", "--package", "com.example", CRONTAB);
    Path type = folder.resolve("com/example/stable/v1/CronTab.java");
    String text = Files.readString(type, UTF_8);
    Files.writeString(type, text.replace("CronTab of", "CronTab from"), UTF_8);
    Files.delete(folder.resolve(".informers-gen"));

    assertThat(run("generate", "--output", folder + "", "--package", "com.example", CRONTAB))
        .isZero();

    assertThat(type).content().isEqualTo(text);
  }

  @Test
  void generate_afterARunThatFailed_removesWhatThatWrote() throws IOException {
    Path type = folder.resolve("com/example/stable/v1/CronTab.java");
    Files.createDirectories(type);
    assertThat(run("generate", "--output", folder + "", "--package", "com.example", CRONTAB))
        .isEqualTo(1);
    Files.delete(type);
    String[] typesAlone = {
      "generate", "--output", folder + "", "--package", "com.example", "--skip", "CLIENTS", CRONTAB
    };

    assertThat(run(typesAlone)).isZero();

    assertThat(files()).doesNotContain("com/example/Clientset.java");
  }

  @Test
  void generate_dryRun_reportsATableAndWritesNothing() throws IOException {
    assertThat(
            run(
                "generate",
                "--dry-run",
                "--report",
                "--package",
                "com.example",
                "src/test/resources/traps/names.yaml",
                "src/test/resources/traps/types.yaml"))
        .as(err.toString())
        .isZero();

    assertThat(files()).isEmpty();
    assertThat(out.toString().lines())
        .anyMatch(line -> line.matches("RESULT +WHAT +HOW OR WHY"))
        .anyMatch(line -> line.matches("generated +com.example.*Trap +.*/v1 Trap: \\d+ types, .*"))
        .anyMatch(line -> line.matches("renamed +.*Trap.Spec \"class\" +is class_"))
        .anyMatch(
            line -> line.matches("JSON +.*types.yaml:\\d+: \\$.*noType +has no single type.*"));
  }

  @Test
  void generate_reportThatCannotBePrinted_isAnError() {
    PipedWriter full = new PipedWriter(); // Not connected: each write fails.

    int code =
        InformersGen.commandLine(InputStream.nullInputStream(), clock)
            .setOut(new PrintWriter(full))
            .setErr(new PrintWriter(err, true))
            .execute("generate", "--dry-run", "--report", "--package", "com.example", CRONTAB);

    assertThat(code).isEqualTo(1);
    assertThat(err.toString()).contains("error: cannot print the report");
  }

  @Test
  void generate_someBadDocuments_usesTheOthersAndSaysWhere() throws IOException {
    assertThat(run("generate", "--output", folder + "", "--package", "com.example", STREAM))
        .isEqualTo(1);

    assertThat(files()).anyMatch(file -> file.endsWith("/First.java"));
    assertThat(err.toString())
        .contains("error: " + STREAM + ":35: $.spec.names.kind: \"../../Evil\" is not a name");
  }

  @Test
  void generate_standardInput_isReadToo() throws IOException {
    in = "kind: List\nitems:\n  -\n" + Files.readString(Path.of(CRONTAB)).indent(4);

    assertThat(run("generate", "--dry-run", "--report", "--package", "com.example", "-"))
        .as(err.toString())
        .isZero();

    assertThat(out.toString()).contains("stable.example.com/v1 CronTab");
  }

  @Test
  void generate_streamThatBeginsWithBraces_isReadToItsEnd() throws IOException {
    in = "{kind: ConfigMap}\n---\n" + Files.readString(Path.of(CRONTAB));

    assertThat(run("generate", "--dry-run", "--package", "com.example", "-"))
        .as(err.toString())
        .isZero();

    assertThat(err.toString()).contains("1 kind ", "1 other document skipped, 0 errors");
  }

  @Test
  void generate_onlyWhatIsNotThere_saysSo() {
    assertThat(run("generate", "--dry-run", "--package", "a", "--only", "Bar", CRONTAB))
        .isEqualTo(1);

    assertThat(err.toString()).contains("error: there is no resource \"Bar\"");
  }

  @Test
  void generate_noResource_isAnError() throws IOException {
    Files.writeString(folder.resolve("other.yaml"), "kind: ConfigMap\n", UTF_8);

    assertThat(run("generate", "--dry-run", "--package", "com.example", folder + "")).isEqualTo(1);
    assertThat(err.toString()).startsWith("error: " + folder + ": has no CRD");

    assertThat(
            run("generate", "--dry-run", "--allow-empty", "--package", "com.example", folder + ""))
        .isZero();
  }

  @Test
  void generate_emptyStandardInput_isAnError() {
    assertThat(run("generate", "--dry-run", "--package", "com.example", "-")).isEqualTo(1);
    assertThat(err.toString()).contains("the input has no CRD");
  }

  @Test
  void generate_helmTemplateOnStandardInput_saysThatHelmRendersIt() {
    in = "{{- if .Values.crds }}\napiVersion: v1\n{{- end }}\n";

    assertThat(run("generate", "--dry-run", "--package", "com.example", "-")).isEqualTo(1);
    assertThat(err.toString())
        .contains("error: stdin:1: is a Helm template, not YAML", "helm template CHART");
  }

  @Test
  void generate_wrongUsage_isExplained() {
    assertThat(run("generate", "--package", "com.example", CRONTAB)).isEqualTo(2);
    assertThat(err.toString()).contains("Needs --output DIR");
    assertThat(run("generate", "--output", folder + "", "--package", "a.class.b", CRONTAB))
        .isEqualTo(2);
    assertThat(err.toString()).contains("\"a.class.b\" is not a Java package");
    assertThat(run("generate", "--output", folder + "", "--package", "a", "no/such/file"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("There is no file or folder no/such/file");
    assertThat(run("generate", "--otput", "x")).isEqualTo(2);
    assertThat(err.toString())
        .endsWith(
            """
            error: Unknown option: '--otput'
            "informers-gen generate --help" explains the options
            """);
  }

  @Test
  void generate_outputIsAFile_saysSoInOneLine() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "", UTF_8);

    assertThat(run("generate", "--output", file + "", "--package", "com.example", CRONTAB))
        .isEqualTo(1);
    assertThat(err.toString().strip().lines()).hasSize(1);
    assertThat(err.toString()).contains("cannot write to " + file);
  }

  @Test
  void generate_classpath_namesWhatExists() {
    assertThat(run("generate", "--classpath")).isZero();

    assertThat(out.toString().strip().split(File.pathSeparator))
        .allSatisfy(entry -> assertThat(Path.of(entry)).isAbsolute().exists());
  }

  @Test
  void compilePath_kubernetesBesideTheProgram_isPartOfIt() throws IOException {
    Path jar = Files.createDirectories(folder.resolve("informers-gen/target")).resolve("cli.jar");
    Files.writeString(jar, "", UTF_8);
    CompilePath alone = CompilePath.of(jar + "");
    assertThat(alone).hasToString(jar + "");
    Path target = Files.createDirectories(folder.resolve("kubernetes/target"));
    Files.writeString(target.resolve("kubernetes-1.2.3-sources.jar"), "", UTF_8);
    Path kubernetes = Files.writeString(target.resolve("kubernetes-1.2.3-SNAPSHOT.jar"), "", UTF_8);

    CompilePath both = CompilePath.of(jar + "");

    assertThat(both).hasToString(jar + File.pathSeparator + kubernetes);
    assertThat(both.hasKubernetes()).isTrue();
  }

  @Test
  void help_teaches() {
    assertThat(run("generate", "--help")).isZero();

    assertThat(out.toString())
        .contains("--output", "--classpath", "Examples:", "Exit codes: 0 all input was used");
  }

  /** A clock that advances by a second at each reading. */
  private static final class HastyClock implements Clock {

    private final FakeClock clock = FakeClock.create();

    @Override
    public Instant now() {
      clock.advance(Duration.ofSeconds(1));
      return clock.now();
    }

    @Override
    public long nanoTime() {
      return clock.nanoTime();
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout)
        throws InterruptedException {
      return clock.await(lock, condition, timeout);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      clock.sleep(duration);
    }
  }
}
