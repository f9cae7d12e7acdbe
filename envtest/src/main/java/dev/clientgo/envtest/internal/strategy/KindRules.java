package dev.clientgo.envtest.internal.strategy;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.cel.MatchConditions;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.CustomResourceDefinition;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.storage.StoredObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rules that apply to single kinds. */
public final class KindRules {

  private static final String[] NAMESPACE_FINALIZERS = {"spec", "finalizers"};

  private KindRules() {}

  /** Returns a new object with its initial status, whatever status the client sent. */
  public static Unstructured create(ServedKind served, Unstructured object) {
    switch (served.resource().group().isEmpty() ? served.kind() : "") {
      case "Namespace" -> {
        return namespace(object);
      }
      case "Node" -> {
        return object; // A kubelet registers its node with a status.
      }
      case "Pod" -> {
        return object.with(Map.of("phase", "Pending", "qosClass", "BestEffort"), "status");
      }
      case "PersistentVolume", "PersistentVolumeClaim" -> {
        return object.with(Map.of("phase", "Pending"), "status");
      }
      default -> {}
    }
    if (served.resource().isDefinition()) {
      return CustomResourceDefinition.create(object);
    }
    if (!served.hasStatus()) {
      return object;
    }
    return served.isCustom() ? object.without("status") : object.with(Map.of(), "status");
  }

  /** Returns a new namespace with its initial status. */
  public static Unstructured namespace(Unstructured sent) {
    List<String> finalizers =
        new ArrayList<>(JsonTree.strings(sent.content(), NAMESPACE_FINALIZERS));
    if (!finalizers.contains("kubernetes")) {
      finalizers.add("kubernetes");
    }
    return withNameLabel(sent)
        .with(finalizers, NAMESPACE_FINALIZERS)
        .with(Map.of("phase", "Active"), "status");
  }

  /** Returns a replaced object with the fields restored that a PUT cannot change. */
  public static Unstructured update(ServedKind served, Unstructured object, StoredObject old) {
    if (served.resource().isNamespace()) {
      return withFinalizersOf(old.object(), withNameLabel(object));
    }
    return served.resource().isDefinition() ? CustomResourceDefinition.update(object) : object;
  }

  /** Returns the errors of an object outside its metadata; {@code old} is null for a new one. */
  public static List<StatusCause> problems(
      ServedKind served, Unstructured object, @Nullable StoredObject old) {
    String kind = served.resource().group().isEmpty() ? served.kind() : "";
    if (kind.equals("ConfigMap") || kind.equals("Secret")) {
      return DataSizeLimit.problems(kind, object);
    }
    if (served.kind().endsWith("WebhookConfiguration") && !served.isCustom()) {
      return MatchConditions.problems(object.content());
    }
    return served.resource().isDefinition()
        ? CustomResourceDefinition.problems(object)
        : served
            .version()
            .schema()
            .problems(typed(served, object), old == null ? null : typed(served, old.object()));
  }

  private static Map<String, Object> typed(ServedKind served, Unstructured object) {
    return object.withType(served.apiVersion(), served.kind()).content();
  }

  /** Returns a namespace with the finalizers of another. */
  public static Unstructured withFinalizersOf(Unstructured source, Unstructured namespace) {
    Optional<List<Object>> finalizers = source.nestedList(NAMESPACE_FINALIZERS);
    return finalizers.isPresent()
        ? namespace.with(finalizers.get(), NAMESPACE_FINALIZERS)
        : namespace.without(NAMESPACE_FINALIZERS);
  }

  /** Returns whether a namespace still has finalizers in its spec. */
  public static boolean hasFinalizers(Unstructured namespace) {
    return !JsonTree.strings(namespace.content(), NAMESPACE_FINALIZERS).isEmpty();
  }

  private static Unstructured withNameLabel(Unstructured namespace) {
    ObjectMeta metadata = namespace.metadata();
    Map<String, String> labels = new LinkedHashMap<>(metadata.labels());
    labels.put("kubernetes.io/metadata.name", requireNonNullElse(metadata.name(), ""));
    return namespace.withMetadata(metadata.toBuilder().labels(labels).build());
  }
}
