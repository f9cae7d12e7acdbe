package dev.clientgo.envtest.internal.kinds;

import static java.util.stream.Collectors.toUnmodifiableMap;

import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.envtest.internal.kinds.Resource.ScalePaths;
import dev.clientgo.envtest.internal.kinds.Resource.Trait;
import dev.clientgo.envtest.internal.kinds.Resource.Version;
import dev.clientgo.envtest.internal.schema.StructuralSchema;
import dev.clientgo.envtest.internal.tables.BuiltInColumns;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The kinds that every cluster has, as kube-apiserver serves them. */
public final class BuiltInResources {

  /**
   * One kind per line, in the order of discovery: API version, kind, whether it is namespaced,
   * short names, categories and subresources; a dash for none.
   */
  private static final String KINDS =
      """
      v1                        ConfigMap              yes  cm        -    -
      v1                        Endpoints              yes  ep        -    -
      v1                        Event                  yes  ev        -    -
      v1                        LimitRange             yes  limits    -    -
      v1                        Namespace              no   ns        -    status,finalize
      v1                        Node                   no   no        -    status
      v1                        PersistentVolumeClaim  yes  pvc       -    status
      v1                        PersistentVolume       no   pv        -    status
      v1                        Pod                    yes  po        all  \
      status,attach,binding,ephemeralcontainers,eviction,exec,log,portforward
      v1                        PodTemplate            yes  -         -    -
      v1                        ReplicationController  yes  rc        all  status,scale
      v1                        ResourceQuota          yes  quota     -    status
      v1                        Secret                 yes  -         -    -
      v1                        ServiceAccount         yes  sa        -    token
      v1                        Service                yes  svc       all  status
      apps/v1                   ControllerRevision     yes  -         -    -
      apps/v1                   DaemonSet              yes  ds        all  status
      apps/v1                   Deployment             yes  deploy    all  status,scale
      apps/v1                   ReplicaSet             yes  rs        all  status,scale
      apps/v1                   StatefulSet            yes  sts       all  status,scale
      events.k8s.io/v1          Event                  yes  ev        -    -
      authentication.k8s.io/v1  SelfSubjectReview      no   -         -    -
      authorization.k8s.io/v1   LocalSubjectAccessReview yes -        -    -
      authorization.k8s.io/v1   SelfSubjectAccessReview no  -         -    -
      authorization.k8s.io/v1   SelfSubjectRulesReview no   -         -    -
      authorization.k8s.io/v1   SubjectAccessReview    no   -         -    -
      autoscaling/v2            HorizontalPodAutoscaler yes hpa       all  status
      batch/v1                  CronJob                yes  cj        all  status
      batch/v1                  Job                    yes  -         all  status
      certificates.k8s.io/v1    CertificateSigningRequest no csr      -    status,approval
      networking.k8s.io/v1      IngressClass           no   -         -    -
      networking.k8s.io/v1      Ingress                yes  ing       -    status
      networking.k8s.io/v1      NetworkPolicy          yes  netpol    -    -
      policy/v1                 PodDisruptionBudget    yes  pdb       -    status
      rbac.authorization.k8s.io/v1  ClusterRoleBinding no   -         -    -
      rbac.authorization.k8s.io/v1  ClusterRole        no   -         -    -
      rbac.authorization.k8s.io/v1  RoleBinding        yes  -         -    -
      rbac.authorization.k8s.io/v1  Role               yes  -         -    -
      storage.k8s.io/v1         CSIDriver              no   -         -    -
      storage.k8s.io/v1         CSINode                no   -         -    status
      storage.k8s.io/v1         StorageClass           no   sc        -    -
      storage.k8s.io/v1         VolumeAttachment       no   -         -    status
      admissionregistration.k8s.io/v1  MutatingWebhookConfiguration   no - api-extensions -
      admissionregistration.k8s.io/v1  ValidatingWebhookConfiguration no - api-extensions -
      apiextensions.k8s.io/v1   CustomResourceDefinition no crd,crds api-extensions status
      scheduling.k8s.io/v1      PriorityClass          no   pc        -    -
      coordination.k8s.io/v1    Lease                  yes  -         -    -
      node.k8s.io/v1            RuntimeClass           no   -         -    -
      discovery.k8s.io/v1       EndpointSlice          yes  -         -    -
      """;

  /** The kinds with each trait. */
  private static final Map<Trait, String> TRAITS =
      Map.of(
          Trait.GENERATION,
          """
          Pod PodTemplate ReplicationController DaemonSet Deployment ReplicaSet StatefulSet CronJob
          Job IngressClass Ingress NetworkPolicy PodDisruptionBudget MutatingWebhookConfiguration
          ValidatingWebhookConfiguration CustomResourceDefinition PriorityClass EndpointSlice
          """,
          Trait.CREATE_ON_UPDATE,
          """
          Endpoints Event LimitRange Service ClusterRoleBinding ClusterRole RoleBinding Role Lease
          RuntimeClass
          """,
          Trait.VERSION_REQUIRED,
          """
          PodDisruptionBudget CSIDriver CSINode VolumeAttachment MutatingWebhookConfiguration
          ValidatingWebhookConfiguration CustomResourceDefinition Lease RuntimeClass
          """,
          Trait.RETURNS_DELETED,
          """
          PersistentVolumeClaim PersistentVolume Pod PodTemplate ResourceQuota ServiceAccount Service
          CSIDriver CSINode StorageClass VolumeAttachment
          """,
          Trait.ORPHANS_DEPENDENTS,
          "ReplicationController Job",
          Trait.GRACEFUL,
          "Pod",
          Trait.REVIEW,
          """
          SelfSubjectReview LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview
          SubjectAccessReview
          """,
          Trait.NO_DELETE_COLLECTION,
          "Namespace");

  /**
   * The fields that a field selector may name besides the metadata, by API version and kind. The
   * text after an equals sign is the value of objects without the field.
   */
  private static final Map<String, String> SELECTABLE_FIELDS =
      Map.ofEntries(
          Map.entry(
              "v1 Event",
              """
              involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid
              involvedObject.apiVersion involvedObject.resourceVersion involvedObject.fieldPath
              reason reportingComponent source type
              """),
          Map.entry("v1 Namespace", "status.phase"),
          Map.entry("v1 Node", "spec.unschedulable=false"),
          Map.entry(
              "v1 Pod",
              """
              spec.nodeName spec.restartPolicy=Always spec.schedulerName=default-scheduler
              spec.serviceAccountName spec.hostNetwork=false status.phase status.podIP
              status.nominatedNodeName
              """),
          Map.entry("v1 ReplicationController", "status.replicas=0"),
          Map.entry("v1 Secret", "type"),
          Map.entry("v1 Service", "spec.clusterIP spec.type=ClusterIP"),
          Map.entry(
              "events.k8s.io/v1 Event",
              """
              regarding.kind regarding.namespace regarding.name regarding.uid regarding.apiVersion
              regarding.resourceVersion regarding.fieldPath reason reportingController type
              """),
          Map.entry("batch/v1 Job", "status.successful=0"),
          Map.entry("certificates.k8s.io/v1 CertificateSigningRequest", "spec.signerName"));

  private static final ScalePaths SCALE =
      new ScalePaths(
          List.of("spec", "replicas"), List.of("status", "replicas"), List.of("spec", "selector"));

  private static final List<Resource> ALL =
      KINDS.lines().map(line -> resource(line.split(" +"))).toList();

  private BuiltInResources() {}

  /** Returns all built-in kinds, in the order of discovery. */
  public static List<Resource> all() {
    return ALL;
  }

  private static Resource resource(String[] columns) {
    GroupVersion version = GroupVersion.parse(columns[0]);
    String kind = columns[1];
    String singular = kind.toLowerCase(Locale.ROOT);
    Set<String> subresources = new TreeSet<>(names(columns[5]));
    return new Resource(
        version.group(),
        plural(singular),
        singular,
        kind,
        kind + "List",
        columns[2].equals("yes"),
        names(columns[3]),
        names(columns[4]),
        List.of(
            new Version(
                version.version(),
                true,
                subresources,
                selectableFields(columns[0] + " " + kind),
                StructuralSchema.ANYTHING,
                subresources.contains("scale") ? SCALE : null,
                BuiltInColumns.of(kind))),
        Resource.Storage.SAME_IN_ALL_VERSIONS,
        traits(kind));
  }

  private static List<String> names(String column) {
    return column.equals("-") ? List.of() : List.of(column.split(",", -1));
  }

  private static String plural(String singular) {
    if (singular.endsWith("s")) {
      return singular.equals("endpoints") ? singular : singular + "es";
    }
    return singular.endsWith("y")
        ? singular.substring(0, singular.length() - 1) + "ies"
        : singular + "s";
  }

  private static Map<String, String> selectableFields(String kind) {
    return words(SELECTABLE_FIELDS.getOrDefault(kind, "")).stream()
        .map(field -> field.split("=", 2))
        .collect(toUnmodifiableMap(field -> field[0], field -> field.length == 1 ? "" : field[1]));
  }

  private static Set<Trait> traits(String kind) {
    return TRAITS.entrySet().stream()
        .filter(trait -> words(trait.getValue()).contains(kind))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.split("\\s+", -1)).filter(word -> !word.isEmpty()).toList();
  }
}
