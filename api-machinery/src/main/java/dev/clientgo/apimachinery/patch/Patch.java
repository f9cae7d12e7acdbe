package dev.clientgo.apimachinery.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import java.util.Map;

/**
 * A patch for a server: its body and its media type. Immutable. Corresponds to apimachinery's
 * {@code types.PatchType} with a body.
 *
 * @param mediaType the media type, which names the form
 * @param body the patch in that form
 */
public record Patch(String mediaType, RawJson body) {

  /** The media type of strategic merge patches, which only built-in types support. */
  public static final String STRATEGIC_MERGE = "application/strategic-merge-patch+json";

  /** The media type of apply patches; JSON is YAML. */
  public static final String APPLY = "application/apply-patch+yaml";

  public Patch {
    requireNonNull(mediaType, "mediaType");
    requireNonNull(body, "body");
  }

  /** Returns a JSON patch. */
  public static Patch json(JsonPatch patch) {
    return of(JsonPatch.MEDIA_TYPE, patch.toTree());
  }

  /**
   * Returns a merge patch: null removes a field, an object merges recursively, any other value
   * replaces.
   */
  public static Patch merge(Map<String, ?> patch) {
    return of(MergePatch.MEDIA_TYPE, patch);
  }

  /**
   * Returns a merge patch written as JSON: {@code Patch.merge("{\"spec\": {\"replicas\": 3}}")}.
   *
   * @throws dev.clientgo.apimachinery.errors.CodecException if this is not JSON
   * @throws IllegalArgumentException if this is JSON, but not an object
   */
  public static Patch merge(String json) {
    Object tree = JsonReader.fromBytes(JsonCodecs.TREE, json.getBytes(UTF_8));
    if (!(tree instanceof Map<?, ?>)) {
      throw new IllegalArgumentException("expected a JSON object as merge patch, found " + tree);
    }
    return of(MergePatch.MEDIA_TYPE, tree);
  }

  /**
   * Returns the merge patch that turns one object into another. It omits all fields that are equal
   * in both, so it keeps changes that others make to them. It replaces lists as a whole.
   * Corresponds to controller-runtime's {@code client.MergeFrom}.
   *
   * @param codec the codec of the type
   * @throws IllegalArgumentException if one of the objects lacks fields, because it was read with a
   *     projection: the patch would replace a list by what was read of it
   */
  public static <T> Patch merge(JsonCodec<T> codec, T original, T modified) {
    return merge(MergePatch.create(tree(codec, original), tree(codec, modified)));
  }

  /**
   * Returns the same patch with a precondition: the server answers with a conflict if the object
   * has changed. Corresponds to controller-runtime's {@code client.MergeFromWithOptimisticLock}.
   *
   * @throws PatchException if the original has no resourceVersion to compare
   */
  public static <T> Patch mergeIfUnchanged(JsonCodec<T> codec, T original, T modified) {
    Map<String, Object> before = tree(codec, original);
    Object version =
        JsonPointer.of("metadata", "resourceVersion")
            .get(before)
            .orElseThrow(
                () ->
                    new PatchException(
                        "the original has no metadata.resourceVersion; take it from the server"));
    Map<String, Object> lock = Map.of("metadata", Map.of("resourceVersion", version));
    Object patch = MergePatch.apply(MergePatch.create(before, tree(codec, modified)), lock);
    return of(MergePatch.MEDIA_TYPE, requireNonNull(patch, "patch"));
  }

  /** Returns a strategic merge patch. */
  public static Patch strategicMerge(Map<String, ?> patch) {
    return of(STRATEGIC_MERGE, patch);
  }

  /**
   * Returns an apply patch: all fields that its manager sets.
   *
   * @throws IllegalArgumentException if the configuration is an object that was read with a
   *     projection, not what a manager wants
   */
  public static <T> Patch apply(JsonCodec<T> codec, T configuration) {
    if (configuration instanceof KubernetesObject object
        && object.metadata().projection() != null) {
      throw new IllegalArgumentException(
          "cannot apply an object that was read with "
              + object.metadata().projection()
              + ": apply what you want of it, not what you read");
    }
    return new Patch(APPLY, RawJson.of(codec, configuration));
  }

  private static <T> Map<String, Object> tree(JsonCodec<T> codec, T object) {
    if (object instanceof KubernetesObject whole) {
      whole.metadata().requireWritable();
    }
    Object tree = JsonReader.of(JsonWriter.toBytes(codec, object)).nextTree();
    return Trees.map((Map<?, ?>) requireNonNull(tree, "tree"));
  }

  private static Patch of(String mediaType, Object tree) {
    return new Patch(mediaType, RawJson.of(JsonCodecs.TREE, tree));
  }
}
