package dev.clientgo.examples.liveview;

import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.examples.lesson.LessonException;
import dev.clientgo.examples.lesson.WorkloadThread;
import dev.clientgo.liveview.LiveView;
import dev.clientgo.rest.RESTClient;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The lesson of a page that shows an informer at work. */
@Command(
    name = "live-view",
    description =
        "Serves a page that shows an informer of pods, its queue, store, handlers and work queue."
            + " There one can pause each stage, cause events, and play scenes that explain. With"
            + " --kubeconfig or --context, it shows the pods of that cluster and changes nothing"
            + " there.")
public final class LiveViewLesson extends Lesson {

  private static final int MAX_RATE = 10_000;

  @Option(names = "--port", description = "The port of the page; by default a free one.")
  private int port;

  @Option(
      names = {"-n", "--namespace"},
      description = "Show only the pods of this namespace.")
  private @Nullable String namespace;

  @Option(
      names = "--rate",
      paramLabel = "NUMBER",
      description = "Change this many pods a second, to see the page under load.")
  private int rate;

  @Option(
      names = "--incident",
      paramLabel = "FILE",
      description = "Open a recording of a controller at the page \"incident\".")
  private @Nullable Path incident;

  /** The command line parser calls this. */
  public LiveViewLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException {
    if (rate > 0) {
      cluster.requireOwn();
    }
    if (namespace != null && cluster.isOwn()) {
      throw new LessonException("--namespace goes with --kubeconfig or --context");
    }
    try (PodPipeline pipeline = new PodPipeline(cluster, client, namespace)) {
      LiveView.Builder builder = LiveView.builder().port(port).allowControl();
      if (incident != null) {
        builder.incident(incident);
      }
      pipeline.addTo(builder);
      new Scenes(pipeline).addTo(builder);
      try (LiveView view = builder.start()) {
        pipeline.show(view);
        out.println("The live view: " + view.url());
        out.println("It shows the pods of " + cluster);
        if (incident != null) {
          out.println("The incident: " + view.url() + "incident");
        }
        try (WorkloadThread changes =
            new WorkloadThread(() -> pipeline.change(Math.min(rate, MAX_RATE)), out)) {
          if (rate > 0) {
            changes.start();
          }
          awaitEnd();
        }
      }
    }
  }
}
