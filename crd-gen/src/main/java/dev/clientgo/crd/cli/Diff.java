package dev.clientgo.crd.cli;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.crd.CrdDiff;
import dev.clientgo.crd.CrdFinding;
import dev.clientgo.crd.CustomResourceDefinitions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what new definitions break. */
@Command(
    name = "diff",
    mixinStandardHelpOptions = true,
    description = {
      "Prints what new definitions of custom resources break: stored objects or clients.",
      "",
      "The files are YAML or JSON. OLD may be the output of \"kubectl get crds -o yaml\", whose status"
          + " has all versions that objects are stored in.%n"
    },
    footer = {
      "",
      "Exit codes: 0 nothing breaks, there may be warnings; 1 something breaks; 2 wrong usage, or a"
          + " file without definitions."
    })
final class Diff implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "OLD", description = "The definitions that are in use.")
  private @Nullable Path old;

  @Parameters(index = "1", paramLabel = "NEW", description = "The definitions to come.")
  private @Nullable Path next;

  @Override
  public Integer call() {
    CommandLine line = requireNonNull(spec).commandLine();
    List<CrdFinding> findings = CrdDiff.between(read(old), read(next));
    StringBuilder text = new StringBuilder();
    findings.forEach(finding -> text.append(finding).append('\n'));
    long breaking = findings.stream().filter(CrdFinding::isBreaking).count();
    long warnings = findings.size() - breaking;
    Generate.print(line, text + "%d breaking changes, %d warnings\n".formatted(breaking, warnings));
    return breaking == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private static List<Unstructured> read(@Nullable Path file) {
    Path path = requireNonNull(file);
    return CustomResourceDefinitions.read(path.toString(), Generate.read(path));
  }
}
