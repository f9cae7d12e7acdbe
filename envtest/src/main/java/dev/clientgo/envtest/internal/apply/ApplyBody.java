package dev.clientgo.envtest.internal.apply;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.json.YamlText;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.requests.QueryParameters;
import dev.clientgo.envtest.internal.schema.KnownFields;
import dev.clientgo.envtest.internal.schema.MergeRules;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the configurations that clients apply. */
public final class ApplyBody {

  private static final String MEDIA_TYPE = dev.clientgo.apimachinery.patch.Patch.APPLY;

  private ApplyBody() {}

  /** Returns whether a request is a server-side apply. */
  public static boolean isApply(ApiRequest request) {
    return request.verb().equals("patch") && request.contentType().equals(MEDIA_TYPE);
  }

  /** Returns whether the request takes over fields that other managers own. */
  public static boolean isForced(ApiRequest request) {
    return Boolean.TRUE.equals(QueryParameters.flag(request, "force"));
  }

  /**
   * Checks the options of a patch; some are only for apply, some only for other patches.
   *
   * @throws ApiStatusException if they are invalid
   */
  public static void checkOptions(ApiRequest request) {
    boolean apply = isApply(request);
    List<StatusCause> problems = List.of();
    if (apply && request.query("fieldManager").isEmpty()) {
      problems = List.of(FieldErrors.required("fieldManager", "is required for apply patch"));
    } else if (!apply && isForced(request)) {
      String problem = "may not be specified for non-apply patch";
      problems = List.of(FieldErrors.forbidden("force", problem));
    }
    FieldErrors.throwIfAny("PatchOptions", problems);
  }

  /**
   * Returns the configuration in the body, checked for its {@code apiVersion} and {@code kind}, and
   * without them.
   *
   * @throws ApiStatusException if the body is not a configuration of that kind
   */
  public static Unstructured configuration(ApiRequest request, ServedKind served) {
    Unstructured configuration = parse(request);
    GroupVersionKind kind = configuration.groupVersionKind();
    if (!configuration.kind().equals(served.kind())
        || !configuration.apiVersion().equals(served.apiVersion())) {
      throw ApiStatusException.badRequest("invalid object type: " + kind);
    }
    checkNotManaged(configuration);
    Unstructured bare = configuration.withType("", "");
    String undeclared = undeclared("", bare.content(), served.fields(), served.rules());
    if (undeclared != null) {
      throw ApiErrors.unexplained(
          "failed to create typed patch object (%s/%s; %s): %s: field not declared in schema"
              .formatted(
                  requireNonNullElse(bare.metadata().namespace(), ""),
                  requireNonNullElse(bare.metadata().name(), ""),
                  kind,
                  undeclared));
    }
    return bare;
  }

  /** Returns the path of the first unknown field, or null. */
  private static @Nullable String undeclared(
      String path, @Nullable Object value, KnownFields known, MergeRules rules) {
    if (known.isOpaque()) {
      return null;
    }
    if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        String step = rules.step(list.get(i));
        String below = path + (step == null ? "[" + i + "]" : FieldPaths.describe(step));
        String found = undeclared(below, list.get(i), known.items(), rules.items());
        if (found != null) {
          return found;
        }
      }
    }
    for (Map.Entry<String, Object> entry : JsonTree.asObject(value).entrySet()) {
      String name = entry.getKey();
      String below = path + "." + name;
      KnownFields field = known.known(name);
      String found =
          field == null ? below : undeclared(below, entry.getValue(), field, rules.field(name));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /**
   * Returns the {@code Scale} in the body.
   *
   * @throws ApiStatusException if the body is not a {@code Scale}
   */
  public static Unstructured scale(ApiRequest request) {
    Unstructured scale = parse(request);
    if (!scale.kind().equals("Scale") || !scale.apiVersion().equals("autoscaling/v1")) {
      throw ApiStatusException.badRequest("invalid object type: " + scale.groupVersionKind());
    }
    checkNotManaged(scale);
    return scale;
  }

  private static void checkNotManaged(Unstructured configuration) {
    if (!configuration.metadata().managedFields().isEmpty()) {
      throw ApiStatusException.badRequest("metadata.managedFields must be nil");
    }
  }

  private static Unstructured parse(ApiRequest request) {
    try {
      return JsonText.parseObject(YamlText.toJson(request.body()));
    } catch (CodecException e) {
      throw ApiStatusException.badRequest("error decoding patch: " + e.getMessage());
    }
  }
}
