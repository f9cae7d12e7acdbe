package dev.clientgo.benchmarks.others;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNullElse;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The operator of examples/website-operator on the Java Operator SDK, for
 * dev.clientgo.benchmarks.operators.Operators: the same children, registry, finalizer, status and
 * events.
 */
@Workflow(
    dependents = {
      @Dependent(type = WebsiteOperator.Pages.class),
      @Dependent(type = WebsiteOperator.Address.class),
      @Dependent(type = WebsiteOperator.Servers.class)
    })
@ControllerConfiguration(name = WebsiteOperator.NAME, finalizerName = "web.example.com/registry")
public final class WebsiteOperator
    implements Reconciler<WebsiteOperator.Website>, Cleaner<WebsiteOperator.Website> {

  static final String NAME = "website-operator";

  private static final String NAMESPACE = "website-system";
  private static final String REGISTRY = "websites";
  private static final String MANAGED_BY = "app.kubernetes.io/managed-by";

  /** Runs until SIGTERM. */
  public static void main(String[] arguments) {
    var lease =
        LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(NAME)
            .withLeaseNamespace(NAMESPACE)
            .build();
    var operator =
        new Operator(
            options ->
                options
                    .withLeaderElectionConfiguration(lease)
                    .withConcurrentReconciliationThreads(4));
    operator.register(new WebsiteOperator());
    operator.start();
  }

  /** Runs after the dependents. */
  @Override
  public UpdateControl<Website> reconcile(Website site, Context<Website> context) {
    register(site, context);
    var status = status(site, context.getSecondaryResource(Deployment.class).orElseThrow());
    if (status.equals(site.getStatus())) {
      return UpdateControl.noUpdate();
    }
    var patch = new Website(); // Server-side apply: only the fields that are ours.
    patch.setMetadata(place(site).build());
    patch.setStatus(status);
    return UpdateControl.patchStatus(patch);
  }

  /** Adds the site to the registry; one key needs no lock, so a merge patch has no conflicts. */
  private static void register(Website site, Context<Website> context) {
    var maps =
        (InformerEventSource<ConfigMap, Website>)
            context.eventSourceRetriever().getEventSourceFor(ConfigMap.class);
    var list = maps.get(new ResourceID(REGISTRY, NAMESPACE));
    if (list.isEmpty()) {
      var created =
          new ConfigMapBuilder()
              .withNewMetadata()
              .withNamespace(NAMESPACE)
              .withName(REGISTRY)
              .addToLabels(MANAGED_BY, NAME)
              .endMetadata()
              .addToData(key(site), url(site))
              .build();
      context.getClient().resource(created).create(); // A conflict is tried again.
    } else if (!url(site).equals(list.get().getData().get(key(site)))) {
      patchRegistry(site, '"' + url(site) + '"', context);
    }
  }

  @Override
  public DeleteControl cleanup(Website site, Context<Website> context) {
    patchRegistry(site, "null", context);
    event(site, site, "Unregistered", "Unregister", "removed from the registry", context);
    return DeleteControl.defaultDelete();
  }

  private static void patchRegistry(Website site, String value, Context<Website> context) {
    Resource<ConfigMap> list =
        context.getClient().configMaps().inNamespace(NAMESPACE).withName(REGISTRY);
    list.patch(
        PatchContext.of(PatchType.JSON_MERGE),
        "{\"data\":{\"" + key(site) + "\":" + value + "}}");
  }

  private static WebsiteStatus status(Website site, Deployment servers) {
    var now = requireNonNullElse(servers.getStatus(), new DeploymentStatus());
    int wanted = site.getSpec().replicas();
    int updated = requireNonNullElse(now.getUpdatedReplicas(), 0);
    boolean ready =
        requireNonNullElse(now.getObservedGeneration(), 0L) >= servers.getMetadata().getGeneration()
            && updated >= wanted
            && requireNonNullElse(now.getAvailableReplicas(), 0) >= wanted;
    var reason = ready ? "AllReplicasAvailable" : "RollingOut";
    var message =
        ready
            ? wanted + " of " + wanted + " available"
            : updated + " of " + wanted + " replicas have the newest pages";
    return new WebsiteStatus(
        site.getMetadata().getGeneration(),
        requireNonNullElse(now.getReadyReplicas(), 0),
        url(site),
        List.of(
            condition(site, "Ready", ready, reason, message),
            condition(site, "Progressing", !ready, reason, message),
            condition(site, "Degraded", false, reason, message)));
  }

  /** The time of a condition changes only with its status. */
  private static Condition condition(
      Website site, String type, boolean holds, String reason, String message) {
    var status = holds ? "True" : "False";
    var since = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    if (site.getStatus() != null) {
      for (Condition before : site.getStatus().conditions()) {
        if (before.getType().equals(type) && before.getStatus().equals(status)) {
          since = before.getLastTransitionTime();
        }
      }
    }
    return new ConditionBuilder()
        .withType(type)
        .withStatus(status)
        .withObservedGeneration(site.getMetadata().getGeneration())
        .withLastTransitionTime(since)
        .withReason(reason)
        .withMessage(message)
        .build();
  }

  private static void event(
      Website site,
      HasMetadata related,
      String reason,
      String action,
      String note,
      Context<Website> context) {
    var event =
        new EventBuilder()
            .withNewMetadata()
            .withGenerateName(site.getMetadata().getName() + "-")
            .withNamespace(site.getMetadata().getNamespace())
            .endMetadata()
            .withEventTime(new MicroTime(Instant.now().truncatedTo(ChronoUnit.MICROS).toString()))
            .withRegarding(reference(site).build())
            .withRelated(reference(related).build())
            .withReportingController(NAME)
            .withReportingInstance(NAME)
            .withType("Normal")
            .withReason(reason)
            .withAction(action)
            .withNote(note)
            .build();
    context.getClient().resource(event).create();
  }

  private static ObjectReferenceBuilder reference(HasMetadata object) {
    return new ObjectReferenceBuilder()
        .withApiVersion(object.getApiVersion())
        .withKind(object.getKind())
        .withNamespace(object.getMetadata().getNamespace())
        .withName(object.getMetadata().getName())
        .withUid(object.getMetadata().getUid());
  }

  private static String key(Website site) {
    return site.getMetadata().getNamespace() + "." + site.getMetadata().getName();
  }

  private static String url(Website site) {
    var meta = site.getMetadata();
    var host = site.getSpec().host();
    return "http://" + (host == null ? meta.getName() + "." + meta.getNamespace() + ".svc" : host) + "/";
  }

  private static ObjectMetaBuilder place(Website site) {
    return new ObjectMetaBuilder()
        .withNamespace(site.getMetadata().getNamespace())
        .withName(site.getMetadata().getName());
  }

  private static Map<String, String> selected(Website site) {
    return Map.of(
        "app.kubernetes.io/name", "website",
        "app.kubernetes.io/instance", site.getMetadata().getName());
  }

  private static ObjectMeta meta(Website site) {
    return place(site).withLabels(selected(site)).addToLabels(MANAGED_BY, NAME).build();
  }

  private static String hash(Map<String, String> pages) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      new TreeMap<>(pages)
          .forEach(
              (name, page) -> {
                digest.update((name.length() + " " + name).getBytes(UTF_8));
                digest.update((page.length() + " " + page).getBytes(UTF_8));
              });
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  /** A dependent that reports in an event what it has done. */
  public abstract static class Child<R extends HasMetadata>
      extends CRUDKubernetesDependentResource<R, Website> {

    Child(Class<R> type) {
      super(type);
    }

    @Override
    protected void onCreated(Website site, R created, Context<Website> context) {
      super.onCreated(site, created, context);
      var kind = created.getKind();
      var note = "created " + kind + " " + created.getMetadata().getName();
      event(site, created, "Created", "Create" + kind, note, context);
    }

    @Override
    protected void onUpdated(Website site, R updated, R actual, Context<Website> context) {
      super.onUpdated(site, updated, actual, context);
      var kind = updated.getKind();
      var note = "updated " + kind + " " + updated.getMetadata().getName();
      event(site, updated, "Updated", "Apply" + kind, note, context);
    }
  }

  public static final class Pages extends Child<ConfigMap> {
    public Pages() {
      super(ConfigMap.class);
    }

    @Override
    protected ConfigMap desired(Website site, Context<Website> context) {
      return new ConfigMapBuilder().withMetadata(meta(site)).withData(site.getSpec().pages()).build();
    }
  }

  public static final class Address extends Child<Service> {
    public Address() {
      super(Service.class);
    }

    @Override
    protected Service desired(Website site, Context<Website> context) {
      return new ServiceBuilder()
          .withMetadata(meta(site))
          .withNewSpec()
          .withSelector(selected(site))
          .addNewPort()
          .withName("http")
          .withPort(80)
          .withTargetPort(new IntOrString("http"))
          .endPort()
          .endSpec()
          .build();
    }
  }

  public static final class Servers extends Child<Deployment> {
    public Servers() {
      super(Deployment.class);
    }

    @Override
    protected Deployment desired(Website site, Context<Website> context) {
      return new DeploymentBuilder()
          .withMetadata(meta(site))
          .withNewSpec()
          .withReplicas(site.getSpec().replicas())
          .withNewSelector()
          .withMatchLabels(selected(site))
          .endSelector()
          .withNewTemplate()
          .withNewMetadata()
          .withLabels(meta(site).getLabels())
          .addToAnnotations("web.example.com/pages-hash", hash(site.getSpec().pages()))
          .endMetadata()
          .withNewSpec()
          .withAutomountServiceAccountToken(false)
          .addNewContainer()
          .withName("nginx")
          .withImage(site.getSpec().image())
          .addNewPort()
          .withName("http")
          .withContainerPort(8080)
          .endPort()
          .addNewVolumeMount()
          .withName("pages")
          .withMountPath("/usr/share/nginx/html")
          .withReadOnly(true)
          .endVolumeMount()
          .withNewReadinessProbe()
          .withNewTcpSocket()
          .withPort(new IntOrString("http"))
          .endTcpSocket()
          .endReadinessProbe()
          .withNewSecurityContext()
          .withRunAsNonRoot(true)
          .withAllowPrivilegeEscalation(false)
          .withNewCapabilities()
          .addToDrop("ALL")
          .endCapabilities()
          .endSecurityContext()
          .endContainer()
          .addNewVolume()
          .withName("pages")
          .withNewConfigMap()
          .withName(site.getMetadata().getName())
          .endConfigMap()
          .endVolume()
          .endSpec()
          .endTemplate()
          .endSpec()
          .build();
    }
  }

  @Group("web.example.com")
  @Version("v1")
  public static final class Website extends CustomResource<WebsiteSpec, WebsiteStatus>
      implements Namespaced {

    @Override
    protected WebsiteSpec initSpec() {
      return null; // A record has no empty constructor.
    }

    @Override
    protected WebsiteStatus initStatus() {
      return null;
    }
  }

  public record WebsiteSpec(Map<String, String> pages, int replicas, String host, String image) {}

  public record WebsiteStatus(
      Long observedGeneration, Integer readyReplicas, String url, List<Condition> conditions) {}
}
