package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.PatchOptions;
import dev.clientgo.apimachinery.patch.MergePatch;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Read, change, write, and again if somebody else wrote in between.
 *
 * <p>What is written is the difference between the object before and after the change, both as this
 * version of the type knows it, together with the resourceVersion that was read. A server refuses
 * it if the object has changed, and leaves alone what the difference does not name.
 */
final class Edit<T extends KubernetesObject> {

  /** Attempts and the wait between them, as in upstream's {@code retry.DefaultRetry}. */
  private static final int ATTEMPTS = 5;

  private static final Duration WAIT = Duration.ofMillis(10);

  private final SubresourceClient<T> client;
  private final JsonCodec<T> codec;
  private final Clock clock;

  Edit(SubresourceClient<T> client, JsonCodec<T> codec, Clock clock) {
    this.client = client;
    this.codec = codec;
    this.clock = clock;
  }

  T run(String name, UnaryOperator<T> change, PatchOptions options) throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      T before = client.get(name);
      Map<String, Object> patch = difference(before, change.apply(before));
      if (patch.isEmpty()) {
        return before;
      }
      try {
        return client.patch(name, Patch.merge(withPrecondition(patch, before)), options);
      } catch (ApiStatusException e) {
        if (!e.isConflict() || attempt == ATTEMPTS) {
          throw e;
        }
        clock.sleep(WAIT);
      }
    }
  }

  private Map<String, Object> difference(T before, T after) {
    return MergePatch.create(tree(before), tree(after));
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
