package dev.clientgo.rest.discovery;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.rest.RESTClient;
import java.util.Optional;

/**
 * A document on a server.
 *
 * <p>The URL contains the hash of the document. If the document has changed since, the server
 * redirects to the new one.
 */
final class RemoteOpenAPIGroupVersion implements OpenAPIGroupVersion {

  private static final int MOVED = 301;

  private final RESTClient client;
  private final String url;

  RemoteOpenAPIGroupVersion(RESTClient client, String url) {
    this.client = client;
    this.url = url;
  }

  @Override
  public String serverRelativeURL() {
    return url;
  }

  @Override
  public byte[] schema(String contentType) throws InterruptedException {
    Optional<byte[]> exact = exact(contentType);
    return exact.isPresent() ? exact.get() : current(contentType);
  }

  /** Returns the document with this hash, empty if it is not the current one. */
  Optional<byte[]> exact(String contentType) throws InterruptedException {
    try {
      return Optional.of(read(url, contentType));
    } catch (ApiStatusException e) {
      if (e.code() == MOVED) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Returns the current document, by the URL without a hash. */
  byte[] current(String contentType) throws InterruptedException {
    int query = url.indexOf('?');
    return read(query < 0 ? url : url.substring(0, query), contentType);
  }

  private byte[] read(String from, String contentType) throws InterruptedException {
    return client.get().requestURI(from).header("Accept", contentType).execute().raw();
  }
}
