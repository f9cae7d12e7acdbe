package dev.clientgo.examples.guide;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.Reflector;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;

/** Lesson 4 of the guide: the requests of a Reflector, and what it makes of the answers. */
@Command(
    name = "reflector",
    description =
        "Runs a Reflector through a stream, a cut and an expired version, prints its requests and"
            + " what it puts into its store, and ends. It starts a server of its own.")
public final class ReflectorLesson extends Lesson {

  /** The command line parser calls this. */
  public ReflectorLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws IOException, InterruptedException {
    cluster.requireOwn();
    ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("default");
    maps.create(map("a"));
    maps.create(map("b"));

    PrintingStore store = new PrintingStore(out);
    try (CuttingProxy proxy = CuttingProxy.to(cluster.config().server());
        RESTClient throughProxy =
            RESTClient.create(
                cluster.config().toBuilder().server(proxy.url().toString()).build())) {
      out.println("== It streams the collection, and keeps the stream as its watch");
      Thread thread = start(reflector(throughProxy, store, out));
      store.await("replace");

      out.println("== Events");
      maps.create(map("c"));
      store.await("add c");
      maps.edit("a", old -> old.with(m -> m.data(Map.of("k", "2"))));
      store.await("update a");
      maps.delete("b");
      store.await("delete b");

      if (cluster.embeddedServer().isPresent()) {
        bookmark(cluster.embeddedServer().get(), client, store, out);
      }

      out.println("== The connection breaks");
      proxy.cut();
      maps.create(map("d"));
      store.await("add d");

      if (cluster.embeddedServer().isPresent()) {
        out.println("== The network is down, c is deleted, and the server forgets its versions");
        proxy.refuse();
        maps.delete("c");
        cluster.embeddedServer().get().faults().expireResourceVersions();
        proxy.accept();
        store.await("replace");
      }
      thread.interrupt(); // This is how a reflector ends.
      thread.join();
    }
  }

  private static Reflector<ConfigMap> reflector(
      RESTClient client, PrintingStore store, PrintWriter out) {
    ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("default");
    Backoff backoff = Backoff.builder(Duration.ofMillis(10)).factor(2).steps(5).build();
    return Reflector.builder(store.source(maps), store)
        .options(ReflectorOptions.builder().name("maps").backoff(backoff).build())
        .watchErrorHandler(
            (reflector, error) -> {
              if (!(error instanceof TransportException)) { // How many there are is chance.
                out.println("! " + error.getMessage());
              }
            })
        .build();
  }

  private static Thread start(Reflector<ConfigMap> reflector) {
    Thread thread =
        DaemonThreads.named("reflector")
            .newThread(
                () -> {
                  try {
                    reflector.run();
                  } catch (InterruptedException e) {
                    // The lesson has ended.
                  }
                });
    thread.start();
    return thread;
  }

  /** The version of the server moves by objects of other kinds, too; a bookmark shows it. */
  private static void bookmark(
      EmbeddedApiServer server, RESTClient client, PrintingStore store, PrintWriter out)
      throws InterruptedException {
    out.println("== A bookmark");
    client.resource(Secret.TYPE).inNamespace("default").create(Secret.of("default", "s", s -> {}));
    server
        .awaitWatches(1)
        .get(0)
        .send(new WatchEvent.Bookmark<Unstructured>(server.resourceVersion(), false));
    store.await("bookmark");
  }

  private static ConfigMap map(String name) {
    return ConfigMap.of("default", name, map -> map.data(Map.of("k", "1")));
  }
}
