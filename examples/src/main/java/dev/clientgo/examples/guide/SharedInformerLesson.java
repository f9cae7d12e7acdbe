package dev.clientgo.examples.guide;

import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.cache.HandlerOptions;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;

/** Lesson 7 of the guide: one informer, several handlers; resync and relist. */
@Command(
    name = "shared-informer",
    description =
        "Runs one informer with a quick, a slow and a late handler, a resync and a relist, prints"
            + " what each handler hears, and ends. It starts a server of its own.")
public final class SharedInformerLesson extends Lesson {

  private static final Duration RESYNC = Duration.ofMinutes(1);

  private final AtomicInteger requests = new AtomicInteger();
  private final FakeClock clock = FakeClock.create();

  /** The command line parser calls this. */
  public SharedInformerLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException {
    cluster.requireOwn();
    ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("default");
    maps.create(ConfigMap.of("default", "a", map -> {}));

    PrintingHandler quick = new PrintingHandler("quick", out);
    PrintingHandler audit = new PrintingHandler("audit", out);
    try (SharedIndexInformer<ConfigMap> informer = informer(maps)) {
      out.println("== Two handlers, one stream");
      informer.addEventHandler(quick, options("quick").resyncPeriod(Duration.ZERO).build());
      informer.addEventHandler(audit, options("audit").build());
      informer.start();
      quick.print(1);
      audit.print(1);
      out.println("requests: " + requests);

      out.println("== audit is slow");
      audit.hold();
      change(maps, "2");
      change(maps, "3");
      maps.create(ConfigMap.of("default", "b", map -> {}));
      quick.print(3);
      audit.awaitHeld();
      informer.health().handlers().forEach(out::println);
      out.println(
          "the cache has "
              + PrintingHandler.describe(informer.lister().inNamespace("default").get("a")));
      audit.release();
      audit.print(3);

      out.println("== A handler comes late");
      PrintingHandler late = new PrintingHandler("late", out);
      informer.addEventHandler(late, options("late").build());
      late.print(2);
      out.println("requests: " + requests);

      out.println("== A minute later: resync");
      clock.advance(RESYNC);
      audit.print(2);
      late.print(2);
      quick.printNothing();
      out.println("requests: " + requests);

      if (cluster.embeddedServer().isPresent()) {
        out.println("== The server is away, b is deleted, versions expire: relist");
        missDeletion(cluster.embeddedServer().get());
        while (!quick.printSoon()) {
          clock.advance(Duration.ofMillis(100)); // The reflector pauses before it tries again.
        }
        audit.print(2);
        late.print(2);
        quick.printNothing();
        out.println("requests: " + requests);
      }
    }
  }

  private SharedIndexInformer<ConfigMap> informer(ResourceClient<ConfigMap> maps) {
    ListWatch<ConfigMap> counting =
        ListWatch.of(
            (options, context, sink) -> {
              var list = maps.list(options, context, sink);
              requests.incrementAndGet();
              return list;
            },
            (options, context) -> {
              var watch = maps.watch(options, context);
              requests.incrementAndGet();
              return watch;
            });
    Backoff backoff = Backoff.builder(Duration.ofMillis(10)).factor(2).steps(5).build();
    return SharedIndexInformer.builder(counting)
        .type(ConfigMap.TYPE)
        .options(ReflectorOptions.builder().name("maps").clock(clock).backoff(backoff).build())
        .watchErrorHandler((reflector, error) -> {})
        .resyncPeriod(RESYNC)
        .build();
  }

  private static HandlerOptions.Builder options(String name) {
    return HandlerOptions.builder().name(name);
  }

  private static void change(ResourceClient<ConfigMap> maps, String value)
      throws InterruptedException {
    maps.edit("a", map -> map.with(m -> m.data(Map.of("k", value))));
  }

  private static void missDeletion(EmbeddedApiServer server) {
    server.stop();
    server.objects(ConfigMap.TYPE.resource()).delete("default", "b");
    server.faults().expireResourceVersions();
    server.restart();
  }
}
