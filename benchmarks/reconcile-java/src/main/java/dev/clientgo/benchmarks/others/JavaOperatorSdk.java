package dev.clientgo.benchmarks.others;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.util.List;

/** The controller on the Java Operator SDK. */
@ControllerConfiguration(generationAwareEventProcessing = false, informer = @Informer)
public final class JavaOperatorSdk implements Reconciler<ConfigMap>, Bench.Side {

  private final Bench bench;
  private final KubernetesClient client;
  private final SimpleInboundEventSource<ConfigMap> again = new SimpleInboundEventSource<>();
  private EventSourceContext<ConfigMap> sources;

  private JavaOperatorSdk(Bench bench) {
    this.bench = bench;
    Config config = Config.empty();
    config.setMasterUrl(bench.url);
    config.setNamespace(null);
    config.setOnlyHttpWatches(true); // The server of the benchmark has no WebSocket.
    client = new KubernetesClientBuilder().withConfig(config).build();
  }

  /** Runs it once and prints one line. */
  public static void main(String[] arguments) throws Exception {
    Bench bench = new Bench(arguments);
    bench.run(new JavaOperatorSdk(bench));
  }

  @Override
  public void start() {
    Operator operator =
        new Operator(
            settings ->
                settings
                    .withKubernetesClient(client)
                    .checkingCRDAndValidateLocalModel(false)
                    .withConcurrentReconciliationThreads(bench.workers));
    operator.register(this, settings -> settings.watchingAllNamespaces());
    operator.start();
  }

  @Override
  public List<EventSource<?, ConfigMap>> prepareEventSources(EventSourceContext<ConfigMap> context) {
    sources = context;
    return List.of(again);
  }

  @Override
  public UpdateControl<ConfigMap> reconcile(ConfigMap configMap, Context<ConfigMap> context) {
    var metadata = configMap.getMetadata();
    if (bench.reconciles(metadata.getAnnotations(), metadata.getResourceVersion())) {
      ConfigMap applied =
          new ConfigMapBuilder()
              .withNewMetadata()
              .withNamespace(metadata.getNamespace())
              .withName(metadata.getName())
              .addToAnnotations("bench/ts", "1")
              .endMetadata()
              .build();
      return UpdateControl.patchResource(applied);
    }
    return UpdateControl.noUpdate();
  }

  @Override
  public void reconcileAgain() {
    sources.getPrimaryCache().list().map(ResourceID::fromResource).toList().forEach(again::propagateEvent);
  }
}
