package dev.clientgo.envtest.internal.tables;

import static dev.clientgo.envtest.internal.tables.Cells.NONE;
import static dev.clientgo.envtest.internal.tables.Cells.UNKNOWN;
import static dev.clientgo.envtest.internal.tables.Cells.UNSET;
import static dev.clientgo.envtest.internal.tables.Cells.each;
import static dev.clientgo.envtest.internal.tables.Cells.labels;
import static dev.clientgo.envtest.internal.tables.Cells.number;
import static dev.clientgo.envtest.internal.tables.Cells.ratio;
import static dev.clientgo.envtest.internal.tables.Cells.scalar;
import static dev.clientgo.envtest.internal.tables.Cells.selector;
import static dev.clientgo.envtest.internal.tables.Cells.since;
import static dev.clientgo.envtest.internal.tables.Cells.size;
import static dev.clientgo.envtest.internal.tables.Cells.strings;
import static dev.clientgo.envtest.internal.tables.Column.AGE;
import static dev.clientgo.envtest.internal.tables.Column.NAME;
import static dev.clientgo.envtest.internal.tables.Column.integer;

import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The columns of the built-in kinds, as kube-apiserver prints them. Kinds without columns of their
 * own have a name and a creation time.
 *
 * <p>Corresponds to {@code pkg/printers/internalversion} of Kubernetes.
 */
public final class BuiltInColumns {

  private static final Column CREATED_AT =
      Column.of("Created At", "date", Cells.text("metadata.creationTimestamp"));
  private static final Map<String, List<Column>> KINDS = new BuiltInColumns().all();

  private final Map<String, List<Column>> kinds = new HashMap<>();

  private BuiltInColumns() {}

  /** Returns the columns of a kind. */
  public static List<Column> of(String kind) {
    return KINDS.getOrDefault(kind, List.of(NAME, CREATED_AT));
  }

  private Map<String, List<Column>> all() {
    core();
    volumes();
    workloads();
    networks();
    access();
    extensions();
    return Map.copyOf(kinds);
  }

  private void core() {
    kind("ConfigMap", NAME, text("Data", size("data", "binaryData")), AGE);
    kind("Secret", NAME, text("Type", "type", "Opaque"), text("Data", size("data")), AGE);
    kind("Namespace", NAME, text("Status", "status.phase"), AGE);
    kind("ServiceAccount", NAME, AGE);
    kind(
        "Node",
        NAME,
        text("Status", (node, now) -> NodeCells.status(node)),
        text("Roles", (node, now) -> NodeCells.roles(node)),
        AGE,
        text("Version", "status.nodeInfo.kubeletVersion"),
        text("Internal-IP", NodeCells.address("InternalIP")).wide(),
        text("External-IP", NodeCells.address("ExternalIP")).wide(),
        text("OS-Image", "status.nodeInfo.osImage", UNKNOWN).wide(),
        text("Kernel-Version", (node, now) -> NodeCells.kernel(node)).wide(),
        text("Container-Runtime", "status.nodeInfo.containerRuntimeVersion", UNKNOWN).wide());
    kind(
        "Event",
        Stream.of(
                text("Last Seen", EventCells::lastSeen),
                text("Type", "type"),
                text("Reason", "reason"),
                text("Object", (event, now) -> EventCells.object(event)),
                text("Subobject", "involvedObject.fieldPath").wide(),
                text("Source", (event, now) -> EventCells.source(event)).wide(),
                text("Message", (event, now) -> JsonTree.string(event, "message").strip()),
                text("First Seen", EventCells::firstSeen).wide(),
                text("Count", (event, now) -> EventCells.count(event)).wide(),
                NAME.wide())
            .map(EventCells::forBothGroups)
            .toArray(Column[]::new));
    kind(
        "ResourceQuota",
        NAME,
        text("Request", (quota, now) -> QuotaCells.requests(quota)),
        text("Limit", (quota, now) -> QuotaCells.limits(quota)),
        AGE);
  }

  private void volumes() {
    Cell phase =
        (object, now) ->
            Cells.isBeingDeleted(object)
                ? "Terminating"
                : JsonTree.string(object, "status", "phase");
    kind(
        "PersistentVolume",
        NAME,
        text("Capacity", "spec.capacity.storage", "0"),
        text("Access Modes", VolumeCells.modes("spec")),
        text("Reclaim Policy", "spec.persistentVolumeReclaimPolicy", "Retain"),
        text("Status", phase),
        text("Claim", (volume, now) -> VolumeCells.claim(volume)),
        text("StorageClass", (volume, now) -> VolumeCells.storageClass(volume)),
        text("VolumeAttributesClass", "spec.volumeAttributesClassName", UNSET),
        text("Reason", "status.reason"),
        AGE,
        text("VolumeMode", "spec.volumeMode", "Filesystem").wide());
    kind(
        "PersistentVolumeClaim",
        NAME,
        text("Status", phase),
        text("Volume", "spec.volumeName"),
        text("Capacity", VolumeCells.ifBound(Cells.text("status.capacity.storage", "0"))),
        text("Access Modes", VolumeCells.ifBound(VolumeCells.modes("status"))),
        text("StorageClass", (claim, now) -> VolumeCells.storageClass(claim)),
        text("VolumeAttributesClass", "spec.volumeAttributesClassName", UNSET),
        AGE,
        text("VolumeMode", "spec.volumeMode", "Filesystem").wide());
    kind(
        "StorageClass",
        nameOrDefault("storageclass.kubernetes.io/is-default-class"),
        text("Provisioner", "provisioner"),
        text("ReclaimPolicy", "reclaimPolicy", "Delete"),
        text("VolumeBindingMode", "volumeBindingMode", "Immediate"),
        text("AllowVolumeExpansion", Cells.flag("allowVolumeExpansion", false)),
        AGE);
    kind(
        "VolumeAttachment",
        NAME,
        new Column("Attacher", "string", "name", "", 0, Cells.text("spec.attacher")),
        text("PV", "spec.source.persistentVolumeName"),
        text("Node", "spec.nodeName"),
        flag("Attached", "status.attached", false),
        AGE);
    kind(
        "CSIDriver",
        NAME,
        flag("AttachRequired", "spec.attachRequired", true),
        flag("PodInfoOnMount", "spec.podInfoOnMount", false),
        flag("StorageCapacity", "spec.storageCapacity", false),
        text("TokenRequests", (driver, now) -> VolumeCells.audiences(driver)),
        flag("RequiresRepublish", "spec.requiresRepublish", false),
        text("Modes", strings("spec.volumeLifecycleModes", "Persistent")),
        AGE);
    kind("CSINode", NAME, integer("Drivers", size("spec.drivers")), AGE);
  }

  private void workloads() {
    kind(
        "Pod",
        NAME,
        text("Ready", (pod, now) -> new PodCells(pod).ready()),
        text("Status", (pod, now) -> new PodCells(pod).status()),
        text("Restarts", (pod, now) -> new PodCells(pod).restarts(now)),
        AGE,
        text("IP", (pod, now) -> new PodCells(pod).address()).wide(),
        text("Node", "spec.nodeName", NONE).wide(),
        text("Nominated Node", "status.nominatedNodeName", NONE).wide(),
        text("Readiness Gates", (pod, now) -> new PodCells(pod).gates()).wide());
    kind(
        "PodTemplate",
        NAME,
        text("Containers", each("template.spec.containers", "name")),
        text("Images", each("template.spec.containers", "image")),
        text("Pod Labels", labels("template.metadata.labels")));
    kind("ReplicationController", replicas(labels("spec.selector")));
    kind("ReplicaSet", replicas(selector("spec.selector")));
    Column ready = text("Ready", ratio("status.readyReplicas", "spec.replicas", 1));
    kind(
        "Deployment",
        withTemplate(
            "spec.template",
            selector("spec.selector"),
            NAME,
            ready,
            text("Up-to-date", number("status.updatedReplicas")),
            text("Available", number("status.availableReplicas")),
            AGE));
    kind("StatefulSet", NAME, ready, AGE, containers("spec.template"), images("spec.template"));
    kind(
        "DaemonSet",
        withTemplate(
            "spec.template",
            selector("spec.selector"),
            NAME,
            integer("Desired", number("status.desiredNumberScheduled")),
            integer("Current", number("status.currentNumberScheduled")),
            integer("Ready", number("status.numberReady")),
            integer("Up-to-date", number("status.updatedNumberScheduled")),
            integer("Available", number("status.numberAvailable")),
            text("Node Selector", labels("spec.template.spec.nodeSelector")),
            AGE));
    kind(
        "Job",
        withTemplate(
            "spec.template",
            selector("spec.selector"),
            NAME,
            text("Status", (job, now) -> WorkloadCells.status(job)),
            text("Completions", (job, now) -> WorkloadCells.completions(job)),
            text("Duration", WorkloadCells::duration),
            AGE));
    kind(
        "CronJob",
        withTemplate(
            "spec.jobTemplate.spec.template",
            selector("spec.jobTemplate.spec.selector"),
            NAME,
            text("Schedule", "spec.schedule"),
            text("Timezone", "spec.timeZone", NONE),
            Column.flag("Suspend", (job, now) -> WorkloadCells.suspended(job)),
            integer("Active", size("status.active")),
            text("Last Schedule", since("status.lastScheduleTime", NONE)),
            AGE));
    kind(
        "HorizontalPodAutoscaler",
        NAME,
        text("Reference", Cells.slashed("spec.scaleTargetRef.kind", "spec.scaleTargetRef.name")),
        text("Targets", (scaler, now) -> AutoscalerCells.targets(scaler)),
        text("MinPods", scalar("spec.minReplicas", "1")),
        text("MaxPods", number("spec.maxReplicas")),
        text("Replicas", number("status.currentReplicas")),
        AGE);
    kind(
        "PodDisruptionBudget",
        NAME,
        text("Min Available", scalar("spec.minAvailable", "N/A")),
        text("Max Unavailable", scalar("spec.maxUnavailable", "N/A")),
        integer("Allowed Disruptions", number("status.disruptionsAllowed")),
        AGE);
    kind(
        "ControllerRevision",
        NAME,
        text("Controller", (revision, now) -> WorkloadCells.controller(revision)),
        text("Revision", number("revision")),
        AGE);
  }

  private static Column[] replicas(Cell selector) {
    return withTemplate(
        "spec.template",
        selector,
        NAME,
        integer("Desired", number("spec.replicas", 1)),
        integer("Current", number("status.replicas")),
        integer("Ready", number("status.readyReplicas")),
        AGE);
  }

  private static Column[] withTemplate(String template, Cell selector, Column... columns) {
    List<Column> all = new ArrayList<>(List.of(columns));
    all.add(containers(template));
    all.add(images(template));
    all.add(text("Selector", selector).wide());
    return all.toArray(new Column[0]);
  }

  private static Column containers(String template) {
    return text("Containers", each(template + ".spec.containers", "name")).wide();
  }

  private static Column images(String template) {
    return text("Images", each(template + ".spec.containers", "image")).wide();
  }

  private void networks() {
    kind(
        "Service",
        NAME,
        text("Type", "spec.type", "ClusterIP"),
        text("Cluster-IP", (service, now) -> NetworkCells.clusterAddress(service)),
        text("External-IP", (service, now) -> NetworkCells.externalAddress(service)),
        text("Port(s)", (service, now) -> NetworkCells.ports(service)),
        AGE,
        text("Selector", labels("spec.selector")).wide());
    kind(
        "Endpoints",
        NAME,
        text("Endpoints", (endpoints, now) -> NetworkCells.endpoints(endpoints)),
        AGE);
    kind(
        "EndpointSlice",
        NAME,
        text("AddressType", "addressType"),
        text("Ports", (slice, now) -> NetworkCells.slicePorts(slice)),
        text("Endpoints", (slice, now) -> NetworkCells.sliceAddresses(slice)),
        AGE);
    kind(
        "Ingress",
        NAME,
        text("Class", "spec.ingressClassName", NONE),
        text("Hosts", (ingress, now) -> NetworkCells.hosts(ingress)),
        text("Address", (ingress, now) -> NetworkCells.balancers(ingress)),
        text("Ports", (ingress, now) -> NetworkCells.tlsPorts(ingress)),
        AGE);
    kind(
        "IngressClass",
        nameOrDefault("ingressclass.kubernetes.io/is-default-class"),
        text("Controller", "spec.controller"),
        text("Parameters", (ingressClass, now) -> NetworkCells.parameters(ingressClass)),
        AGE);
    kind("NetworkPolicy", NAME, text("Pod-Selector", selector("spec.podSelector")), AGE);
  }

  private void access() {
    Column[] binding = {
      NAME,
      text("Role", Cells.slashed("roleRef.kind", "roleRef.name")),
      AGE,
      text("Users", AccessCells.subjects("User")).wide(),
      text("Groups", AccessCells.subjects("Group")).wide(),
      text("ServiceAccounts", AccessCells.subjects("ServiceAccount")).wide()
    };
    kind("RoleBinding", binding);
    kind("ClusterRoleBinding", binding);
    kind(
        "CertificateSigningRequest",
        NAME,
        AGE,
        text("SignerName", "spec.signerName", NONE),
        text("Requestor", "spec.username"),
        text("RequestedDuration", (request, now) -> AccessCells.duration(request)),
        text("Condition", (request, now) -> AccessCells.condition(request)));
  }

  private void extensions() {
    Column webhooks = integer("Webhooks", size("webhooks"));
    kind("MutatingWebhookConfiguration", NAME, webhooks, AGE);
    kind("ValidatingWebhookConfiguration", NAME, webhooks, AGE);
    kind("Lease", NAME, text("Holder", "spec.holderIdentity"), AGE);
    kind("RuntimeClass", NAME, text("Handler", "handler"), AGE);
    kind(
        "PriorityClass",
        NAME,
        integer("Value", number("value")),
        flag("Global-Default", "globalDefault", false),
        AGE,
        text("PreemptionPolicy", "preemptionPolicy", "PreemptLowerPriority"));
  }

  private void kind(String kind, Column... columns) {
    kinds.put(kind, List.of(columns));
  }

  private static Column nameOrDefault(String annotation) {
    return NAME.with(
        (object, now) ->
            JsonTree.string(object, "metadata", "name")
                + (JsonTree.string(object, "metadata", "annotations", annotation).equals("true")
                    ? " (default)"
                    : ""));
  }

  private static Column text(String name, Cell cell) {
    return Column.text(name, cell);
  }

  private static Column text(String name, String path) {
    return Column.text(name, Cells.text(path));
  }

  private static Column text(String name, String path, String absent) {
    return Column.text(name, Cells.text(path, absent));
  }

  private static Column flag(String name, String path, boolean absent) {
    return Column.flag(name, Cells.flag(path, absent));
  }
}
