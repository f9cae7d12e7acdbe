package dev.clientgo.envtest.internal.kinds;

import dev.clientgo.envtest.internal.kinds.Resource.ScalePaths;
import dev.clientgo.envtest.internal.kinds.Resource.Trait;
import dev.clientgo.envtest.internal.kinds.Resource.Version;
import dev.clientgo.envtest.internal.schema.StructuralSchema;
import dev.clientgo.envtest.internal.tables.BuiltInColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The kinds that every cluster has, with the names, subresources and habits that kube-apiserver
 * gives them.
 */
public final class BuiltInResources {

  /** What fields are that objects may leave out. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "spec.unschedulable", "false",
          "spec.hostNetwork", "false",
          "status.replicas", "0",
          "status.successful", "0",
          "spec.restartPolicy", "Always",
          "spec.schedulerName", "default-scheduler",
          "spec.type", "ClusterIP");

  private final List<Resource> resources = new ArrayList<>();

  private BuiltInResources() {}

  /** Returns all built-in kinds, in the order of discovery. */
  public static List<Resource> all() {
    BuiltInResources kinds = new BuiltInResources();
    kinds.core();
    kinds.workloads();
    kinds.policies();
    kinds.extensions();
    return List.copyOf(kinds.resources);
  }

  private void core() {
    namespaced("", "v1", "ConfigMap").shortNames("cm").add();
    namespaced("", "v1", "Endpoints")
        .plural("endpoints")
        .shortNames("ep")
        .traits(Trait.CREATE_ON_UPDATE)
        .add();
    namespaced("", "v1", "Event")
        .shortNames("ev")
        .traits(Trait.CREATE_ON_UPDATE)
        .selectable("involvedObject.kind", "involvedObject.namespace", "involvedObject.name")
        .selectable("involvedObject.uid", "involvedObject.apiVersion")
        .selectable("involvedObject.resourceVersion", "involvedObject.fieldPath")
        .selectable("reason", "reportingComponent", "source", "type")
        .add();
    namespaced("", "v1", "LimitRange").shortNames("limits").traits(Trait.CREATE_ON_UPDATE).add();
    cluster("", "v1", "Namespace")
        .shortNames("ns")
        .status()
        .subresources("finalize")
        .selectable("status.phase")
        .traits(Trait.NO_DELETE_COLLECTION)
        .add();
    cluster("", "v1", "Node").shortNames("no").status().selectable("spec.unschedulable").add();
    namespaced("", "v1", "PersistentVolumeClaim")
        .shortNames("pvc")
        .status()
        .traits(Trait.RETURNS_DELETED)
        .add();
    cluster("", "v1", "PersistentVolume")
        .shortNames("pv")
        .status()
        .traits(Trait.RETURNS_DELETED)
        .add();
    namespaced("", "v1", "Pod")
        .shortNames("po")
        .categories("all")
        .status()
        .subresources("binding", "ephemeralcontainers", "eviction")
        .traits(Trait.GENERATION, Trait.RETURNS_DELETED, Trait.GRACEFUL)
        .selectable("spec.nodeName", "spec.restartPolicy", "spec.schedulerName")
        .selectable("spec.serviceAccountName", "spec.hostNetwork", "status.phase", "status.podIP")
        .selectable("status.nominatedNodeName")
        .add();
    namespaced("", "v1", "PodTemplate").traits(Trait.GENERATION, Trait.RETURNS_DELETED).add();
    namespaced("", "v1", "ReplicationController")
        .shortNames("rc")
        .categories("all")
        .status()
        .scale()
        .traits(Trait.GENERATION, Trait.ORPHANS_DEPENDENTS)
        .selectable("status.replicas")
        .add();
    namespaced("", "v1", "ResourceQuota")
        .shortNames("quota")
        .status()
        .traits(Trait.RETURNS_DELETED)
        .add();
    namespaced("", "v1", "Secret").selectable("type").add();
    namespaced("", "v1", "ServiceAccount")
        .shortNames("sa")
        .subresources("token")
        .traits(Trait.RETURNS_DELETED)
        .add();
    namespaced("", "v1", "Service")
        .shortNames("svc")
        .categories("all")
        .status()
        .traits(Trait.RETURNS_DELETED, Trait.CREATE_ON_UPDATE)
        .selectable("spec.clusterIP", "spec.type")
        .add();
  }

  private void workloads() {
    namespaced("apps", "v1", "ControllerRevision").add();
    workload("apps", "DaemonSet", "ds").add();
    workload("apps", "Deployment", "deploy").scale().add();
    workload("apps", "ReplicaSet", "rs").scale().add();
    workload("apps", "StatefulSet", "sts").scale().add();
    namespaced("events.k8s.io", "v1", "Event")
        .shortNames("ev")
        .traits(Trait.CREATE_ON_UPDATE)
        .selectable("regarding.kind", "regarding.namespace", "regarding.name", "regarding.uid")
        .selectable("regarding.apiVersion", "regarding.resourceVersion", "regarding.fieldPath")
        .selectable("reason", "reportingController", "type")
        .add();
    namespaced("autoscaling", "v2", "HorizontalPodAutoscaler")
        .shortNames("hpa")
        .categories("all")
        .status()
        .add();
    namespaced("batch", "v1", "CronJob")
        .shortNames("cj")
        .categories("all")
        .status()
        .traits(Trait.GENERATION)
        .add();
    namespaced("batch", "v1", "Job")
        .categories("all")
        .status()
        .traits(Trait.GENERATION, Trait.ORPHANS_DEPENDENTS)
        .selectable("status.successful")
        .add();
  }

  private Line workload(String group, String kind, String shortName) {
    return namespaced(group, "v1", kind)
        .shortNames(shortName)
        .categories("all")
        .status()
        .traits(Trait.GENERATION);
  }

  private void policies() {
    cluster("certificates.k8s.io", "v1", "CertificateSigningRequest")
        .shortNames("csr")
        .status()
        .subresources("approval")
        .selectable("spec.signerName")
        .add();
    cluster("networking.k8s.io", "v1", "IngressClass").traits(Trait.GENERATION).add();
    namespaced("networking.k8s.io", "v1", "Ingress")
        .shortNames("ing")
        .status()
        .traits(Trait.GENERATION)
        .add();
    namespaced("networking.k8s.io", "v1", "NetworkPolicy")
        .shortNames("netpol")
        .traits(Trait.GENERATION)
        .add();
    namespaced("policy", "v1", "PodDisruptionBudget")
        .shortNames("pdb")
        .status()
        .traits(Trait.GENERATION, Trait.VERSION_REQUIRED)
        .add();
    String rbac = "rbac.authorization.k8s.io";
    cluster(rbac, "v1", "ClusterRoleBinding").traits(Trait.CREATE_ON_UPDATE).add();
    cluster(rbac, "v1", "ClusterRole").traits(Trait.CREATE_ON_UPDATE).add();
    namespaced(rbac, "v1", "RoleBinding").traits(Trait.CREATE_ON_UPDATE).add();
    namespaced(rbac, "v1", "Role").traits(Trait.CREATE_ON_UPDATE).add();
    String storage = "storage.k8s.io";
    Trait[] guarded = {Trait.RETURNS_DELETED, Trait.VERSION_REQUIRED};
    cluster(storage, "v1", "CSIDriver").traits(guarded).add();
    cluster(storage, "v1", "CSINode").traits(guarded).add();
    cluster(storage, "v1", "StorageClass").shortNames("sc").traits(Trait.RETURNS_DELETED).add();
    cluster(storage, "v1", "VolumeAttachment").status().traits(guarded).add();
  }

  private void extensions() {
    String admission = "admissionregistration.k8s.io";
    cluster(admission, "v1", "MutatingWebhookConfiguration")
        .categories("api-extensions")
        .traits(Trait.GENERATION, Trait.VERSION_REQUIRED)
        .add();
    cluster(admission, "v1", "ValidatingWebhookConfiguration")
        .categories("api-extensions")
        .traits(Trait.GENERATION, Trait.VERSION_REQUIRED)
        .add();
    cluster("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
        .shortNames("crd", "crds")
        .categories("api-extensions")
        .status()
        .traits(Trait.GENERATION, Trait.VERSION_REQUIRED)
        .add();
    cluster("scheduling.k8s.io", "v1", "PriorityClass")
        .shortNames("pc")
        .traits(Trait.GENERATION)
        .add();
    namespaced("coordination.k8s.io", "v1", "Lease")
        .traits(Trait.CREATE_ON_UPDATE, Trait.VERSION_REQUIRED)
        .add();
    cluster("node.k8s.io", "v1", "RuntimeClass")
        .traits(Trait.CREATE_ON_UPDATE, Trait.VERSION_REQUIRED)
        .add();
    namespaced("discovery.k8s.io", "v1", "EndpointSlice").traits(Trait.GENERATION).add();
  }

  private Line namespaced(String group, String version, String kind) {
    return new Line(group, version, kind, true);
  }

  private Line cluster(String group, String version, String kind) {
    return new Line(group, version, kind, false);
  }

  /** One kind on its way into the table. */
  private final class Line {
    private final String group;
    private final String version;
    private final String kind;
    private final boolean namespaced;
    private final Set<String> subresources = new TreeSet<>();
    private final Map<String, String> selectable = new LinkedHashMap<>();
    private final Set<Trait> traits = EnumSet.noneOf(Trait.class);
    private String plural;
    private @Nullable ScalePaths scale;
    private List<String> shortNames = List.of();
    private List<String> categories = List.of();

    Line(String group, String version, String kind, boolean namespaced) {
      this.group = group;
      this.version = version;
      this.kind = kind;
      this.namespaced = namespaced;
      this.plural = pluralOf(kind.toLowerCase(Locale.ROOT));
    }

    private static String pluralOf(String singular) {
      if (singular.endsWith("s")) {
        return singular + "es";
      }
      return singular.endsWith("y")
          ? singular.substring(0, singular.length() - 1) + "ies"
          : singular + "s";
    }

    Line plural(String name) {
      plural = name;
      return this;
    }

    Line shortNames(String... names) {
      shortNames = List.of(names);
      return this;
    }

    Line categories(String... names) {
      categories = List.of(names);
      return this;
    }

    Line status() {
      return subresources("status");
    }

    Line scale() {
      scale =
          new ScalePaths(
              List.of("spec", "replicas"),
              List.of("status", "replicas"),
              List.of("spec", "selector"));
      return subresources("scale");
    }

    Line subresources(String... names) {
      subresources.addAll(Arrays.asList(names));
      return this;
    }

    Line selectable(String... fields) {
      for (String field : fields) {
        selectable.put(field, DEFAULTS.getOrDefault(field, ""));
      }
      return this;
    }

    Line traits(Trait... more) {
      traits.addAll(Arrays.asList(more));
      return this;
    }

    void add() {
      resources.add(
          new Resource(
              group,
              plural,
              plural.equals("endpoints") ? plural : kind.toLowerCase(Locale.ROOT),
              kind,
              kind + "List",
              namespaced,
              shortNames,
              categories,
              List.of(
                  new Version(
                      version,
                      true,
                      subresources,
                      selectable,
                      StructuralSchema.ANYTHING,
                      scale,
                      BuiltInColumns.of(kind))),
              traits));
    }
  }
}
