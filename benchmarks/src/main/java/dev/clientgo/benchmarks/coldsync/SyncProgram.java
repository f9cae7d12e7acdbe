package dev.clientgo.benchmarks.coldsync;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.ResourceEventHandlerRegistration;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Starts informers, one after the other, and reports when each is synced; {@link ColdSync} measures
 * it from outside. {@code benchmarks/coldsync} is its counterpart on client-go.
 *
 * <p>Arguments: a kubeconfig or a URL, the encoding, {@code pods} or {@code configmaps}, and how
 * many there are at least. Starts the first informer at once. When the handler of an informer has
 * had all objects, prints {@code synced}. After each of these lines it waits for a line. Then it
 * stops the informer, collects the garbage, prints {@code ready}, and waits for a line before it
 * starts the next.
 */
public final class SyncProgram {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private SyncProgram() {}

  /** Runs until its input ends. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int count = Integer.parseInt(arguments[3]);
    try (RESTClient client = RESTClient.create(config(arguments[0], arguments[1]))) {
      do {
        if (arguments[2].equals("pods")) {
          sync(client, Pod.TYPE, count);
        } else {
          sync(client, ConfigMap.TYPE, count);
        }
        System.gc();
        System.out.println("ready");
      } while (System.in.read() >= 0);
    }
  }

  private static RestConfig config(String server, String contentType) {
    RestConfig config =
        server.startsWith("http:")
            ? RestConfig.builder(server).build()
            : KubeConfigLoader.builder().file(Path.of(server)).build().load();
    return config.toBuilder().contentType(contentType).build();
  }

  private static <T extends KubernetesObject> void sync(
      RESTClient client, ResourceType<T> type, int expected)
      throws IOException, InterruptedException {
    ResourceClient<T> resource = client.resource(type);
    Counter<T> counter = new Counter<>();
    try (SharedIndexInformer<T> informer =
        SharedIndexInformer.builder(ListWatch.of(resource::list, resource::watch)).build()) {
      ResourceEventHandlerRegistration registration = informer.addEventHandler(counter);
      informer.start();
      if (!registration.hasSyncedChecker().await(PATIENCE) || counter.adds < expected) {
        throw new IllegalStateException(counter.adds + " objects; " + informer.health());
      }
      System.out.println("synced");
      System.in.read();
    }
  }

  private static final class Counter<T> implements ResourceEventHandler<T> {

    private volatile int adds;

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public void onAdd(T object, boolean isInInitialList) {
      adds++;
    }
  }
}
