package dev.clientgo.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.examples.customresource.CustomResourceLesson;
import dev.clientgo.examples.failures.FailuresLesson;
import dev.clientgo.examples.foocontroller.ControllerLesson;
import dev.clientgo.examples.foocontroller.FooLesson;
import dev.clientgo.examples.guide.ClientsLesson;
import dev.clientgo.examples.guide.DeltaQueuesLesson;
import dev.clientgo.examples.guide.FactoryLesson;
import dev.clientgo.examples.guide.IndexerLesson;
import dev.clientgo.examples.guide.KindsLesson;
import dev.clientgo.examples.guide.LeaderElectionLesson;
import dev.clientgo.examples.guide.RawApiLesson;
import dev.clientgo.examples.guide.ReflectorLesson;
import dev.clientgo.examples.guide.RestMapperLesson;
import dev.clientgo.examples.guide.SharedInformerLesson;
import dev.clientgo.examples.guide.SimulationLesson;
import dev.clientgo.examples.guide.WorkQueueLesson;
import dev.clientgo.examples.lesson.Durations;
import dev.clientgo.examples.lesson.LessonException;
import dev.clientgo.examples.liveview.LiveViewLesson;
import dev.clientgo.examples.minikubectl.MiniKubectlLesson;
import dev.clientgo.examples.namespaces.NamespacesLesson;
import dev.clientgo.examples.podcopy.PodCopyLesson;
import dev.clientgo.examples.podforward.PodForwardLesson;
import dev.clientgo.examples.podinformer.PodInformer;
import dev.clientgo.examples.podlogs.PodLogsLesson;
import dev.clientgo.examples.podservice.PodServiceLesson;
import dev.clientgo.examples.podservice.WebServiceLesson;
import dev.clientgo.examples.podshell.PodShellLesson;
import dev.clientgo.examples.shards.ShardsLesson;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs a lesson by its name, or lists the lessons. */
@Command(
    name = "examples/run",
    synopsisSubcommandLabel = "LESSON",
    commandListHeading = "%nLessons, each with --help:%n",
    subcommands = {
      PodInformer.class,
      NamespacesLesson.class,
      FooLesson.class,
      ShardsLesson.class,
      CustomResourceLesson.class,
      PodServiceLesson.class,
      MiniKubectlLesson.class,
      PodShellLesson.class,
      PodLogsLesson.class,
      PodForwardLesson.class,
      PodCopyLesson.class,
      FailuresLesson.class,
      LiveViewLesson.class,
      FactoryLesson.class,
      RawApiLesson.class,
      KindsLesson.class,
      RestMapperLesson.class,
      ReflectorLesson.class,
      DeltaQueuesLesson.class,
      IndexerLesson.class,
      SharedInformerLesson.class,
      WorkQueueLesson.class,
      ClientsLesson.class,
      ControllerLesson.class,
      LeaderElectionLesson.class,
      SimulationLesson.class,
      WebServiceLesson.class
    })
public final class Main implements Runnable {

  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // The parser handles the option.
  private boolean help;

  private Main() {}

  /** Runs the lesson that the first argument names, and exits with its status. */
  public static void main(String[] args) {
    Thread hook = new Thread(interruptOnShutdown(Thread.currentThread()), "shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
    int status = run(args, printer(System.out), printer(System.err));
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // On Ctrl-C, the JVM is exiting already.
    }
    System.exit(status);
  }

  private static PrintWriter printer(PrintStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, UTF_8), true);
  }

  /** Ctrl-C interrupts the lesson; the JVM ends after the lesson has closed its resources. */
  private static Runnable interruptOnShutdown(Thread lesson) {
    return () -> {
      lesson.interrupt();
      try {
        lesson.join(SHUTDOWN_TIMEOUT.toMillis());
        if (lesson.isAlive()) {
          System.err.println(
              "The lesson has not ended within "
                  + SHUTDOWN_TIMEOUT.toSeconds()
                  + " s; it is cut off.");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }

  /**
   * Runs a lesson and returns its exit status: 0; 1 if it failed; 2 if the arguments are invalid.
   */
  static int run(String[] args, PrintWriter out, PrintWriter err) {
    return new CommandLine(new Main())
        .setOut(out)
        .setErr(err)
        .registerConverter(Duration.class, Durations::parse)
        .setParameterExceptionHandler(Main::refuse)
        .setExecutionExceptionHandler(
            (error, command, parsed) -> {
              if (!(error instanceof InterruptedException)) {
                err.println(command.getCommandName() + ": " + describe(error));
              }
              return 1;
            })
        .execute(args);
  }

  /** Returns the names of the lessons. */
  static Set<String> lessons() {
    return new CommandLine(new Main()).getSubcommands().keySet();
  }

  /** Prints what is wrong with the arguments, and what there is. */
  private static int refuse(ParameterException error, String[] args) {
    CommandLine command = error.getCommandLine();
    boolean isUnknownLesson =
        command.getParent() == null && error instanceof UnmatchedArgumentException;
    command
        .getErr()
        .println(
            isUnknownLesson
                ? "there is no lesson \"" + args[0] + "\"; the lessons are below"
                : error.getMessage());
    command.usage(command.getErr());
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  /** An error that the user can fix is one line; any other error also shows where it occurred. */
  private static String describe(Exception error) {
    if (error instanceof KubernetesException || error instanceof LessonException) {
      return String.valueOf(error.getMessage());
    }
    StackTraceElement[] trace = error.getStackTrace();
    return error + (trace.length == 0 ? "" : " at " + trace[0]);
  }

  /** Lists the lessons if no lesson is named. */
  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
