package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import java.util.Map;

/** An API object of tests: nothing but metadata. */
record ApiObject(ObjectMeta metadata) implements KubernetesObject {

  /** Returns an object by its key: {@code namespace/name}, or {@code name} alone. */
  static ApiObject of(String key, String resourceVersion) {
    int slash = key.indexOf('/');
    return new ApiObject(
        ObjectMeta.builder()
            .namespace(slash < 0 ? null : key.substring(0, slash))
            .name(key.substring(slash + 1))
            .resourceVersion(resourceVersion)
            .build());
  }

  ApiObject withUid(String uid) {
    return new ApiObject(metadata.toBuilder().uid(uid).build());
  }

  ApiObject withLabel(String key, String value) {
    return new ApiObject(metadata.toBuilder().labels(Map.of(key, value)).build());
  }

  @Override
  public ApiObject withMetadata(ObjectMeta metadata) {
    return new ApiObject(metadata);
  }

  @Override
  public String apiVersion() {
    return "v1";
  }

  @Override
  public String kind() {
    return "Pod";
  }
}
