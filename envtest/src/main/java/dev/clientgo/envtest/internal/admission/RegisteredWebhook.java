package dev.clientgo.envtest.internal.admission;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.cel.CelCompiler.CelException;
import dev.clientgo.envtest.internal.cel.MatchConditions;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A webhook in a configuration on the server. */
record RegisteredWebhook(Map<String, Object> tree) {

  String name() {
    return JsonTree.string(tree, "name");
  }

  /**
   * Returns whether a request meets the conditions.
   *
   * @throws CelException if that cannot be found out, and the failure counts
   */
  boolean matches(Map<String, Object> admissionRequest) throws CelException {
    try {
      return MatchConditions.match(tree, admissionRequest);
    } catch (CelException e) {
      if (isIgnoredOnFailure()) {
        return false;
      }
      throw e;
    }
  }

  boolean isIgnoredOnFailure() {
    return JsonTree.string(tree, "failurePolicy").equals("Ignore");
  }

  /** Returns whether the webhook says that it may be called for requests that store nothing. */
  boolean takesDryRuns() {
    return List.of("None", "NoneOnDryRun").contains(JsonTree.string(tree, "sideEffects"));
  }

  /** Returns where the webhook is. */
  Map<String, Object> clientConfig() {
    return JsonTree.object(tree, "clientConfig");
  }

  int timeoutSeconds() {
    Long seconds = JsonTree.number(tree, "timeoutSeconds");
    return seconds == null ? 10 : seconds.intValue();
  }

  /** Returns whether a rule of the webhook is for this request. */
  boolean concerns(ApiRequest request, ServedKind served, String operation) {
    return JsonTree.objects(tree, "rules").stream()
        .anyMatch(
            rule ->
                names(rule, "operations", operation)
                    && names(rule, "apiGroups", request.group())
                    && names(rule, "apiVersions", request.version())
                    && namesResource(rule, request)
                    && hasScope(rule, served));
  }

  private static boolean names(Map<String, Object> rule, String field, String value) {
    List<String> values = JsonTree.strings(rule, field);
    return values.contains("*") || values.contains(value);
  }

  private static boolean namesResource(Map<String, Object> rule, ApiRequest request) {
    String resource = request.resource();
    String subresource = request.subresource();
    List<String> names = JsonTree.strings(rule, "resources");
    if (names.contains("*/*")) {
      return true;
    }
    return subresource.isEmpty()
        ? names.contains("*") || names.contains(resource) || names.contains(resource + "/*")
        : names.contains("*/" + subresource)
            || names.contains(resource + "/*")
            || names.contains(resource + "/" + subresource);
  }

  private static boolean hasScope(Map<String, Object> rule, ServedKind served) {
    return switch (JsonTree.string(rule, "scope")) {
      case "Namespaced" -> served.resource().namespaced();
      case "Cluster" -> !served.resource().namespaced();
      default -> true;
    };
  }

  /** Returns whether the selector of namespaces selects this one; null for an object without. */
  boolean selectsNamespace(@Nullable ObjectMeta namespace) {
    return namespace == null || selector("namespaceSelector").matches(namespace.labels());
  }

  /** Returns whether the selector of objects selects the object before or after the request. */
  boolean selectsObject(@Nullable Unstructured object, @Nullable Unstructured old) {
    Selector selector = selector("objectSelector");
    return (object != null && selector.matches(object.metadata().labels()))
        || (old != null && selector.matches(old.metadata().labels()));
  }

  private Selector selector(String field) {
    Map<String, Object> labels = JsonTree.object(tree, field);
    return Selector.of(JsonReader.fromBytes(LabelSelector.CODEC, JsonText.write(labels)));
  }
}
