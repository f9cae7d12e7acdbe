package dev.clientgo.envtest;

import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Binding pods to nodes, as a scheduler does. Whether there is such a node, nobody asks. */
final class Bindings {

  private static final GroupResource BINDING = new GroupResource("", "pods/binding");

  private final Store store;
  private final Clock clock;

  Bindings(Store store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  Response create(ApiRequest request, Served served) {
    Map<String, Object> binding = Tree.asObject(Json.parse(request.body()));
    if (!Tree.string(binding, "metadata", "name").equals(request.name())) {
      throw ApiStatusException.badRequest("name in URL does not match name in Binding object");
    }
    String node = target(binding);
    boolean dryRun = WriteOptions.isDryRun(request, "CreateOptions");
    while (true) {
      Stored pod = store.get(served.groupResource(), served.key(request));
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
    String kind = Tree.string(binding, "target", "kind");
    if (!kind.isEmpty() && !kind.equals("Node")) {
      throw Failures.unexplained(
          "target.kind: Unsupported value: \""
              + kind
              + "\": supported values: \"Node\", \"<empty>\"");
    }
    String node = Tree.string(binding, "target", "name");
    if (node.isEmpty()) {
      throw Failures.unexplained("target.name: Required value");
    }
    return node;
  }

  private Unstructured bound(Stored pod, String node) {
    String present = Lookup.string(pod.object(), "spec", "nodeName");
    if (!present.isEmpty()) {
      throw ApiStatusException.conflict(
          BINDING,
          pod.name(),
          "pod " + pod.name() + " is already assigned to node \"" + present + '"');
    }
    List<Map<String, Object>> conditions =
        new ArrayList<>(Lookup.objects(pod.object(), "status", "conditions"));
    conditions.removeIf(condition -> "PodScheduled".equals(condition.get("type")));
    conditions.add(
        Tree.of(
            "type", "PodScheduled",
            "status", "True",
            "lastTransitionTime", Time.now(clock).toString()));
    return pod.object().with(node, "spec", "nodeName").with(conditions, "status", "conditions");
  }
}
