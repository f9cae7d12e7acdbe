package dev.clientgo.rest.discovery;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.rest.RESTClient;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the OpenAPI v3 documents that a server publishes, one for each version of a group.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code openapi.Client} and {@code
 * openapi3.Root}.
 */
public interface OpenAPIClient {

  /** The media type of the documents as JSON. */
  String JSON = "application/json";

  /**
   * Returns the documents by path, such as {@code api/v1} or {@code apis/apps/v1}.
   *
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if discovery fails
   * @throws InterruptedException if the thread is interrupted
   */
  Map<String, OpenAPIGroupVersion> paths() throws InterruptedException;

  /**
   * Returns the versions of groups that have a document, in the order of their names.
   *
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if discovery fails
   * @throws InterruptedException if the thread is interrupted
   */
  default List<GroupVersion> groupVersions() throws InterruptedException {
    return paths().keySet().stream()
        .map(OpenAPIClient::groupVersion)
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
  default Map<?, ?> spec(GroupVersion version) throws InterruptedException {
    String path = version.group().isEmpty() ? "api/" + version.version() : "apis/" + version;
    OpenAPIGroupVersion document = paths().get(path);
    if (document == null) {
      throw ApiStatusException.notFound(new GroupResource("", "OpenAPI document"), path);
    }
    return JsonTree.parse(document.schema(JSON), path);
  }

  /** Returns a client that asks the server each time. The caller closes the REST client. */
  static OpenAPIClient of(RESTClient client) {
    requireNonNull(client, "client");
    return () -> {
      Map<?, ?> paths =
          JsonTree.object(
              JsonTree.parse(
                  client.get().absPath("/openapi/v3").header("Accept", JSON).execute().raw(),
                  "GET /openapi/v3"),
              "paths");
      Map<String, OpenAPIGroupVersion> documents = new TreeMap<>();
      paths.forEach(
          (path, value) -> {
            if (value instanceof Map<?, ?> entry) {
              String url = withoutPrefix(client, JsonTree.text(entry, "serverRelativeURL"));
              documents.put(String.valueOf(path), new RemoteOpenAPIGroupVersion(client, url));
            }
          });
      return Collections.unmodifiableMap(documents);
    };
  }

  /** Removes the path of the server, which the client adds to each request anyway. */
  private static String withoutPrefix(RESTClient client, String url) {
    String prefix = client.config().server().getRawPath();
    return url.startsWith(prefix) ? url.substring(prefix.length() - 1) : url;
  }

  /**
   * Returns the document at a URL of a server, which {@link OpenAPIGroupVersion#serverRelativeURL}
   * returned.
   */
  static OpenAPIGroupVersion document(RESTClient client, String serverRelativeURL) {
    return new RemoteOpenAPIGroupVersion(client, serverRelativeURL);
  }

  /** Returns a client that reads each document once. */
  default OpenAPIClient cached() {
    return new CachedOpenAPIClient(this);
  }

  /**
   * Returns a client that keeps documents in files, for other programs and later runs. It always
   * requests the list of documents, but not a document whose URL has the hash of the file. A file
   * that is damaged, or cannot be read or written, counts as missing.
   *
   * @param folder the folder of the files, for only this server; created when needed
   */
  default OpenAPIClient cached(Path folder) {
    return new DiskOpenAPIClient(this, folder);
  }
}
