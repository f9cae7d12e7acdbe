package dev.clientgo.benchmarks.others.migration;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.api.reconciler.dependent.DependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.workflow.Condition;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.rate.RateLimited;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The operator before its migration, for docs/from-java-operator-sdk.md. No test runs it. */
@Workflow(
    dependents = {
      @Dependent(
          name = "servers",
          type = WebAppReconciler.Servers.class,
          readyPostcondition = WebAppReconciler.AllReady.class),
      @Dependent(type = WebAppReconciler.Address.class, dependsOn = "servers")
    })
@ControllerConfiguration(
    name = "webapp",
    finalizerName = "web.example.com/registry",
    generationAwareEventProcessing = true, // The default.
    maxReconciliationInterval = @MaxReconciliationInterval(interval = 1, timeUnit = TimeUnit.HOURS))
@GradualRetry(
    maxAttempts = 5,
    initialInterval = 1000,
    intervalMultiplier = 2,
    maxInterval = 60_000)
@RateLimited(maxReconciliations = 1, within = 2)
public final class WebAppReconciler implements Reconciler<WebAppReconciler.WebApp>, Cleaner<WebAppReconciler.WebApp> {

  static final String APP = "web.example.com/app"; // The label of settings.

  private final Registry registry;

  WebAppReconciler(Registry registry) {
    this.registry = registry;
  }

  @Override
  public List<EventSource<?, WebApp>> prepareEventSources(EventSourceContext<WebApp> context) {
    var settings =
        InformerEventSourceConfiguration.from(ConfigMap.class, WebApp.class)
            .withLabelSelector(APP)
            .withSecondaryToPrimaryMapper(WebAppReconciler::appOf)
            .build();
    return List.of(new InformerEventSource<>(settings, context));
  }

  private static Set<ResourceID> appOf(ConfigMap settings) {
    var meta = settings.getMetadata();
    return Set.of(new ResourceID(meta.getLabels().get(APP), meta.getNamespace()));
  }

  /** Runs after the dependents. */
  @Override
  public UpdateControl<WebApp> reconcile(WebApp app, Context<WebApp> context) throws IOException {
    if (app.getSpec().image.isBlank()) {
      throw new IllegalArgumentException("the image is blank");
    }
    registry.put(app.getMetadata().getName());
    var workflow = context.managedWorkflowAndDependentResourceContext().getWorkflowReconcileResult();
    boolean ready = workflow.orElseThrow().allDependentResourcesReady();
    return UpdateControl.patchStatus(withStatus(app, ready, ready ? null : "not ready"))
        .rescheduleAfter(Duration.ofMinutes(5)); // The registry forgets.
  }

  @Override
  public ErrorStatusUpdateControl<WebApp> updateErrorStatus(
      WebApp app, Context<WebApp> context, Exception e) {
    var status = ErrorStatusUpdateControl.patchStatus(withStatus(app, false, e.getMessage()));
    return e instanceof IllegalArgumentException ? status.withNoRetry() : status;
  }

  @Override
  public DeleteControl cleanup(WebApp app, Context<WebApp> context) throws IOException {
    registry.delete(app.getMetadata().getName());
    return DeleteControl.defaultDelete();
  }

  private static WebApp withStatus(WebApp app, boolean ready, String message) {
    var patch = new WebApp(); // Server-side apply: only the fields that are ours.
    patch.setMetadata(meta(app));
    patch.setStatus(new WebAppStatus());
    patch.getStatus().ready = ready;
    patch.getStatus().message = message;
    return patch;
  }

  private static ObjectMeta meta(WebApp app) {
    return new ObjectMetaBuilder()
        .withNamespace(app.getMetadata().getNamespace())
        .withName(app.getMetadata().getName())
        .build();
  }

  private static Map<String, String> labels(WebApp app) {
    return Map.of("app", app.getMetadata().getName());
  }

  public static final class Servers extends CRUDKubernetesDependentResource<Deployment, WebApp> {
    @Override
    protected Deployment desired(WebApp app, Context<WebApp> context) {
      var settings = context.getSecondaryResource(ConfigMap.class);
      return new DeploymentBuilder()
          .withMetadata(meta(app))
          .withNewSpec()
          .withReplicas(app.getSpec().replicas)
          .withNewSelector()
          .withMatchLabels(labels(app))
          .endSelector()
          .withNewTemplate()
          .withNewMetadata()
          .withLabels(labels(app))
          .addToAnnotations(APP, settings.map(s -> s.getMetadata().getResourceVersion()).orElse(""))
          .endMetadata()
          .withNewSpec()
          .addNewContainer()
          .withName("web")
          .withImage(app.getSpec().image)
          .endContainer()
          .endSpec()
          .endTemplate()
          .endSpec()
          .build();
    }
  }

  public static final class AllReady implements Condition<Deployment, WebApp> {
    @Override
    public boolean isMet(
        DependentResource<Deployment, WebApp> servers, WebApp app, Context<WebApp> context) {
      return servers.getSecondaryResource(app, context).filter(Readiness::isDeploymentReady).isPresent();
    }
  }

  public static final class Address extends CRUDKubernetesDependentResource<Service, WebApp> {
    @Override
    protected Service desired(WebApp app, Context<WebApp> context) {
      return new ServiceBuilder()
          .withMetadata(meta(app))
          .withNewSpec()
          .withSelector(labels(app))
          .addNewPort()
          .withPort(80)
          .withTargetPort(new IntOrString(8080))
          .endPort()
          .endSpec()
          .build();
    }
  }

  static void run(Registry registry) {
    var lease =
        LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration("webapp")
            .withLeaseNamespace("default")
            .build();
    var operator = new Operator(options -> options.withLeaderElectionConfiguration(lease));
    operator.register(new WebAppReconciler(registry));
    operator.installShutdownHook(Duration.ofSeconds(30)); // Not with leader election, in 5.2.
    operator.start();
  }

  interface Registry {
    void put(String name) throws IOException;

    void delete(String name) throws IOException;
  }

  @Group("web.example.com")
  @Version("v1")
  public static final class WebApp extends CustomResource<WebAppSpec, WebAppStatus>
      implements Namespaced {}

  public static final class WebAppSpec {
    public String image;
    public int replicas;
  }

  public static final class WebAppStatus {
    public Boolean ready;
    public String message;
  }
}
