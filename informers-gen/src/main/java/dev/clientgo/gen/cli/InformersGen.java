package dev.clientgo.gen.cli;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.clock.Clock;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
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
    subcommands = Distill.class)
public final class InformersGen implements Runnable {

  private static final int HELP_WIDTH = 100;

  @Spec private @Nullable CommandSpec spec;

  InformersGen() {}

  /** Runs the command line and exits with its code, unless that is zero. */
  public static void main(String[] args) {
    int code = commandLine().execute(args);
    if (code != CommandLine.ExitCode.OK) {
      System.exit(code);
    }
  }

  public static CommandLine commandLine() {
    return commandLine(System.in, Clock.system());
  }

  public static CommandLine commandLine(InputStream in, Clock clock) {
    CommandLine line = new CommandLine(new InformersGen());
    line.addSubcommand(new Generate(in, clock));
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(HELP_WIDTH)
        .setParameterExceptionHandler(InformersGen::explain)
        .setExecutionExceptionHandler(InformersGen::explain);
  }

  /** Prints the error without the usage text, which would hide it. */
  private static int explain(ParameterException error, String[] args) {
    CommandLine command = error.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println("error: " + error.getMessage());
    command.getErr().println("\"" + name + " --help\" explains the options");
    return CommandLine.ExitCode.USAGE;
  }

  /** Prints an error of the user's environment in one line; other errors keep their stack trace. */
  private static int explain(Exception error, CommandLine command, ParseResult parsed)
      throws Exception {
    if (!(error instanceof KubernetesException || error instanceof UncheckedIOException)) {
      throw error;
    }
    command.getErr().println("error: " + error.getMessage());
    return CommandLine.ExitCode.SOFTWARE;
  }

  @Override
  public void run() {
    CommandLine line = requireNonNull(spec).commandLine();
    line.usage(line.getOut());
  }
}
