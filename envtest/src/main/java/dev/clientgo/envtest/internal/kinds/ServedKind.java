package dev.clientgo.envtest.internal.kinds;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.envtest.internal.kinds.Resource.Trait;
import dev.clientgo.envtest.internal.kinds.Resource.Version;
import dev.clientgo.envtest.internal.schema.BuiltInMergeRules;
import dev.clientgo.envtest.internal.schema.BuiltInSchemas;
import dev.clientgo.envtest.internal.schema.CustomMergeRules;
import dev.clientgo.envtest.internal.schema.KnownFields;
import dev.clientgo.envtest.internal.schema.MergeRules;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;

/**
 * A kind in the version that a request uses.
 *
 * @param resource the kind
 * @param version the version
 */
public record ServedKind(Resource resource, Version version) {

  /** Returns the {@code apiVersion} of objects. */
  public String apiVersion() {
    return resource.apiVersion(version.name());
  }

  /** Returns the {@code kind} of objects. */
  public String kind() {
    return resource.kind();
  }

  public GroupResource groupResource() {
    return resource.groupResource();
  }

  public boolean is(Trait trait) {
    return resource.is(trait);
  }

  public boolean isCustom() {
    return resource.isCustom();
  }

  public boolean isPod() {
    return resource.group().isEmpty() && kind().equals("Pod");
  }

  public boolean isSecret() {
    return resource.group().isEmpty() && kind().equals("Secret");
  }

  public boolean hasStatus() {
    return version.subresources().contains("status");
  }

  /** Returns the fields that are allowed in an object. */
  public KnownFields fields() {
    if (!isCustom()) {
      return BuiltInSchemas.fields(resource.group(), version.name(), kind());
    }
    return name ->
        switch (name) {
          case "apiVersion", "kind" -> KnownFields.ANYTHING;
          case "metadata" -> BuiltInSchemas.metadata();
          default -> version.schema().known(name);
        };
  }

  /** Returns the rules by which server-side apply merges objects. */
  public MergeRules rules() {
    return isCustom() ? new CustomMergeRules(version.schema(), true) : BuiltInMergeRules.ROOT;
  }

  /** Returns the key of the object that a request names. */
  public String key(ApiRequest request) {
    return StoredObject.key(namespace(request), request.name());
  }

  /** Returns the prefix of the keys that a request covers. */
  public String prefix(ApiRequest request) {
    return StoredObject.prefix(namespace(request));
  }

  /** Returns the namespace of a request; empty for cluster-scoped objects. */
  public String namespace(ApiRequest request) {
    return resource.namespaced() ? request.namespace() : "";
  }
}
