package dev.clientgo.simulation;

import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A custom kind with an object and small controllers. Immutable. */
final class CustomKind {

  static final CustomKind TOPIC =
      published(
          new GroupVersionKind("kafka.strimzi.io", "v1", "KafkaTopic"),
          "kafkatopics",
          """
          metadata: {name: mine}
          spec:
            partitions: 3
            replicas: 2
            topicName: orders
            config: {retention.ms: 1000}
          """);

  static final CustomKind CERTIFICATE =
      published(
          new GroupVersionKind("cert-manager.io", "v1", "Certificate"),
          "certificates",
          """
          metadata: {name: mine}
          spec:
            secretName: mine-tls
            dnsNames: [example.com, www.example.com]
            duration: 2160h
            issuerRef: {name: ca, kind: Issuer}
            privateKey: {algorithm: RSA, size: 2048}
          """);

  static final CustomKind SCALED_OBJECT =
      published(
          new GroupVersionKind("keda.sh", "v1alpha1", "ScaledObject"),
          "scaledobjects",
          """
          metadata: {name: mine}
          spec:
            scaleTargetRef: {name: web}
            minReplicaCount: 2
            maxReplicaCount: 5
            triggers: [{type: cron, metadata: {timezone: Etc/UTC}}]
          """);

  private static final GroupVersionResource DEFINITIONS =
      new GroupVersionResource("apiextensions.k8s.io", "v1", "customresourcedefinitions");

  /** The key in the data of a child that must have no owner; the child does not have it. */
  static final String ORPHAN = "orphan";

  /** What a controller writes into its child. */
  @FunctionalInterface
  interface Code {

    /**
     * Returns the data of the child.
     *
     * @param object has {@code spec} and the status that the controller has written
     * @param before what the child has; empty if there is none
     */
    Map<String, String> data(Unstructured object, Map<String, String> before) throws Exception;
  }

  private final ResourceType<Unstructured> type;

  /** What the controller reads and writes: another version of the type, perhaps. */
  private final ResourceType<Unstructured> ofController;

  private final Unstructured start;
  private final Unstructured definition;
  private final boolean hasStatus;

  private CustomKind(
      ResourceType<Unstructured> type,
      ResourceType<Unstructured> ofController,
      Unstructured definition,
      String yaml) {
    GroupVersionKind kind = type.kind();
    this.type = type;
    this.ofController = ofController;
    this.start = Unstructured.parseYaml(yaml).get(0).withType(kind.apiVersion(), kind.kind());
    this.definition = definition;
    this.hasStatus = !definition.toJson().contains("\"subresources\":{}");
  }

  /** Returns a kind of a published operator. */
  private static CustomKind published(GroupVersionKind kind, String plural, String yaml) {
    ResourceType<Unstructured> type = Unstructured.type(kind, plural, true);
    return new CustomKind(type, type, read(Path.of("src/test/crds", plural + ".yaml")), yaml);
  }

  /**
   * Returns a kind with a schema. Its versions v1 and v2 are equal; the controller uses v1.
   *
   * @param scope {@code Namespaced} or {@code Cluster}
   * @param subresources as in a definition
   * @param schema of the object, as YAML
   * @param version the one of the explored object
   */
  static CustomKind of(
      String scope, String subresources, String schema, String version, String yaml) {
    String served =
        ", served: true, subresources: %s, schema: {openAPIV3Schema: %s}}"
            .formatted(subresources, schema);
    String definition =
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: widgets.example.com}
        spec:
          group: example.com
          scope: %s
          names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
          versions:
            - {name: v1, storage: true%s
            - {name: v2, storage: false%s
        """
            .formatted(scope, served, served);
    boolean namespaced = scope.equals("Namespaced");
    return new CustomKind(
        Unstructured.type(
            new GroupVersionKind("example.com", version, "Widget"), "widgets", namespaced),
        Unstructured.type(
            new GroupVersionKind("example.com", "v1", "Widget"), "widgets", namespaced),
        Unstructured.parseYaml(definition).get(0),
        yaml);
  }

  private static Unstructured read(Path file) {
    try {
      return Unstructured.parseYaml(Files.readString(file)).get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A controller that says in the status that the user must change the object. */
  static final class MisconfiguredException extends Exception {

    private static final long serialVersionUID = 1;

    MisconfiguredException(String message) {
      super(message);
    }
  }

  /** Returns a simulation of a controller that makes one config map for each object. */
  ControllerSimulation simulation(Code code) {
    return simulationOf(process -> code);
  }

  /** Returns the same, with code for each process. */
  ControllerSimulation simulationOf(Function<SimulatedProcess, Code> code) {
    return ControllerSimulation.of(process -> process.run(controller(code.apply(process))))
        .prepare(this::install);
  }

  ResourceType<Unstructured> type() {
    return type;
  }

  Unstructured start() {
    return start;
  }

  Exploration exploration(ControllerSimulation simulation) {
    return simulation.explore(type, start);
  }

  private Controller controller(Code code) {
    return Controller.builder((request, context) -> reconcile(code, request, context))
        .named("children")
        .forKind(ofController)
        .owns(ConfigMap.TYPE)
        .build();
  }

  private Result reconcile(Code code, Request request, Context context) throws Exception {
    Optional<Unstructured> found = context.client().resource(ofController).find(request);
    if (found.isPresent()) {
      String namespace = request.namespace().isEmpty() ? "default" : request.namespace();
      var children = context.client().resource(ConfigMap.TYPE).inNamespace(namespace);
      Map<String, String> before = children.find("child").map(ConfigMap::data).orElse(Map.of());
      Map<String, String> data;
      try {
        data = new TreeMap<>(code.data(found.get(), before));
      } catch (MisconfiguredException e) {
        report(context, found.get(), "False", "Misconfigured");
        throw e;
      }
      boolean owned = data.remove(ORPHAN) == null;
      ConfigMap child = ConfigMap.of(namespace, "child", map -> map.data(data));
      children.apply(owned ? OwnerReferences.setController(child, found.get()) : child);
      report(context, found.get(), "True", "Done");
    }
    return Result.done();
  }

  private void report(Context context, Unstructured object, String ready, String reason)
      throws InterruptedException {
    Map<String, String> condition = Map.of("type", "Ready", "status", ready, "reason", reason);
    CachedResource<Unstructured> objects = context.client().resource(ofController);
    UnaryOperator<Unstructured> edit = o -> o.with(List.of(condition), "status", "conditions");
    if (hasStatus) {
      objects.editStatus(object, edit);
    } else {
      objects.edit(object, edit);
    }
  }

  private void install(RESTClient client) throws Exception {
    ResourceClient<Unstructured> definitions = client.dynamic(DEFINITIONS);
    definitions.create(definition);
    definitions.await(
        String.valueOf(definition.metadata().name()),
        found -> found.flatMap(one -> one.nestedList("status", "conditions")).isPresent(),
        Duration.ofMinutes(1));
  }
}
