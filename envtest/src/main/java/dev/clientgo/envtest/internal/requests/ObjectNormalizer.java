package dev.clientgo.envtest.internal.requests;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.schema.KnownFields;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the changes that kube-apiserver makes by decoding an object into its types and encoding it
 * again. It removes empty metadata; from built-in kinds, nulls and unknown fields; from custom
 * kinds, fields outside the schema, and sets their defaults.
 */
public final class ObjectNormalizer {

  private ObjectNormalizer() {}

  public static Unstructured of(ServedKind served, Unstructured object) {
    ObjectMeta metadata = object.metadata();
    Unstructured result =
        object.withMetadata(
            metadata.toBuilder()
                .labels(orNull(metadata.labels()))
                .annotations(orNull(metadata.annotations()))
                .finalizers(orNull(metadata.finalizers()))
                .ownerReferences(orNull(metadata.ownerReferences()))
                .managedFields(orNull(metadata.managedFields()))
                .build());
    Map<String, Object> content = result.content();
    if (served.isCustom()) {
      return Unstructured.of(served.version().schema().complete(content));
    }
    Unstructured typed = Unstructured.of(JsonTree.asObject(typed(content, served.fields())));
    return served.isSecret() ? withTextAsData(typed) : typed;
  }

  /** Moves the {@code stringData} of a Secret to its {@code data}. */
  private static Unstructured withTextAsData(Unstructured secret) {
    Map<String, Object> text = JsonTree.object(secret.content(), "stringData");
    Map<String, Object> data = new LinkedHashMap<>(JsonTree.object(secret.content(), "data"));
    text.forEach(
        (name, value) -> {
          byte[] bytes = value.toString().getBytes(UTF_8);
          data.put(name, Base64.getEncoder().encodeToString(bytes));
        });
    return (text.isEmpty() ? secret : secret.with(data, "data")).without("stringData");
  }

  private static <K, V> @Nullable Map<K, V> orNull(Map<K, V> map) {
    return map.isEmpty() ? null : map;
  }

  private static <T> @Nullable List<T> orNull(List<T> list) {
    return list.isEmpty() ? null : list;
  }

  private static Object typed(Object tree, KnownFields known) {
    if (known.isOpaque()) {
      return tree;
    }
    if (tree instanceof Map<?, ?> map) {
      Map<String, Object> rest = new LinkedHashMap<>();
      JsonTree.asObject(map)
          .forEach(
              (name, value) -> {
                KnownFields field = known.known(name);
                if (field != null && value != null) {
                  rest.put(name, typed(value, field));
                }
              });
      return rest;
    }
    return tree instanceof List<?> list
        ? list.stream()
            .filter(Objects::nonNull)
            .map(element -> typed(element, known.items()))
            .toList()
        : tree;
  }
}
