package dev.clientgo.envtest.internal.verbs;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.admission.Admission;
import dev.clientgo.envtest.internal.apply.ApplyBody;
import dev.clientgo.envtest.internal.apply.FieldManager;
import dev.clientgo.envtest.internal.conversion.VersionConverter;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.Resource.ScalePaths;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.requests.PatchBody;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Handles the subresource {@code scale}: the desired and actual number of replicas. */
final class ScaleHandler {

  private final ObjectStore store;
  private final WriteHandler writes;
  private final FieldManager tracking;
  private final VersionConverter versions;

  ScaleHandler(
      ObjectStore store, WriteHandler writes, FieldManager tracking, VersionConverter versions) {
    this.store = store;
    this.writes = writes;
    this.tracking = tracking;
    this.versions = versions;
  }

  Response answer(ApiRequest request, ServedKind served, Admission admission) {
    return switch (request.verb()) {
      case "get" -> get(request, served);
      case "update" -> write(request, served, admission, scale -> sent(request));
      default -> patch(request, served, admission);
    };
  }

  private Response patch(ApiRequest request, ServedKind served, Admission admission) {
    ApplyBody.checkOptions(request);
    if (ApplyBody.isApply(request)) {
      return apply(request, served, admission);
    }
    PatchBody patch = PatchBody.of(request, served);
    return write(request, served, admission, patch::apply);
  }

  private Response apply(ApiRequest request, ServedKind served, Admission admission) {
    Map<String, Object> scale = ApplyBody.scale(request).content();
    WriteHandler.checkName(request, JsonTree.string(scale, "metadata", "name"));
    StoredObject stored =
        writes.replace(
            request,
            served,
            admission.done(),
            old -> applied(request, served, old, admitted(admission, served, old, scale)));
    return Response.tree(200, scale(served, stored));
  }

  /** Asks webhooks about a scale; an applied configuration has only the fields of its manager. */
  private static Map<String, Object> admitted(
      Admission admission, ServedKind served, StoredObject old, Map<String, Object> scale) {
    Unstructured before = Unstructured.of(scale(served, old));
    return admission.scale(Unstructured.of(scale), before).content();
  }

  private Unstructured applied(
      ApiRequest request, ServedKind served, StoredObject old, Map<String, Object> scale) {
    Long replicas = JsonTree.number(scale, "spec", "replicas");
    if (replicas != null && replicas < 0) {
      throw negative(request, served, replicas);
    }
    boolean force = ApplyBody.isForced(request);
    Unstructured applied =
        tracking.appliedScale(request, served, old, paths(served).spec(), replicas, force);
    return applied.withMetadata(withVersion(applied.metadata(), scale, old));
  }

  /** A version in the scale is that of the object. */
  private static ObjectMeta withVersion(
      ObjectMeta metadata, Map<String, Object> scale, StoredObject old) {
    String version = JsonTree.string(scale, "metadata", "resourceVersion");
    return metadata.toBuilder()
        .resourceVersion(version.isEmpty() ? Long.toString(old.revision()) : version)
        .build();
  }

  private Response get(ApiRequest request, ServedKind served) {
    StoredObject stored = store.get(served.groupResource(), served.key(request));
    if (stored == null) {
      throw ApiStatusException.notFound(served.groupResource(), request.name());
    }
    return Response.tree(200, scale(served, versions.read(served, stored)));
  }

  private static Map<String, Object> sent(ApiRequest request) {
    return JsonTree.asObject(JsonText.parse(request.body()));
  }

  private Response write(
      ApiRequest request,
      ServedKind served,
      Admission admission,
      UnaryOperator<Map<String, Object>> change) {
    StoredObject stored =
        writes.replace(
            request,
            served,
            admission.done(),
            old -> {
              Map<String, Object> wanted = change.apply(scale(served, old));
              return scaled(request, served, old, admitted(admission, served, old, wanted));
            });
    return Response.tree(200, scale(served, stored));
  }

  private static Unstructured scaled(
      ApiRequest request, ServedKind served, StoredObject old, Map<String, Object> scale) {
    WriteHandler.checkName(request, JsonTree.string(scale, "metadata", "name"));
    Long sent = JsonTree.number(scale, "spec", "replicas");
    long replicas = sent == null ? 0 : sent;
    if (replicas < 0) {
      throw negative(request, served, replicas);
    }
    return old.object()
        .withMetadata(withVersion(old.metadata(), scale, old))
        .with(replicas, paths(served).spec().toArray(new String[0]));
  }

  private static ApiStatusException negative(ApiRequest request, ServedKind served, long replicas) {
    boolean custom = served.isCustom();
    String path = String.join(".", paths(served).spec());
    StatusCause cause =
        FieldErrors.invalid(
            custom ? "." + path : path,
            Long.toString(replicas),
            custom ? "should be a non-negative integer" : "must be greater than or equal to 0");
    GroupKind kind =
        custom
            ? new GroupKind(served.resource().group(), served.kind())
            : new GroupKind("autoscaling", "Scale");
    return ApiStatusException.invalid(kind, request.name(), List.of(cause));
  }

  private static ScalePaths paths(ServedKind served) {
    return requireNonNull(served.version().scale(), "scale");
  }

  private static Map<String, Object> scale(ServedKind served, StoredObject stored) {
    Map<String, Object> object = stored.object().content();
    Map<String, Object> metadata = JsonTree.object(object, "metadata");
    Map<String, Object> own = new LinkedHashMap<>();
    for (String name :
        List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
      if (metadata.containsKey(name)) {
        own.put(name, metadata.get(name));
      }
    }
    ScalePaths paths = paths(served);
    Map<String, Object> spec = JsonTree.of("replicas", number(object, paths.spec()));
    Long now = number(object, paths.status());
    String selector = selector(served, JsonTree.get(object, array(paths.selector())));
    Map<String, Object> status =
        JsonTree.builder()
            .put("replicas", now == null ? (Long) 0L : now)
            .put("selector", selector.isEmpty() ? null : selector)
            .build();
    return JsonTree.of(
        "kind", "Scale",
        "apiVersion", "autoscaling/v1",
        "metadata", own,
        "spec", spec,
        "status", status);
  }

  private static String[] array(List<String> path) {
    return path.toArray(new String[0]);
  }

  private static @Nullable Long number(Map<String, Object> object, List<String> path) {
    return JsonTree.number(object, array(path));
  }

  /** A selector is a string, a map of labels, or a label selector. */
  private static String selector(ServedKind served, @Nullable Object value) {
    if (value instanceof String text && served.isCustom()) {
      return text;
    }
    if (!(value instanceof Map<?, ?>) || served.isCustom()) {
      return "";
    }
    boolean plain = served.resource().group().isEmpty();
    Map<String, Object> tree = plain ? JsonTree.of("matchLabels", value) : JsonTree.asObject(value);
    LabelSelector labels = JsonReader.fromBytes(LabelSelector.CODEC, JsonText.write(tree));
    return Selector.of(labels).toString();
  }
}
