package dev.clientgo.gen.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.gen.internal.document.Documents;
import dev.clientgo.gen.internal.model.BuiltInSchema;
import dev.clientgo.gen.internal.schema.Catalog;
import dev.clientgo.gen.internal.schema.DefinitionReader;
import dev.clientgo.gen.internal.schema.GoTypes;
import dev.clientgo.gen.internal.schema.Resource;
import dev.clientgo.gen.internal.schema.SchemaFile;
import dev.clientgo.gen.internal.schema.ServerReader;
import dev.clientgo.gen.report.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a schema file from a server, or from its documents. */
@Command(
    name = "distill",
    mixinStandardHelpOptions = true,
    description = {
      "Writes the structure of an API into one compact file, which generate reads.",
      "It reads OpenAPI v3 and aggregated discovery, of a running server or from files."
    },
    footer = {
      "",
      "Example:",
      "  java -jar informers-gen-cli.jar distill --kubeconfig ~/.kube/config --output api.json"
    })
final class Distill implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "FILE",
      description = "The file to write.")
  private Path output = Path.of("");

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "The kubeconfig of the server.")
  private @Nullable Path kubeconfig;

  @Option(names = "--context", paramLabel = "NAME", description = "A context of the kubeconfig.")
  private @Nullable String context;

  @Option(
      names = "--go-types",
      paramLabel = "DIR",
      description = "The k8s.io folder of Kubernetes' sources, for protobuf's field numbers.")
  private @Nullable Path goTypes;

  @Option(
      names = "--beside-kubernetes",
      description = "Leaves out the kinds and types of generate --kubernetes.")
  private boolean besideKubernetes;

  @Option(names = "--source", paramLabel = "TEXT", description = "The origin that the file names.")
  private @Nullable String source;

  @Parameters(paramLabel = "PATH", arity = "0..*", description = "Files or folders.")
  private List<Path> paths = new ArrayList<>();

  Distill() {}

  @Override
  public Integer call() throws InterruptedException, IOException {
    CommandLine line = java.util.Objects.requireNonNull(spec).commandLine();
    Report.Builder report = new Report.Builder();
    Documents documents = new Documents(report::problem);
    paths.forEach(documents::read);
    String version = "files";
    if (paths.isEmpty() || kubeconfig != null) {
      version = ServerReader.read(kubeconfig, context, documents::text, report::problem);
    }
    Catalog catalog = new Catalog(report);
    new DefinitionReader(catalog, report).addAll(documents.roots());
    if (goTypes != null) {
      GoTypes.read(goTypes).addTo(catalog);
    }
    if (besideKubernetes) {
      catalog.removeAll(BuiltInSchema.catalog());
    }
    if (catalog.resources().isEmpty()) {
      report.problem(new Report.Problem("-", 0, "", "the input has no resource"));
    }
    for (Resource resource : catalog.resources()) {
      if (resource.typeName() == null) {
        report.problem(
            resource
                .source()
                .problem(resource.describe() + " is left out: generate reads a CRD as it is"));
      }
    }
    Files.writeString(output, SchemaFile.write(catalog, source == null ? version : source), UTF_8);
    PrintWriter err = line.getErr();
    List<Report.Problem> problems = report.build().problems();
    problems.forEach(problem -> err.println("error: " + problem));
    err.println(
        catalog.resources().size()
            + " resources, "
            + catalog.reachableTypes().size()
            + " types, of "
            + version);
    return problems.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }
}
