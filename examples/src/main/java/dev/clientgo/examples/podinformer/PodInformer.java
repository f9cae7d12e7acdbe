package dev.clientgo.examples.podinformer;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.examples.lesson.LessonException;
import dev.clientgo.examples.lesson.WorkloadThread;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The first lesson: an informer keeps a local copy of all pods and notifies a handler of each
 * change.
 */
@Command(
    name = "pod-informer",
    description =
        "Follows pods and prints a line for each change. If it starts its own server, it also"
            + " creates, changes and deletes pods there.")
public final class PodInformer extends Lesson {

  private static final ResourceType<Unstructured> PODS =
      Unstructured.type(new GroupVersionKind("", "v1", "Pod"), "pods", true);

  private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(30);

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "Follow the pods of one namespace only.")
  private @Nullable String namespace;

  /** The command line parser calls this. */
  public PodInformer() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException {
    ResourceClient<Unstructured> pods = client.resource(PODS);
    if (namespace != null) {
      pods = pods.inNamespace(namespace);
    }
    // An informer would retry without limit. One list first reports a wrong address or missing
    // permissions.
    pods.list(ListOptions.builder().limit(1).build());
    out.println("Following pods of " + cluster);
    follow(pods, cluster, out);
  }

  private void follow(ResourceClient<Unstructured> pods, Cluster cluster, PrintWriter out)
      throws InterruptedException {
    try (SharedIndexInformer<Unstructured> informer =
        SharedIndexInformer.builder(ListWatch.of(pods::list, pods::watch))
            .name("pods")
            .watchErrorHandler((reflector, error) -> out.println("! " + error.getMessage()))
            .build()) {
      PodPrinter printer = new PodPrinter(out);
      informer.addEventHandler(printer);
      informer.start();
      if (!informer.awaitSynced(SYNC_TIMEOUT)) {
        throw new LessonException(
            "no list of pods within " + SYNC_TIMEOUT.toSeconds() + " s: " + informer.health());
      }

      try (WorkloadThread workload =
          new WorkloadThread(new Workload(pods, cluster.runsPods()), out)) {
        if (cluster.isOwn()) {
          workload.start();
        }
        awaitEnd();
      } finally { // Also on Ctrl-C.
        out.println(
            printer.summary() + ", " + informer.indexer().listKeys().size() + " in the cache");
      }
    }
  }
}
