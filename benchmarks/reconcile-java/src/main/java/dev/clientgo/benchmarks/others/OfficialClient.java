package dev.clientgo.benchmarks.others;

import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.extended.controller.Controller;
import io.kubernetes.client.extended.controller.builder.ControllerBuilder;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.kubernetes.client.extended.workqueue.DefaultRateLimitingQueue;
import io.kubernetes.client.extended.workqueue.RateLimitingQueue;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.util.concurrent.Executors;

/** The controller on the official client, {@code io.kubernetes:client-java-extended}. */
public final class OfficialClient implements Bench.Side {

  private static final V1Patch PATCH = new V1Patch(Bench.PATCH);

  private final Bench bench;
  private final RateLimitingQueue<Request> queue =
      new DefaultRateLimitingQueue<>(Executors.newScheduledThreadPool(1));
  private SharedIndexInformer<V1ConfigMap> informer;

  private OfficialClient(Bench bench) {
    this.bench = bench;
  }

  /** Runs it once and prints one line. */
  public static void main(String[] arguments) throws Exception {
    Bench bench = new Bench(arguments);
    bench.run(new OfficialClient(bench));
  }

  @Override
  public void start() {
    ApiClient client = new ClientBuilder().setBasePath(bench.url).build();
    client.setReadTimeout(0);
    GenericKubernetesApi<V1ConfigMap, V1ConfigMapList> configMaps =
        new GenericKubernetesApi<>(
            V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
    SharedInformerFactory factory = new SharedInformerFactory(client);
    informer = factory.sharedIndexInformerFor(configMaps, V1ConfigMap.class, 0);
    Lister<V1ConfigMap> lister = new Lister<>(informer.getIndexer());
    Controller controller =
        ControllerBuilder.defaultBuilder(factory)
            .withWorkQueue(queue) // First: a watch takes the queue that is set.
            .watch(events -> ControllerBuilder.controllerWatchBuilder(V1ConfigMap.class, events).build())
            .withWorkerCount(bench.workers)
            .withReadyFunc(informer::hasSynced)
            .withReconciler(
                request -> {
                  V1ConfigMap configMap = lister.namespace(request.getNamespace()).get(request.getName());
                  if (configMap != null
                      && bench.reconciles(
                          configMap.getMetadata().getAnnotations(),
                          configMap.getMetadata().getResourceVersion())) {
                    boolean written =
                        configMaps
                            .patch(
                                request.getNamespace(),
                                request.getName(),
                                V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH,
                                PATCH)
                            .isSuccess();
                    return new Result(!written);
                  }
                  return new Result(false);
                })
            .build();
    factory.startAllRegisteredInformers();
    Thread thread = new Thread(controller, "controller");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void reconcileAgain() {
    for (V1ConfigMap each : informer.getIndexer().list()) {
      queue.add(new Request(each.getMetadata().getNamespace(), each.getMetadata().getName()));
    }
  }
}
