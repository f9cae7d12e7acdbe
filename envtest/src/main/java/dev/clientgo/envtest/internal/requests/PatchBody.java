package dev.clientgo.envtest.internal.requests;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.patch.JsonPatch.Op;
import dev.clientgo.apimachinery.patch.JsonPatch.Operation;
import dev.clientgo.apimachinery.patch.JsonPointer;
import dev.clientgo.apimachinery.patch.MergePatch;
import dev.clientgo.apimachinery.patch.PatchException;
import dev.clientgo.apimachinery.patch.StrategicMergePatch;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.schema.BuiltInMergeRules;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A patch in the body of a request. */
public interface PatchBody {

  /** As in kube-apiserver. */
  int MAX_OPERATIONS = 10_000;

  /**
   * Returns the patched object.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the patch does not apply
   */
  Map<String, Object> apply(Map<String, Object> object);

  /**
   * Reads the patch of a request.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if it is invalid, or the kind does
   *     not support its type
   */
  static PatchBody of(ApiRequest request, ServedKind served) {
    switch (request.contentType()) {
      case MergePatch.MEDIA_TYPE -> {
        Object patch = parse(request);
        if (!(patch instanceof Map)) {
          throw ApiStatusException.badRequest("error decoding patch: a merge patch is an object");
        }
        return object -> JsonTree.asObject(MergePatch.apply(object, patch));
      }
      case JsonPatch.MEDIA_TYPE -> {
        JsonPatch patch = jsonPatch(parse(request));
        return object -> apply(patch, object);
      }
      case StrategicMergePatch.MEDIA_TYPE -> {
        if (served.isCustom()) {
          throw ApiErrors.unsupportedMediaType(accepted(served));
        }
        Object patch = parse(request);
        if (!(patch instanceof Map)) {
          throw ApiStatusException.badRequest(
              "json: cannot unmarshal array into Go value of type map[string]interface {}");
        }
        return object -> strategic(object, JsonTree.asObject(patch));
      }
      default -> throw ApiErrors.unsupportedMediaType(accepted(served));
    }
  }

  private static Map<String, Object> strategic(
      Map<String, Object> object, Map<String, Object> patch) {
    try {
      return StrategicMergePatch.apply(object, patch, BuiltInMergeRules.ROOT.patchSchema());
    } catch (PatchException e) {
      throw ApiErrors.unexplained(String.valueOf(e.getMessage()));
    }
  }

  private static JsonPatch jsonPatch(@Nullable Object patch) {
    if (!(patch instanceof List<?> operations)) {
      throw ApiStatusException.badRequest("error decoding patch: a JSON patch is an array");
    }
    if (operations.size() > MAX_OPERATIONS) {
      throw ApiStatusException.requestEntityTooLarge(
          "The allowed maximum operations in a JSON patch is "
              + MAX_OPERATIONS
              + ", got "
              + operations.size());
    }
    try {
      return JsonPatch.of(patch);
    } catch (PatchException e) {
      throw ApiErrors.unprocessable();
    }
  }

  private static Map<String, Object> apply(JsonPatch patch, Map<String, Object> object) {
    Object document = object;
    long copied = 0;
    try {
      for (Operation operation : patch.operations()) {
        copied += operation.copiedBytes(document);
        if (copied > JsonPatch.MAX_COPIED_BYTES) {
          throw ApiErrors.unprocessable();
        }
        document = new JsonPatch(List.of(lenient(operation, document))).apply(document);
      }
    } catch (PatchException e) {
      throw ApiErrors.unprocessable();
    }
    return JsonTree.asObject(document);
  }

  /** Lets "replace" add a missing field, as kube-apiserver does in spite of RFC 6902. */
  private static Operation lenient(Operation operation, @Nullable Object document) {
    JsonPointer path = operation.path();
    boolean absentField =
        !path.isIn(document) && path.parent().get(document).orElse(null) instanceof Map;
    return operation.op() == Op.REPLACE && absentField
        ? new Operation(Op.ADD, path, null, operation.value())
        : operation;
  }

  private static String accepted(ServedKind served) {
    return served.isCustom()
        ? "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"
        : "application/json-patch+json, application/merge-patch+json,"
            + " application/strategic-merge-patch+json, application/apply-patch+yaml";
  }

  private static @Nullable Object parse(ApiRequest request) {
    try {
      return JsonText.parse(request.body());
    } catch (CodecException e) {
      throw ApiStatusException.badRequest("invalid JSON patch");
    }
  }
}
