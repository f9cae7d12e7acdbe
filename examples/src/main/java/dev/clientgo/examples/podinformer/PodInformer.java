package dev.clientgo.examples.podinformer;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.LessonException;
import dev.clientgo.examples.lesson.LessonOptions;
import dev.clientgo.examples.lesson.WorkloadThread;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The first lesson: an informer keeps a local copy of all pods and notifies a handler of each
 * change.
 */
@Command(
    name = "pod-informer",
    description =
        "Follows pods and prints a line for each change. If it starts its own server, it also"
            + " creates, changes and deletes pods there.")
public final class PodInformer implements Callable<Integer> {

  private static final ResourceType<Unstructured> PODS =
      Unstructured.type(new GroupVersionKind("", "v1", "Pod"), "pods", true);

  private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(30);

  @Spec private CommandSpec spec;

  @Mixin private LessonOptions options;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "Follow the pods of one namespace only.")
  private @Nullable String namespace;

  /** The command line parser calls this. */
  public PodInformer() {}

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = options.connect();
        RESTClient client = RESTClient.create(cluster.config())) {
      ResourceClient<Unstructured> pods = client.resource(PODS);
      if (namespace != null) {
        pods = pods.inNamespace(namespace);
      }
      // An informer would retry for ever. One list first reports a wrong address or missing
      // permissions.
      pods.list(ListOptions.builder().limit(1L).build());
      out.println("Following pods of " + cluster);
      follow(pods, cluster.isOwn(), out);
    }
    return 0;
  }

  private void follow(ResourceClient<Unstructured> pods, boolean withWorkload, PrintWriter out)
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

      try (WorkloadThread workload = new WorkloadThread(new Workload(pods), out)) {
        if (withWorkload) {
          workload.start();
        }
        options.awaitEnd();
      } finally { // Also on Ctrl-C.
        out.println(
            printer.summary() + ", " + informer.indexer().listKeys().size() + " in the cache");
      }
    }
  }
}
