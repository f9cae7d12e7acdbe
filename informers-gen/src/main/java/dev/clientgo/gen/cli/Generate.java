package dev.clientgo.gen.cli;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.gen.Generation;
import dev.clientgo.gen.Generator;
import dev.clientgo.gen.internal.document.Documents;
import dev.clientgo.gen.report.Report;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Generates Java from schemas. */
@Command(
    name = "generate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Generates Java for Kubernetes resources: immutable records with builders and JSON codecs,"
          + " a clientset, an informer factory and a scheme.",
      "",
      "PATH is a file, a folder whose YAML and JSON files are read, or - for the standard input.",
      "They may hold CRDs, OpenAPI v3 documents and files of \"distill\", in lists and in streams"
          + " with other documents, which are skipped.%n"
    },
    footer = {
      "",
      "Examples:",
      "  CRDs to Java, and the way to compile it:",
      "    java -jar informers-gen-cli.jar generate --output gen --package com.example config/crd/",
      "    javac -d classes -cp \"$(java -jar informers-gen-cli.jar generate --classpath)\" \\",
      "        $(find gen -name '*.java')",
      "  A table of what a CRD would give, without writing it:",
      "    ... generate --dry-run --report --package com.example crontab.yaml",
      "  Only Pods and your CRD:",
      "    ... generate --output gen --package com.example --kubernetes --only Pod --only CronTab"
          + " \\",
      "        crontab.yaml",
      "  All that a running server has, or its CRDs alone:",
      "    ... generate --output gen --package com.example --kubeconfig ~/.kube/config",
      "    kubectl get crds -o yaml | ... generate --output gen --package com.example -",
      "",
      "Each kind is a record in a package for its group and version; what a CRD nests is nested in",
      "the record: Issuer, Issuer.Spec, Issuer.Vault. Errors name file, line and path; the rest of",
      "the input is still generated.",
      "",
      "Generated code needs the modules rest-client and tools-cache of client-go for Java;",
      "--skip INFORMERS does without tools-cache, --skip CLIENTS without both, but not without",
      "api-machinery.",
      "",
      "Exit codes: 0 all input was used; 1 some of it could not be (the rest was); 2 wrong usage."
    })
final class Generate implements Callable<Integer> {

  private static final Path STANDARD_INPUT = Path.of("-");
  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--output", paramLabel = "DIR", description = "The source folder to write.")
  private @Nullable Path output;

  @Option(
      names = "--package",
      paramLabel = "NAME",
      description = "The base package; the packages of the groups lie below it.")
  private @Nullable String packageName;

  @Option(
      names = "--group-package",
      paramLabel = "GROUP=NAME",
      description =
          "The package of a group, below --package. Default: the group backwards without \"io\".")
  private final Map<String, String> groupPackages = new LinkedHashMap<>();

  @Option(
      names = "--kubernetes",
      description = "Adds the groups that every Kubernetes server has, as of 1.37.")
  private boolean kubernetes;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Adds all groups of the server that a kubeconfig names, CRDs among them.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "A context of the kubeconfig; without --kubeconfig, of the usual one.")
  private @Nullable String context;

  @Option(
      names = "--only",
      paramLabel = "RESOURCE",
      description =
          "Generates no more than this and what it needs: Pod, pods, apps/v1, apps/v1/Deployment."
              + " May be repeated.")
  private List<String> only = List.of();

  @Option(
      names = "--skip",
      paramLabel = "ARTIFACT",
      description = "Leaves something out: ${COMPLETION-CANDIDATES}. May be repeated.")
  private List<Generator.Artifact> skip = List.of();

  @Option(
      names = "--reuse-kubernetes",
      negatable = true,
      description =
          "Whether to use the classes of the module \"kubernetes\" for what equals one in"
              + " structure, such as PodTemplateSpec. Default: if --classpath has it.")
  private @Nullable Boolean reuseKubernetes;

  @Option(
      names = "--map-class",
      paramLabel = "PLACE=CLASS",
      description =
          "Uses a class that you have, with a constant CODEC, for a part of a schema:"
              + " Issuer.spec.acme=com.example.Acme, or Issuer.spec.solvers[] for what is in a list"
              + " or map. May be repeated.")
  private final Map<String, String> classes = new LinkedHashMap<>();

  @Option(
      names = "--allow-empty",
      description = "Accepts a folder without CRDs, and input without any. Default: an error.")
  private boolean allowEmpty;

  @Option(names = "--dry-run", description = "Writes nothing.")
  private boolean dryRun;

  @Option(
      names = "--report",
      description =
          "Prints a table of the classes generated and reused, the names changed, and the fields"
              + " kept as JSON with the reasons.")
  private boolean report;

  @Option(names = "--quiet", description = "Prints errors only.")
  private boolean quiet;

  @Option(
      names = "--classpath",
      description = "Prints the class path that generated code is compiled against, and exits.")
  private boolean classpath;

  @Parameters(paramLabel = "PATH", description = "Files, folders, or -.")
  private List<Path> paths = List.of();

  private final InputStream in;
  private final Clock clock;

  /** Creates a command with this standard input and this clock. */
  Generate(InputStream in, Clock clock) {
    this.in = in;
    this.clock = clock;
  }

  @Override
  public Integer call() throws InterruptedException {
    CommandLine line = requireNonNull(spec).commandLine();
    CompilePath compilePath = CompilePath.ofThisProgram();
    if (classpath) {
      line.getOut().println(compilePath);
      return CommandLine.ExitCode.OK;
    }
    Path folder = output;
    String base = packageName;
    if ((folder == null && !dryRun) || base == null || !hasInput()) {
      throw new CommandLine.ParameterException(
          line, "Needs --output DIR, --package NAME and at least one PATH.");
    }
    Generator generator = generator(line, base, compilePath);
    Generation generation = generator.generate();
    if (folder != null && !dryRun) {
      generation.writeTo(folder);
    }
    return print(line, generation.report());
  }

  private boolean hasInput() {
    return !paths.isEmpty() || kubernetes || hasServer();
  }

  private boolean hasServer() {
    return kubeconfig != null || context != null;
  }

  private Generator generator(CommandLine line, String base, CompilePath compilePath)
      throws InterruptedException {
    for (Path path : paths) {
      if (!path.equals(STANDARD_INPUT) && !Files.exists(path)) {
        throw new CommandLine.ParameterException(line, "There is no file or folder " + path);
      }
    }
    try {
      Generator.Builder builder = Generator.builder(base);
      groupPackages.forEach(builder::groupPackage);
      classes.forEach(builder::mapClass);
      only.forEach(builder::only);
      skip.forEach(builder::without);
      addInputs(builder);
      builder.allowEmpty(allowEmpty);
      builder.reuseKubernetes(
          reuseKubernetes == null ? compilePath.hasKubernetes() : reuseKubernetes);
      if (kubernetes) {
        builder.kubernetes();
      }
      if (hasServer()) {
        builder.server(kubeconfig, context);
      }
      return builder.progress(progress(line.getErr())).build();
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(line, String.valueOf(e.getMessage()), e);
    }
  }

  private void addInputs(Generator.Builder builder) {
    for (Path path : paths) {
      if (path.equals(STANDARD_INPUT)) {
        builder.text("stdin", standardInput());
      } else {
        builder.input(path);
      }
    }
  }

  private String standardInput() {
    try {
      return Documents.decode(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the standard input: " + e.getMessage(), e);
    }
  }

  /** Reports the progress of a long run, at most once a second. */
  private Generator.Progress progress(PrintWriter err) {
    Instant[] last = {clock.now()};
    return (step, number, total) -> {
      Instant now = clock.now();
      if (!quiet && Duration.between(last[0], now).compareTo(PROGRESS_INTERVAL) >= 0) {
        last[0] = now;
        err.println(step + " (" + number + " of " + total + ")");
        err.flush();
      }
    };
  }

  private int print(CommandLine line, Report result) {
    if (report) {
      line.getOut().print(result);
      if (line.getOut().checkError()) {
        throw new UncheckedIOException("cannot print the report", new IOException());
      }
    }
    PrintWriter err = line.getErr();
    result.problems().forEach(problem -> err.println("error: " + problem));
    if (!quiet && !report) {
      result.notes().forEach(note -> err.println("note: " + note));
      err.println(result.summary());
    }
    err.flush();
    return result.problems().isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }
}
