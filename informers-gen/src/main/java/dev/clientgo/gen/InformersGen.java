package dev.clientgo.gen;

import dev.clientgo.apimachinery.errors.KubernetesException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** The command line of the generator. */
@Command(
    name = "informers-gen",
    mixinStandardHelpOptions = true,
    version = "informers-gen for client-go for Java",
    description =
        "Generates typed models, clients, informers and listers for Kubernetes resources.",
    footer = {
      "",
      "Exit codes: 0 all input was used; 1 some of it could not be (the rest was); 2 wrong usage."
    },
    subcommands = {InformersGen.Generate.class, Distill.class})
public final class InformersGen implements Runnable {

  /** Some input could not be used. */
  static final int INPUT_ERRORS = 1;

  @Spec private @Nullable CommandSpec spec;

  InformersGen() {}

  /** Runs the command line and exits with its code, unless that is zero. */
  public static void main(String[] args) {
    int code = commandLine().execute(args);
    if (code != CommandLine.ExitCode.OK) {
      System.exit(code);
    }
  }

  static CommandLine commandLine() {
    return new CommandLine(new InformersGen());
  }

  @Override
  public void run() {
    java.util.Objects.requireNonNull(spec).commandLine().usage(spec.commandLine().getErr());
  }

  /** Generates Java from schemas. */
  @Command(
      name = "generate",
      mixinStandardHelpOptions = true,
      description = "Generates Java from CRDs: files, or folders with YAML and JSON.",
      footer = {
        "",
        "Example:",
        "  java -jar informers-gen-cli.jar generate --output src/gen/java --package com.example \\\\",
        "      config/crd/",
        "  javac -cp \"$(java -jar informers-gen-cli.jar generate --classpath)\" ...",
        "",
        "Each kind becomes a record with builders and a JSON codec, in a package for its group and",
        "version; what a CRD nests is nested in the record: Issuer, Issuer.Spec, Issuer.Vault.",
        "Documents that are not CRDs are skipped. What cannot be read is reported with file, line",
        "and path, and spoils nothing else."
      })
  static final class Generate implements Callable<Integer> {

    @Spec private @Nullable CommandSpec spec;

    @Option(names = "--output", paramLabel = "DIR", description = "Where the packages go.")
    private @Nullable Path output;

    @Option(
        names = "--package",
        paramLabel = "NAME",
        description = "The package in which those of the groups lie.")
    private @Nullable String packageName;

    @Option(
        names = "--group-package",
        paramLabel = "GROUP=NAME",
        description =
            "The package of a group, below --package. Default: the group backwards without \"io\".")
    private final Map<String, String> groupPackages = new LinkedHashMap<>();

    @Option(
        names = "--kubernetes",
        description = "Adds the groups that every Kubernetes server has, as of 1.36.")
    private boolean kubernetes;

    @Option(
        names = "--kubeconfig",
        paramLabel = "FILE",
        description = "Adds all groups of the server that a kubeconfig names, CRDs among them.")
    private @Nullable Path kubeconfig;

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
    private List<Artifact> skip = List.of();

    @Option(names = "--dry-run", description = "Only reports what would be generated.")
    private boolean dryRun;

    @Option(
        names = "--report",
        description = "Prints the whole report, not only errors and the sum.")
    private boolean report;

    @Option(names = "--quiet", description = "Prints errors only.")
    private boolean quiet;

    @Option(
        names = "--classpath",
        description =
            "Prints what generated code is to be compiled against, and does nothing else.")
    private boolean classpath;

    @Parameters(paramLabel = "PATH", description = "Files or folders.")
    private List<Path> paths = List.of();

    Generate() {}

    @Override
    public Integer call() throws InterruptedException {
      CommandLine line = java.util.Objects.requireNonNull(spec).commandLine();
      if (classpath) {
        line.getOut().println(ownClasspath());
        return CommandLine.ExitCode.OK;
      }
      Path folder = output;
      String base = packageName;
      if ((folder == null && !dryRun) || base == null || !hasInput()) {
        throw new CommandLine.ParameterException(
            line, "Needs --output DIR, --package NAME and at least one PATH.");
      }
      Generation generation = generate(line, base);
      if (folder != null && !dryRun) {
        generation.writeTo(folder);
      }
      print(line, generation.report());
      return generation.report().problems().isEmpty() ? CommandLine.ExitCode.OK : INPUT_ERRORS;
    }

    private boolean hasInput() {
      return !paths.isEmpty() || kubernetes || kubeconfig != null;
    }

    private Generation generate(CommandLine line, String base) throws InterruptedException {
      try {
        Generator.Builder builder = Generator.builder(base);
        groupPackages.forEach(builder::groupPackage);
        only.forEach(builder::only);
        skip.forEach(builder::without);
        if (kubernetes) {
          builder.kubernetes();
        }
        if (kubeconfig != null) {
          builder.server(kubeconfig);
        }
        for (Path path : paths) {
          if (!Files.exists(path)) {
            throw new CommandLine.ParameterException(line, "There is no file or folder " + path);
          }
          builder.input(path);
        }
        if (report && !quiet) {
          builder.progress(name -> line.getErr().println("generating " + name));
        }
        return builder.build().generate();
      } catch (IllegalArgumentException | KubernetesException e) {
        throw new CommandLine.ParameterException(line, String.valueOf(e.getMessage()), e);
      }
    }

    private void print(CommandLine line, Report result) {
      PrintWriter err = line.getErr();
      if (report) {
        err.print(result);
      } else {
        result.problems().forEach(problem -> err.println("error: " + problem));
        if (!quiet) {
          err.println(result.summary());
        }
      }
      err.flush();
    }

    /** Returns the class path this program runs with: its jar holds all that is needed. */
    private static String ownClasspath() {
      return java.util.Arrays.stream(
              System.getProperty("java.class.path").split(java.io.File.pathSeparator))
          .map(entry -> Path.of(entry).toAbsolutePath().normalize().toString())
          .collect(java.util.stream.Collectors.joining(java.io.File.pathSeparator));
    }
  }
}
