package dev.clientgo.crd.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The command line: {@code generate} and {@code diff}. */
@Command(
    name = "crd-gen",
    mixinStandardHelpOptions = true,
    version = "crd-gen for client-go for Java",
    description = "Makes definitions of custom resources from Java records, and compares them.",
    subcommands = {Generate.class, Diff.class})
public final class CrdGen implements Runnable {

  private static final int HELP_WIDTH = 100;

  @Spec private @Nullable CommandSpec spec;

  CrdGen() {}

  /** Runs the command line and exits with its code, unless that is zero. */
  public static void main(String[] args) {
    // The text is UTF-8 whatever the terminal is: a file is made of it.
    PrintWriter out = new PrintWriter(System.out, false, UTF_8);
    int code = commandLine().setOut(out).execute(args);
    if (code != CommandLine.ExitCode.OK) {
      System.exit(code);
    }
  }

  /** Returns the command line, for tests and other programs. */
  public static CommandLine commandLine() {
    return new CommandLine(new CrdGen())
        .setUsageHelpWidth(HELP_WIDTH)
        .setParameterExceptionHandler(CrdGen::explain)
        .setExecutionExceptionHandler(CrdGen::explain)
        .setExitCodeExceptionMapper(unknown -> CommandLine.ExitCode.USAGE);
  }

  /** Prints the error without the usage text, which would hide it. */
  private static int explain(ParameterException error, String[] args) {
    CommandLine command = error.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println("error: " + error.getMessage());
    command.getErr().println("\"" + name + " --help\" explains the options");
    return CommandLine.ExitCode.USAGE;
  }

  /** Prints an error of the input in one line; other errors keep their stack trace. */
  private static int explain(Exception error, CommandLine command, ParseResult parsed)
      throws Exception {
    boolean isOfInput =
        error instanceof IllegalArgumentException
            || error instanceof KubernetesException
            || error instanceof UncheckedIOException;
    if (!isOfInput) {
      throw error;
    }
    command.getErr().println("error: " + error.getMessage());
    return CommandLine.ExitCode.USAGE;
  }

  @Override
  public void run() {
    CommandLine line = requireNonNull(spec).commandLine();
    line.usage(line.getOut());
  }
}
