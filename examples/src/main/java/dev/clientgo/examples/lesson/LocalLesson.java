package dev.clientgo.examples.lesson;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A command that needs no cluster of the user, and ends by itself. Designed for extension: each
 * such lesson is a subclass.
 */
@Command
public abstract class LocalLesson implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // The parser handles the option.
  private boolean help;

  /** The command line parser calls this. */
  protected LocalLesson() {}

  @Override
  public final Integer call() throws Exception {
    run(spec.commandLine().getOut());
    return 0;
  }

  /** Runs the lesson. */
  protected abstract void run(PrintWriter out) throws Exception;
}
