package dev.clientgo.rest.internal.edit;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.patch.MergePatch;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.patch.UnknownFields;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Computes the merge patch that carries out an edit.
 *
 * <p>The patch has the difference between the object before and after the change, and the
 * resourceVersion that was read. A server rejects it if the object has changed since, and keeps the
 * fields that the patch does not name.
 */
public final class EditPatch {

  private EditPatch() {}

  /**
   * Returns the patch, empty if nothing has changed.
   *
   * @param raw the object as the server sent it, in JSON
   * @param before the object as its type reads it
   * @param after the changed object
   */
  public static <T extends KubernetesObject> Optional<Patch> of(
      JsonCodec<T> codec, byte[] raw, T before, T after) {
    Map<String, Object> sent = map(JsonReader.of(raw).nextTree());
    Object wanted = UnknownFields.restore(sent, tree(codec, before), tree(codec, after));
    Map<String, Object> patch = MergePatch.create(sent, map(wanted));
    return patch.isEmpty()
        ? Optional.empty()
        : Optional.of(Patch.merge(withPrecondition(patch, before)));
  }

  private static Map<String, Object> withPrecondition(
      Map<String, Object> patch, KubernetesObject before) {
    Map<String, Object> metadata = new LinkedHashMap<>(map(patch.get("metadata")));
    String version = before.metadata().resourceVersion();
    if (version != null) {
      metadata.put("resourceVersion", version);
    }
    Map<String, Object> result = new LinkedHashMap<>(patch);
    result.put("metadata", metadata);
    return result;
  }

  private static <T> Map<String, Object> tree(JsonCodec<T> codec, T object) {
    byte[] json = JsonWriter.toBytes(codec, object);
    return map(requireNonNull(JsonReader.of(json).nextTree(), "tree"));
  }

  @SuppressWarnings("unchecked") // The keys of a JSON tree are field names.
  private static Map<String, Object> map(@Nullable Object tree) {
    return tree instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }
}
