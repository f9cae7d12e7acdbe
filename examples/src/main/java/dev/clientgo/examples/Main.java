package dev.clientgo.examples;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.examples.podinformer.PodInformer;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs a lesson by its name, or lists the lessons. */
@Command(
    name = "examples/run",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "LESSON",
    commandListHeading = "%nLessons, each with --help:%n",
    subcommands = PodInformer.class)
public final class Main implements Runnable {

  @Spec private CommandSpec spec;

  private Main() {}

  /** Runs the lesson that the first argument names, and exits with its status. */
  public static void main(String[] args) {
    System.exit(run(args, new PrintWriter(System.out, true), new PrintWriter(System.err, true)));
  }

  /** Runs a lesson and returns its exit status: 0, 1 if it failed, 2 if the arguments are wrong. */
  static int run(String[] args, PrintWriter out, PrintWriter err) {
    return new CommandLine(new Main())
        .setOut(out)
        .setErr(err)
        .registerConverter(java.time.Duration.class, Durations::parse)
        .setExecutionExceptionHandler(
            (error, command, parsed) -> {
              err.println(command.getCommandName() + ": " + describe(error));
              return 1;
            })
        .execute(args);
  }

  /** What goes wrong in a user's world is one line; what goes wrong in ours needs its place. */
  private static String describe(Exception error) {
    if (error instanceof KubernetesException || error instanceof LessonException) {
      return error.getMessage();
    }
    StackTraceElement[] trace = error.getStackTrace();
    return error + (trace.length == 0 ? "" : " at " + trace[0]);
  }

  /** Without a lesson, lists them. */
  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
