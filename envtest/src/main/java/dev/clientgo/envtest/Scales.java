package dev.clientgo.envtest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.StatusCause;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.Resource.ScalePaths;
import dev.clientgo.envtest.Resource.Trait;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The {@code scale} of objects: how many replicas they want and have. */
final class Scales {

  private final Store store;
  private final Writes writes;
  private final FieldTracking tracking;

  Scales(Store store, Writes writes, FieldTracking tracking) {
    this.store = store;
    this.writes = writes;
    this.tracking = tracking;
  }

  Response answer(ApiRequest request, Served served) {
    return switch (request.verb()) {
      case "get" -> get(request, served);
      case "update" -> write(request, served, scale -> sent(request));
      default -> patch(request, served);
    };
  }

  private Response patch(ApiRequest request, Served served) {
    Applies.checkOptions(request);
    if (Applies.isApply(request)) {
      return apply(request, served);
    }
    Patch patch = Patch.of(request, served);
    return write(request, served, patch::apply);
  }

  private Response apply(ApiRequest request, Served served) {
    Map<String, Object> scale = Applies.scale(request).content();
    Writes.checkName(request, Tree.string(scale, "metadata", "name"));
    Stored stored = writes.replace(request, served, old -> applied(request, served, old, scale));
    return Response.tree(200, scale(served, stored));
  }

  private Unstructured applied(
      ApiRequest request, Served served, Stored old, Map<String, Object> scale) {
    Long replicas = Tree.number(scale, "spec", "replicas");
    if (replicas != null && replicas < 0) {
      throw negative(request, served, replicas);
    }
    boolean force = Applies.isForced(request);
    Unstructured applied =
        tracking.appliedScale(request, served, old, paths(served).spec(), replicas, force);
    return applied.withMetadata(withVersion(applied.metadata(), scale, old));
  }

  /** The version that a scale names, if it does, is that of the object. */
  private static ObjectMeta withVersion(
      ObjectMeta metadata, Map<String, Object> scale, Stored old) {
    String version = Tree.string(scale, "metadata", "resourceVersion");
    return metadata.toBuilder()
        .resourceVersion(version.isEmpty() ? Long.toString(old.revision()) : version)
        .build();
  }

  private Response get(ApiRequest request, Served served) {
    Stored stored = store.get(served.groupResource(), served.key(request));
    if (stored == null) {
      throw ApiStatusException.notFound(served.groupResource(), request.name());
    }
    return Response.tree(200, scale(served, stored));
  }

  private static Map<String, Object> sent(ApiRequest request) {
    return Tree.asObject(Json.parse(request.body()));
  }

  private Response write(
      ApiRequest request, Served served, UnaryOperator<Map<String, Object>> change) {
    Stored stored =
        writes.replace(
            request, served, old -> scaled(request, served, old, change.apply(scale(served, old))));
    return Response.tree(200, scale(served, stored));
  }

  private static Unstructured scaled(
      ApiRequest request, Served served, Stored old, Map<String, Object> scale) {
    Writes.checkName(request, Tree.string(scale, "metadata", "name"));
    Long sent = Tree.number(scale, "spec", "replicas");
    long replicas = sent == null ? 0 : sent;
    if (replicas < 0) {
      throw negative(request, served, replicas);
    }
    return old.object()
        .withMetadata(withVersion(old.metadata(), scale, old))
        .with(replicas, paths(served).spec().toArray(new String[0]));
  }

  private static ApiStatusException negative(ApiRequest request, Served served, long replicas) {
    boolean custom = served.is(Trait.CUSTOM);
    String path = String.join(".", paths(served).spec());
    StatusCause cause =
        Failures.invalidValue(
            custom ? "." + path : path,
            Long.toString(replicas),
            custom ? "should be a non-negative integer" : "must be greater than or equal to 0");
    GroupKind kind =
        custom
            ? new GroupKind(served.resource().group(), served.kind())
            : new GroupKind("autoscaling", "Scale");
    return ApiStatusException.invalid(kind, request.name(), List.of(cause));
  }

  private static ScalePaths paths(Served served) {
    return requireNonNull(served.version().scale(), "scale");
  }

  private static Map<String, Object> scale(Served served, Stored stored) {
    Map<String, Object> object = stored.object().content();
    Map<String, Object> metadata = Tree.object(object, "metadata");
    Map<String, Object> own = new LinkedHashMap<>();
    for (String name :
        List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
      if (metadata.containsKey(name)) {
        own.put(name, metadata.get(name));
      }
    }
    ScalePaths paths = paths(served);
    Map<String, Object> spec = Tree.of("replicas", number(object, paths.spec()));
    Long now = number(object, paths.status());
    String selector = selector(served, Tree.get(object, array(paths.selector())));
    Map<String, Object> status =
        Tree.of(
            "replicas",
            now == null ? (Long) 0L : now,
            "selector",
            selector.isEmpty() ? null : selector);
    return Tree.of(
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
    return Tree.number(object, array(path));
  }

  /** A selector is text, labels, or a selector of labels. */
  private static String selector(Served served, @Nullable Object value) {
    if (value instanceof String text && served.is(Trait.CUSTOM)) {
      return text;
    }
    if (!(value instanceof Map<?, ?>) || served.is(Trait.CUSTOM)) {
      return "";
    }
    boolean plain = served.resource().group().isEmpty();
    Map<String, Object> tree = plain ? Tree.of("matchLabels", value) : Tree.asObject(value);
    LabelSelector labels = JsonReader.fromBytes(LabelSelector.CODEC, Json.write(tree));
    return Selector.of(labels).toString();
  }
}
