package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.apimachinery.patch.MergePatch;
import dev.clientgo.apimachinery.patch.Patch;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Read, change, write, and again if somebody else wrote in between.
 *
 * <p>What is written is the difference between the object before and after the change, together
 * with the resourceVersion that was read. A server refuses it if the object has changed, and leaves
 * alone what the difference does not name.
 */
final class Edit<T extends KubernetesObject> {

  private final SubresourceClient<T> client;
  private final JsonCodec<T> codec;
  private final Retry retry;

  Edit(SubresourceClient<T> client, JsonCodec<T> codec, Retry retry) {
    this.client = client;
    this.codec = codec;
    this.retry = retry;
  }

  T run(String name, UnaryOperator<T> change, PatchOptions options) throws InterruptedException {
    requireNonNull(change, "change");
    return retry.run(
        () -> {
          byte[] raw = client.raw(name);
          T before = codec.read(JsonReader.of(raw));
          Map<String, Object> patch = difference(raw, before, changed(change, before));
          return patch.isEmpty()
              ? before
              : client.patch(name, Patch.merge(withPrecondition(patch, before)), options);
        });
  }

  private static <T> T changed(UnaryOperator<T> change, T before) {
    return requireNonNull(change.apply(before), "the change of the object is null");
  }

  private Map<String, Object> difference(byte[] raw, T before, T after) {
    Map<String, Object> sent = map(JsonReader.of(raw).nextTree());
    return MergePatch.create(sent, map(UnknownFields.over(sent, tree(before), tree(after))));
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

  private Map<String, Object> tree(T object) {
    byte[] json = JsonWriter.toBytes(codec, object);
    return map(requireNonNull(JsonReader.of(json).nextTree(), "tree"));
  }

  @SuppressWarnings("unchecked") // A tree has names of fields as keys.
  private static Map<String, Object> map(@Nullable Object tree) {
    return tree instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }
}
