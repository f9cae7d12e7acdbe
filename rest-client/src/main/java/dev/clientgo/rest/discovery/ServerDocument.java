package dev.clientgo.rest.discovery;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.rest.RESTClient;
import java.util.Optional;

/**
 * A document that is read from a server.
 *
 * <p>The address has the hash of the document in it. If there is another by now, because a
 * definition has changed since the address was asked for, the server redirects to that one.
 */
final class ServerDocument implements OpenAPIGroupVersion {

  private static final int MOVED = 301;

  private final RESTClient client;
  private final String url;

  ServerDocument(RESTClient client, String url) {
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

  /** Returns the document of this very address; empty if it is not the latest. */
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

  /** Returns the latest document: the one without a hash. */
  byte[] current(String contentType) throws InterruptedException {
    int query = url.indexOf('?');
    return read(query < 0 ? url : url.substring(0, query), contentType);
  }

  private byte[] read(String from, String contentType) throws InterruptedException {
    return client.get().requestURI(from).header("Accept", contentType).execute().raw();
  }
}
