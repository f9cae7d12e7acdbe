package dev.clientgo.envtest.internal.verbs;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.requests.WriteOptions;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Binds pods to nodes, as a scheduler asks for. It does not check whether the node exists. */
final class BindingHandler {

  private static final GroupResource BINDING = new GroupResource("", "pods/binding");

  private final ObjectStore store;
  private final Clock clock;

  BindingHandler(ObjectStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  Response create(ApiRequest request, ServedKind served) {
    Map<String, Object> binding = JsonTree.asObject(JsonText.parse(request.body()));
    if (!JsonTree.string(binding, "metadata", "name").equals(request.name())) {
      throw ApiStatusException.badRequest("name in URL does not match name in Binding object");
    }
    String node = target(binding);
    boolean dryRun = WriteOptions.isDryRun(request, "CreateOptions");
    while (true) {
      StoredObject pod = store.get(served.groupResource(), served.key(request));
      if (pod == null) {
        throw ApiStatusException.notFound(served.groupResource(), request.name());
      }
      Unstructured bound = bound(pod, node);
      if (dryRun || store.put(served.groupResource(), pod.key(), pod, bound) != null) {
        return Response.done(201);
      }
    }
  }

  private static String target(Map<String, Object> binding) {
    String kind = JsonTree.string(binding, "target", "kind");
    if (!kind.isEmpty() && !kind.equals("Node")) {
      throw ApiErrors.unexplained(
          "target.kind: Unsupported value: \"%s\": supported values: \"Node\", \"<empty>\""
              .formatted(kind));
    }
    String node = JsonTree.string(binding, "target", "name");
    if (node.isEmpty()) {
      throw ApiErrors.unexplained("target.name: Required value");
    }
    return node;
  }

  private Unstructured bound(StoredObject pod, String node) {
    String present = JsonTree.string(pod.object().content(), "spec", "nodeName");
    if (!present.isEmpty()) {
      throw ApiStatusException.conflict(
          BINDING,
          pod.name(),
          "pod " + pod.name() + " is already assigned to node \"" + present + '"');
    }
    List<Map<String, Object>> conditions =
        new ArrayList<>(JsonTree.objects(pod.object().content(), "status", "conditions"));
    conditions.removeIf(condition -> "PodScheduled".equals(condition.get("type")));
    conditions.add(
        JsonTree.of(
            "type", "PodScheduled",
            "status", "True",
            "lastTransitionTime", Time.now(clock).toString()));
    return pod.object().with(node, "spec", "nodeName").with(conditions, "status", "conditions");
  }
}
