package dev.clientgo.apimachinery.patch;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A change as it is sent: what it says, and in which of the forms that the API server takes.
 * Immutable. Corresponds to apimachinery's {@code types.PatchType} with a body.
 *
 * @param mediaType the form
 * @param body what it says
 */
public record Patch(String mediaType, RawJson body) {

  /** The media type of strategic merge patches, which only built-in types know. */
  public static final String STRATEGIC_MERGE = "application/strategic-merge-patch+json";

  /** The media type of apply patches; JSON is YAML. */
  public static final String APPLY = "application/apply-patch+yaml";

  private static final JsonCodec<Object> TREE =
      new JsonCodec<>() {
        @Override
        public Object read(JsonReader in) {
          return requireNonNull(in.nextTree(), "tree");
        }

        @Override
        public void write(JsonWriter out, Object tree) {
          out.tree(tree);
        }
      };

  public Patch {
    requireNonNull(mediaType, "mediaType");
    requireNonNull(body, "body");
  }

  /** Returns a list of operations. */
  public static Patch json(JsonPatch patch) {
    return of(JsonPatch.MEDIA_TYPE, patch.toTree());
  }

  /** Returns a merge patch: a null removes, an object goes deeper, all else replaces. */
  public static Patch merge(Map<String, ?> patch) {
    return of(MergePatch.MEDIA_TYPE, patch);
  }

  /** Returns a strategic merge patch. */
  public static Patch strategicMerge(Map<String, ?> patch) {
    return of(STRATEGIC_MERGE, patch);
  }

  /** Returns an apply patch: all that its manager wants of the object. */
  public static <T> Patch apply(JsonCodec<T> codec, T configuration) {
    return new Patch(
        APPLY,
        RawJson.of(new String(JsonWriter.toBytes(codec, configuration), StandardCharsets.UTF_8)));
  }

  private static Patch of(String mediaType, Object tree) {
    return new Patch(
        mediaType, RawJson.of(new String(JsonWriter.toBytes(TREE, tree), StandardCharsets.UTF_8)));
  }
}
