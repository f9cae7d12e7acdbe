package dev.clientgo.benchmarks.freshness;

import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Informers that follow config maps and report how far they lag behind: one side of {@link
 * Freshness}, in a separate process. {@code benchmarks/freshness/main.go} is the other one.
 *
 * <p>Arguments: a kubeconfig, and how many informers. It prints {@code synced}, then answers each
 * line of its input with one line:
 *
 * <ul>
 *   <li>{@code reset} with {@code ok}; counting begins
 *   <li>{@code await SEQUENCE} with the time at which all informers had seen that write
 *   <li>{@code figures} with how long the informers were far behind, together, how long they were
 *       counted, together, and how long one of them was behind at most
 * </ul>
 */
final class Follower implements ResourceEventHandler<ConfigMap> {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Lag lag = new Lag();

  private Follower() {}

  /** Runs until the end of the input. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path kubeconfig = Path.of(arguments[0]);
    int count = Integer.parseInt(arguments[1]);
    List<Lag> lags = new ArrayList<>();
    List<SharedIndexInformer<ConfigMap>> informers = new ArrayList<>();
    try (RESTClient client =
        RESTClient.create(KubeConfigLoader.builder().file(kubeconfig).build().load())) {
      ResourceClient<ConfigMap> configMaps =
          client.resource(ConfigMap.TYPE).inNamespace(Writer.NAMESPACE);
      for (int i = 0; i < count; i++) {
        SharedIndexInformer<ConfigMap> informer =
            SharedIndexInformer.builder(ListWatch.of(configMaps::list, configMaps::watch)).build();
        Follower follower = new Follower();
        informer.addEventHandler(follower);
        lags.add(follower.lag);
        informers.add(informer);
        informer.start();
        if (!informer.awaitSynced(PATIENCE)) {
          throw new IllegalStateException("not synced: " + informer.health());
        }
      }
      System.out.println("synced");
      answer(lags);
      informers.forEach(SharedIndexInformer::close);
    }
  }

  private static void answer(List<Lag> lags) throws IOException, InterruptedException {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    long begin = System.currentTimeMillis();
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "reset" -> {
          begin = System.currentTimeMillis();
          for (Lag lag : lags) {
            lag.reset(begin);
          }
          System.out.println("ok");
        }
        case "await" -> {
          long sequence = Long.parseLong(words[1]);
          for (Lag lag : lags) {
            while (lag.sequence() < sequence) {
              Thread.sleep(20);
            }
          }
          System.out.println(System.currentTimeMillis());
        }
        case "figures" ->
            System.out.printf(
                "%d %d %d%n",
                lags.stream().mapToLong(Lag::far).sum(),
                (System.currentTimeMillis() - begin) * lags.size(),
                lags.stream().mapToLong(Lag::longest).max().orElseThrow());
        default -> throw new IOException("not a command: " + line);
      }
    }
  }

  private void see(ConfigMap configMap) {
    Map<String, String> data = configMap.data();
    if (data.get(Writer.SEQUENCE) == null) {
      return;
    }
    lag.see(
        Long.parseLong(data.get(Writer.SEQUENCE)),
        Long.parseLong(data.get(Writer.WRITTEN_AT)),
        System.currentTimeMillis());
  }

  @Override
  public void onAdd(ConfigMap object, boolean isInInitialList) {
    see(object);
  }

  @Override
  public void onUpdate(ConfigMap before, ConfigMap after) {
    see(after);
  }

  @Override
  public void onDelete(DeletedObject<ConfigMap> deleted) {
    throw new IllegalStateException("nothing is deleted here: " + deleted.key());
  }
}
