package dev.clientgo.rest.discovery;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.status.ApiStatusException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The OpenAPI v3 documents of a server by group and version.
 *
 * <p>Safe for use by many threads if the client is. Corresponds to client-go's {@code
 * openapi3.Root}.
 */
public final class OpenAPIRoot {

  private final OpenAPIClient client;

  private OpenAPIRoot(OpenAPIClient client) {
    this.client = requireNonNull(client, "client");
  }

  /** Returns the documents of a client. */
  public static OpenAPIRoot of(OpenAPIClient client) {
    return new OpenAPIRoot(client);
  }

  /**
   * Returns the versions of groups that have a document, in the order of their names.
   *
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if discovery fails
   * @throws InterruptedException if the thread is interrupted
   */
  public List<GroupVersion> groupVersions() throws InterruptedException {
    return client.paths().keySet().stream()
        .map(OpenAPIRoot::groupVersion)
        .flatMap(Optional::stream)
        .sorted(Comparator.comparing(GroupVersion::toString))
        .toList();
  }

  private static Optional<GroupVersion> groupVersion(String path) {
    String[] parts = path.split("/", -1);
    if (parts.length == 2 && parts[0].equals("api")) {
      return Optional.of(new GroupVersion("", parts[1]));
    }
    return parts.length == 3 && parts[0].equals("apis")
        ? Optional.of(new GroupVersion(parts[1], parts[2]))
        : Optional.empty();
  }

  /**
   * Returns the document of one version of a group: maps, lists, strings, numbers and booleans.
   *
   * @throws ApiStatusException with the status NotFound if there is none
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if it cannot be read
   * @throws InterruptedException if the thread is interrupted
   */
  public Map<?, ?> spec(GroupVersion version) throws InterruptedException {
    String path = version.group().isEmpty() ? "api/" + version.version() : "apis/" + version;
    OpenAPIGroupVersion document = client.paths().get(path);
    if (document == null) {
      throw ApiStatusException.notFound(new GroupResource("", "OpenAPI document"), path);
    }
    return JsonTree.parse(document.schema(OpenAPIClient.JSON), path);
  }
}
