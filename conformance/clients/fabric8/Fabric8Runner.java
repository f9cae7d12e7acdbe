import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Runs an informer of fabric8's client as the scripts of ../../scripts demand; ../PROTOCOL.md
 * describes it.
 */
final class Fabric8Runner {

  private Fabric8Runner() {}

  public static void main(String[] args) throws Exception {
    Map<String, String> options = new HashMap<>();
    for (int i = 1; i < args.length; i++) {
      String[] option = args[i].split("=");
      options.put(option[0], option.length > 1 ? option[1] : "");
    }
    ConfigBuilder config = new ConfigBuilder(io.fabric8.kubernetes.client.Config.empty());
    config.withMasterUrl(args[0]);
    if (options.containsKey("timeout")) {
      config.withRequestTimeout(1000 * Integer.parseInt(options.get("timeout")));
    }
    if (options.containsKey("idle")) {
      config.withWebsocketPingInterval(1000L * Integer.parseInt(options.get("idle")));
    }
    if (options.containsKey("watch-list")) {
      config.withWatchList(true);
    }
    KubernetesClient client = new KubernetesClientBuilder().withConfig(config.build()).build();
    SharedIndexInformer<ConfigMap> informer =
        client
            .configMaps()
            .inAnyNamespace()
            .runnableInformer(1000L * Integer.parseInt(options.getOrDefault("resync", "0")));
    // The informer retries whatever happens: "Informers", doc/FAQ.md, and the Javadoc of the method.
    informer.exceptionHandler(
        (isStarted, error) -> {
          print(Map.of("report", error.toString()));
          return true;
        });
    if (options.containsKey("handler")) {
      informer.addEventHandler(new BadHandler(options.get("handler")));
    }
    informer.addEventHandler(new Recorder());
    informer
        .stopped()
        .whenComplete((ignored, error) -> print(Map.of("report", "the informer has stopped: " + error)));
    informer.start();
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    while ("store".equals(commands.readLine())) {
      List<Object> store = new ArrayList<>();
      informer.getStore().list().forEach(object -> store.add(describe(object)));
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("store", store);
      if (!informer.isRunning()) {
        answer.put("health", "isRunning() is false");
      } else if (informer.hasSynced() && !informer.isWatching()) {
        answer.put("health", "isWatching() is false");
      }
      print(answer);
    }
    System.exit(0);
  }

  private static void print(Map<String, Object> line) {
    System.out.println(Serialization.asJson(line).replace("\n", ""));
  }

  private static Map<String, Object> describe(ConfigMap object) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("name", object.getMetadata().getName());
    line.put("uid", object.getMetadata().getUid());
    line.put("version", object.getMetadata().getResourceVersion());
    line.put("value", object.getData().get("value"));
    return line;
  }

  private static final class Recorder implements ResourceEventHandler<ConfigMap> {

    @Override
    public void onAdd(ConfigMap object) {
      Map<String, Object> line = describe(object);
      line.put("event", "add");
      print(line);
    }

    @Override
    public void onUpdate(ConfigMap old, ConfigMap object) {
      Map<String, Object> line = describe(object);
      line.put("event", "update");
      line.put("oldVersion", old.getMetadata().getResourceVersion());
      line.put("oldValue", old.getData().get("value"));
      print(line);
    }

    @Override
    public void onDelete(ConfigMap object, boolean finalStateUnknown) {
      Map<String, Object> line = describe(object);
      line.put("event", "delete");
      line.put("finalStateUnknown", finalStateUnknown);
      print(line);
    }
  }

  private record BadHandler(String kind) implements ResourceEventHandler<ConfigMap> {

    @Override
    public void onAdd(ConfigMap object) {
      act();
    }

    @Override
    public void onUpdate(ConfigMap old, ConfigMap object) {
      act();
    }

    @Override
    public void onDelete(ConfigMap object, boolean finalStateUnknown) {
      act();
    }

    private void act() {
      if (kind.equals("throws-error")) {
        throw new AssertionError("the handler of the script throws an Error");
      }
      if (kind.equals("throws")) {
        throw new IllegalStateException("the handler of the script throws");
      }
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
