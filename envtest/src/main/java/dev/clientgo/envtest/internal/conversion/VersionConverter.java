package dev.clientgo.envtest.internal.conversion;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.kinds.Resource;
import dev.clientgo.envtest.internal.kinds.Resource.Version;
import dev.clientgo.envtest.internal.kinds.ResourceRegistry;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.internal.webhooks.WebhookCalls;
import java.util.Map;

/**
 * Converts custom resources between the version of a request and the version in which they are
 * stored, by the current definition of their kind. Objects of built-in kinds stay as they are. Safe
 * for use by many threads.
 *
 * <p>Corresponds to {@code crConverter} in {@code apiextensions-apiserver}. Nothing is cached, so a
 * webhook is called for each object that is read in another version than its own.
 */
public final class VersionConverter {

  private final ResourceRegistry resources;
  private final WebhookCalls calls;

  public VersionConverter(ResourceRegistry resources, WebhookCalls calls) {
    this.resources = resources;
    this.calls = calls;
  }

  /**
   * Returns a stored object in the version of a request.
   *
   * @throws ApiStatusException if it cannot be converted
   */
  public StoredObject read(ServedKind served, StoredObject stored) {
    String version = served.version().name();
    if (stored.version().isEmpty() || stored.version().equals(version)) {
      return stored;
    }
    Resource resource = current(served.resource());
    Unstructured bare = withoutVersion(stored.object());
    Unstructured whole =
        Unstructured.of(version(resource, stored.version()).schema().complete(bare.content()));
    Unstructured converted = convert(resource, stored.version(), version, whole);
    Map<String, Object> pruned = version(resource, version).schema().prune(converted.content());
    return stored.converted(Unstructured.of(pruned), version);
  }

  /** Returns the version in which objects of a kind are stored now; empty for built-in kinds. */
  public String storageVersion(ServedKind served) {
    return current(served.resource()).storage().version();
  }

  /**
   * Returns an object of a request in a version for the storage.
   *
   * @throws ApiStatusException if it cannot be converted
   */
  public Unstructured convert(ServedKind served, Unstructured object, String storageVersion) {
    String version = served.version().name();
    if (storageVersion.isEmpty() || storageVersion.equals(version)) {
      return object;
    }
    Resource resource = current(served.resource());
    Unstructured converted = convert(resource, version, storageVersion, withoutVersion(object));
    // kube-apiserver sets the defaults of the storage version when it reads.
    return Unstructured.of(
        version(resource, storageVersion).schema().complete(converted.content()));
  }

  private Unstructured convert(Resource resource, String from, String to, Unstructured object) {
    Unstructured typed = object.withType(resource.apiVersion(from), resource.kind());
    Unstructured converted =
        resource.storage().webhook().isEmpty()
            ? typed
            : new ConversionWebhook(resource.storage().webhook(), calls)
                .convert(typed, resource.apiVersion(to));
    return converted.withType("", "");
  }

  /** The definition may have changed since the request began, for instance that of a watch. */
  private Resource current(Resource resource) {
    return resources.find(resource.groupResource()).orElse(resource);
  }

  private static Version version(Resource resource, String name) {
    return resource
        .version(name)
        .orElseThrow(
            () ->
                ApiErrors.unexplained(
                    "request to convert CR from an invalid group/version: "
                        + resource.apiVersion(name)));
  }

  /** The version belongs to the storage, which sets it; webhooks do not see it. */
  private static Unstructured withoutVersion(Unstructured object) {
    return object.withMetadata(object.metadata().toBuilder().resourceVersion(null).build());
  }
}
