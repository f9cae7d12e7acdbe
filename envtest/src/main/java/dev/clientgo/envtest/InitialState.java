package dev.clientgo.envtest;

import dev.clientgo.envtest.Resource.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What some kinds begin with, whatever the client sent. */
final class InitialState {

  private InitialState() {}

  static Map<String, Object> of(Resource resource, Version version, Map<String, Object> object) {
    if (resource.group().isEmpty()) {
      switch (resource.kind()) {
        case "Namespace" -> {
          return namespace(object);
        }
        case "Node" -> {
          return object; // A kubelet registers its node together with the status.
        }
        case "Pod" -> {
          return withStatus(object, Tree.of("phase", "Pending", "qosClass", "BestEffort"));
        }
        case "PersistentVolume", "PersistentVolumeClaim" -> {
          return withStatus(object, Tree.of("phase", "Pending"));
        }
        default -> {}
      }
    }
    if (!version.hasStatus()) {
      return object;
    }
    return withStatus(object, resource.is(Resource.Trait.CUSTOM) ? null : Map.of());
  }

  private static Map<String, Object> namespace(Map<String, Object> sent) {
    List<Object> finalizers = new ArrayList<>(Tree.strings(sent, "spec", "finalizers"));
    if (!finalizers.contains("kubernetes")) {
      finalizers.add("kubernetes");
    }
    Map<String, Object> object = Tree.with(sent, finalizers, "spec", "finalizers");
    object =
        Tree.with(
            object,
            Tree.string(sent, "metadata", "name"),
            "metadata",
            "labels",
            "kubernetes.io/metadata.name");
    return withStatus(object, Tree.of("phase", "Active"));
  }

  private static Map<String, Object> withStatus(
      Map<String, Object> object, @Nullable Map<String, Object> status) {
    return Tree.with(object, status, "status");
  }
}
