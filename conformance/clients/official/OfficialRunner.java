import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.ClientBuilder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Runs an informer of the official Java client as the scripts of ../../scripts demand;
 * ../PROTOCOL.md describes it. The informer is made as in the client's InformerExample.
 */
final class OfficialRunner {

  private OfficialRunner() {}

  public static void main(String[] args) throws Exception {
    Map<String, String> options = new HashMap<>();
    for (int i = 1; i < args.length; i++) {
      String[] option = args[i].split("=");
      options.put(option[0], option.length > 1 ? option[1] : "");
    }
    // Informers need a client without read timeout, which this is; so "timeout" and "idle" cannot be set.
    ApiClient client = new ClientBuilder().setBasePath(args[0]).build();
    CoreV1Api api = new CoreV1Api(client);
    SharedInformerFactory factory = new SharedInformerFactory(client);
    SharedIndexInformer<V1ConfigMap> informer =
        factory.sharedIndexInformerFor(
            (CallGeneratorParams params) ->
                api.listConfigMapForAllNamespaces()
                    .resourceVersion(params.resourceVersion)
                    .timeoutSeconds(params.timeoutSeconds)
                    .watch(params.watch)
                    .buildCall(null),
            V1ConfigMap.class,
            V1ConfigMapList.class,
            1000L * Integer.parseInt(options.getOrDefault("resync", "0")),
            (type, error) -> print(Map.of("report", error.toString())));
    if (options.containsKey("handler")) {
      informer.addEventHandler(new BadHandler(options.get("handler")));
    }
    informer.addEventHandler(new Recorder());
    factory.startAllRegisteredInformers();
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    while ("store".equals(commands.readLine())) {
      List<Object> store = new ArrayList<>();
      informer.getIndexer().list().forEach(object -> store.add(describe(object)));
      print(Map.of("store", store));
    }
    System.exit(0);
  }

  private static void print(Map<String, Object> line) {
    System.out.println(JSON.getGson().toJson(line));
  }

  private static Map<String, Object> describe(V1ConfigMap object) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("name", object.getMetadata().getName());
    line.put("uid", object.getMetadata().getUid());
    line.put("version", object.getMetadata().getResourceVersion());
    line.put("value", object.getData().get("value"));
    return line;
  }

  private static final class Recorder implements ResourceEventHandler<V1ConfigMap> {

    @Override
    public void onAdd(V1ConfigMap object) {
      Map<String, Object> line = describe(object);
      line.put("event", "add");
      print(line);
    }

    @Override
    public void onUpdate(V1ConfigMap old, V1ConfigMap object) {
      Map<String, Object> line = describe(object);
      line.put("event", "update");
      line.put("oldVersion", old.getMetadata().getResourceVersion());
      line.put("oldValue", old.getData().get("value"));
      print(line);
    }

    @Override
    public void onDelete(V1ConfigMap object, boolean finalStateUnknown) {
      Map<String, Object> line = describe(object);
      line.put("event", "delete");
      line.put("finalStateUnknown", finalStateUnknown);
      print(line);
    }
  }

  private record BadHandler(String kind) implements ResourceEventHandler<V1ConfigMap> {

    @Override
    public void onAdd(V1ConfigMap object) {
      act();
    }

    @Override
    public void onUpdate(V1ConfigMap old, V1ConfigMap object) {
      act();
    }

    @Override
    public void onDelete(V1ConfigMap object, boolean finalStateUnknown) {
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
