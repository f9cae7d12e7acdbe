package dev.clientgo.examples.failures;

import dev.clientgo.envtest.EmbeddedApiServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The lesson of what can go wrong. */
@Command(
    name = "failures",
    description =
        "Makes an embedded API server fail in seven ways, prints what the library reports each"
            + " time, and ends.")
public final class FailuresLesson implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // The parser handles the option.
  private boolean help;

  /** The command line parser calls this. */
  public FailuresLesson() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        DayOfFailures day = new DayOfFailures(server, out)) {
      day.run();
    }
    return 0;
  }
}
