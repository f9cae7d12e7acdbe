package dev.clientgo.rest.discovery;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keeps documents on disk by their URL, if it contains a hash of the content.
 *
 * <p>Corresponds to the cache of HTTP responses that client-go's cached discovery puts below its
 * OpenAPI client. As there, it requests the list of documents each time, because servers send no
 * ETag for it. Unlike client-go: it also requests documents without a hash each time.
 */
final class DiskOpenAPIClient implements OpenAPIClient {

  private final OpenAPIClient delegate;
  private final ChecksumFiles files;

  DiskOpenAPIClient(OpenAPIClient delegate, Path folder) {
    this.delegate = delegate;
    this.files = new ChecksumFiles(folder);
  }

  @Override
  public Map<String, OpenAPIGroupVersion> paths() throws InterruptedException {
    Map<String, OpenAPIGroupVersion> documents = new TreeMap<>();
    delegate.paths().forEach((path, document) -> documents.put(path, kept(document)));
    return Collections.unmodifiableMap(documents);
  }

  private OpenAPIGroupVersion kept(OpenAPIGroupVersion document) {
    return document.serverRelativeURL().contains("hash=") ? new Kept(document) : document;
  }

  private final class Kept implements OpenAPIGroupVersion {
    private final OpenAPIGroupVersion document;

    Kept(OpenAPIGroupVersion document) {
      this.document = document;
    }

    @Override
    public String serverRelativeURL() {
      return document.serverRelativeURL();
    }

    @Override
    public byte[] schema(String contentType) throws InterruptedException {
      String key = serverRelativeURL() + "#" + contentType;
      Optional<byte[]> known = files.read(key);
      if (known.isPresent()) {
        return known.get();
      }
      return document instanceof RemoteOpenAPIGroupVersion server
          ? exactOrCurrent(server, contentType, key)
          : written(key, document.schema(contentType));
    }

    /** A newer document is not stored under the hash of the old one. */
    private byte[] exactOrCurrent(RemoteOpenAPIGroupVersion server, String contentType, String key)
        throws InterruptedException {
      Optional<byte[]> exact = server.exact(contentType);
      return exact.isPresent() ? written(key, exact.get()) : server.current(contentType);
    }

    private byte[] written(String key, byte[] schema) {
      files.write(key, schema);
      return schema;
    }
  }
}
