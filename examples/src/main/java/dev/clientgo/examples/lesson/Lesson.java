package dev.clientgo.examples.lesson;

import dev.clientgo.rest.RESTClient;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command that connects to an API server, by default to an embedded one that it starts, and runs
 * a program there. Designed for extension: each lesson is a subclass.
 */
public abstract class Lesson implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private LessonOptions options;

  /** The command line parser calls this. */
  protected Lesson() {}

  @Override
  public final Integer call() throws Exception {
    try (Cluster cluster = options.connect();
        RESTClient client = RESTClient.create(cluster.config())) {
      run(cluster, client, spec.commandLine().getOut());
    }
    return 0;
  }

  /** Runs the lesson; returns or throws at its end. */
  protected abstract void run(Cluster cluster, RESTClient client, PrintWriter out) throws Exception;

  /** Waits until the time is up that the options set, or until Ctrl-C. */
  protected final void awaitEnd() throws InterruptedException {
    options.awaitEnd();
  }
}
