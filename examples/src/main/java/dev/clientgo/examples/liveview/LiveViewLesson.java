package dev.clientgo.examples.liveview;

import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.examples.lesson.WorkloadThread;
import dev.clientgo.liveview.LiveView;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The lesson of a page that shows an informer at work. */
@Command(
    name = "live-view",
    description =
        "Serves a page that shows an informer, its queue, store, handlers and work queue on an"
            + " embedded server. There one can pause each stage, cause events, and play scenes that"
            + " explain.")
public final class LiveViewLesson implements Callable<Integer> {

  private static final int MAX_RATE = 10_000;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // The parser handles the option.
  private boolean help;

  @Option(names = "--port", description = "The port of the page; by default a free one.")
  private int port;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "End after this time, such as 10s or 1m30s; without it, on Ctrl-C.")
  private @Nullable Duration time;

  @Option(
      names = "--rate",
      paramLabel = "NUMBER",
      description = "Change this many pods a second, to see the page under load.")
  private int rate;

  /** The command line parser calls this. */
  public LiveViewLesson() {}

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        PodPipeline pipeline = new PodPipeline(server)) {
      LiveView.Builder builder = LiveView.builder().port(port).allowControl();
      pipeline.addActions(builder);
      new Scenes(pipeline).addTo(builder);
      try (LiveView view = builder.start()) {
        pipeline.show(view);
        out.println("The live view: " + view.url());
        try (WorkloadThread changes =
            new WorkloadThread(() -> pipeline.change(Math.min(rate, MAX_RATE)), out)) {
          if (rate > 0) {
            changes.start();
          }
          awaitEnd();
        }
      }
    }
    return 0;
  }

  private void awaitEnd() throws InterruptedException {
    if (time != null) {
      Clock.system().sleep(time);
    } else {
      Thread.currentThread().join(); // A thread that joins itself waits until it is interrupted.
    }
  }
}
