package dev.clientgo.envtest;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.envtest.Resource.Trait;
import dev.clientgo.envtest.Resource.Version;

/**
 * A kind in the version in which a request speaks of it.
 *
 * @param resource the kind
 * @param version the version
 */
record Served(Resource resource, Version version) {

  /** Returns the {@code apiVersion} of objects. */
  String apiVersion() {
    return resource.apiVersion(version.name());
  }

  /** Returns the {@code kind} of objects. */
  String kind() {
    return resource.kind();
  }

  GroupResource groupResource() {
    return resource.groupResource();
  }

  boolean is(Trait trait) {
    return resource.is(trait);
  }

  boolean isPod() {
    return resource.group().isEmpty() && kind().equals("Pod");
  }

  boolean isSecret() {
    return resource.group().isEmpty() && kind().equals("Secret");
  }

  boolean hasStatus() {
    return version.subresources().contains("status");
  }

  /** Returns the fields that an object may have. */
  KnownFields fields() {
    if (!is(Trait.CUSTOM)) {
      return BuiltInTypes.fields(this);
    }
    return name ->
        switch (name) {
          case "apiVersion", "kind" -> KnownFields.ANYTHING;
          case "metadata" -> BuiltInTypes.metadata();
          default -> version.schema().known(name);
        };
  }

  /** Returns how the parts of an object are owned and merged. */
  FieldRules rules() {
    return is(Trait.CUSTOM) ? new CustomFields(version.schema(), true) : BuiltInFields.ROOT;
  }

  /** Returns the key of the object that a request names. */
  String key(ApiRequest request) {
    return Stored.key(namespace(request), request.name());
  }

  /** Returns what the keys of the objects begin with that a request is about. */
  String prefix(ApiRequest request) {
    return Stored.prefix(namespace(request));
  }

  /**
   * Returns the namespace of the objects that a request is about; empty for those of the cluster.
   */
  String namespace(ApiRequest request) {
    return resource.namespaced() ? request.namespace() : "";
  }
}
