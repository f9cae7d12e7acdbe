package dev.clientgo.examples.guide;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ReflectorStore;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.ResourceClient;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Prints the requests of a reflector, and what it would put into the queue of an informer. */
final class PrintingStore implements ReflectorStore<ConfigMap> {

  private final PrintWriter out;
  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

  PrintingStore(PrintWriter out) {
    this.out = out;
  }

  /** Returns a source that prints each request that the server has accepted. */
  ListWatch<ConfigMap> source(ResourceClient<ConfigMap> maps) {
    return ListWatch.of(
        (options, context, sink) -> {
          var list = maps.list(options, context, sink);
          out.println("LIST  " + describe(options));
          return list;
        },
        (options, context) -> {
          var watch = maps.watch(options, context);
          out.println("WATCH " + describe(options));
          return watch;
        });
  }

  private static String describe(ListOptions options) {
    return "resourceVersion="
        + options.resourceVersion()
        + (Boolean.TRUE.equals(options.sendInitialEvents()) ? " sendInitialEvents=true" : "")
        + (Boolean.TRUE.equals(options.allowWatchBookmarks()) ? " allowWatchBookmarks=true" : "");
  }

  private void called(String call) {
    out.println("  " + call);
    calls.add(call);
  }

  /** Waits for the next call that begins so. */
  void await(String start) throws InterruptedException {
    for (String call = ""; !call.startsWith(start); ) {
      call = calls.poll(30, TimeUnit.SECONDS);
      if (call == null) {
        throw new IllegalStateException("not seen within 30 s: " + start);
      }
    }
  }

  private static String describe(ConfigMap object) {
    return ObjectName.of(object).name() + "@" + object.metadata().resourceVersion();
  }

  @Override
  public void add(ConfigMap object) {
    called("add " + describe(object));
  }

  @Override
  public void update(ConfigMap object) {
    called("update " + describe(object));
  }

  @Override
  public void delete(ConfigMap object) {
    called("delete " + describe(object));
  }

  @Override
  public void deleteByKey(String key) {
    called("delete " + key);
  }

  @Override
  public void replace(List<ConfigMap> objects, String resourceVersion) {
    called(
        "replace "
            + objects.stream().map(PrintingStore::describe).sorted().toList()
            + " at version "
            + resourceVersion);
  }

  @Override
  public void resync() {
    called("resync");
  }

  @Override
  public void bookmark(String resourceVersion) {
    called("bookmark " + resourceVersion);
  }
}
