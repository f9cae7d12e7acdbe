package dev.clientgo.examples.failures;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.examples.lesson.LocalLesson;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** The lesson of what can go wrong. */
@Command(
    name = "failures",
    description =
        "Makes an embedded API server fail in seven ways, prints what the library reports each"
            + " time, and ends.")
public final class FailuresLesson extends LocalLesson {

  /** The command line parser calls this. */
  public FailuresLesson() {}

  @Override
  protected void run(PrintWriter out) throws IOException, InterruptedException {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        DayOfFailures day = new DayOfFailures(server, out)) {
      day.run();
    }
  }
}
