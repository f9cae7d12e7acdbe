package dev.clientgo.rest.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keeps documents on disk by their address, if that changes with the content.
 *
 * <p>Corresponds to the cache of HTTP responses that client-go's cached discovery puts below its
 * OpenAPI client. As there, the list of documents is asked for each time, for which servers give no
 * ETag. Unlike client-go: so is a document without a hash, for which old servers gave one. A file
 * has the same form: the SHA-256 of the rest, and the rest.
 */
final class DiskOpenAPIClient implements OpenAPIClient {

  private static final Logger LOG = System.getLogger(DiskOpenAPIClient.class.getName());
  private static final int SUM = 32;

  private final OpenAPIClient delegate;
  private final Path folder;

  DiskOpenAPIClient(OpenAPIClient delegate, Path folder) {
    this.delegate = delegate;
    this.folder = requireNonNull(folder, "folder");
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
      byte[] key = (serverRelativeURL() + "#" + contentType).getBytes(UTF_8);
      Path file = folder.resolve(HexFormat.of().formatHex(sum(key)));
      Optional<byte[]> known = read(file);
      if (known.isPresent()) {
        return known.get();
      }
      return document instanceof ServerDocument server
          ? exactOrCurrent(server, contentType, file)
          : written(file, document.schema(contentType));
    }

    /** What has taken the place of a document is not what its hash stands for. */
    private static byte[] exactOrCurrent(ServerDocument server, String contentType, Path file)
        throws InterruptedException {
      Optional<byte[]> exact = server.exact(contentType);
      return exact.isPresent() ? written(file, exact.get()) : server.current(contentType);
    }
  }

  private static Optional<byte[]> read(Path file) {
    try {
      byte[] content = Files.readAllBytes(file);
      byte[] schema =
          content.length < SUM ? null : Arrays.copyOfRange(content, SUM, content.length);
      return schema != null && Arrays.equals(sum(schema), 0, SUM, content, 0, SUM)
          ? Optional.of(schema)
          : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "cannot read the OpenAPI cache: file=" + file, e);
      return Optional.empty();
    }
  }

  private static byte[] written(Path file, byte[] schema) {
    byte[] content = Arrays.copyOf(sum(schema), SUM + schema.length);
    System.arraycopy(schema, 0, content, SUM, schema.length);
    try {
      CacheFolder.replace(file, content);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "cannot write the OpenAPI cache: file=" + file, e);
    }
    return schema;
  }

  private static byte[] sum(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no SHA-256", e);
    }
  }
}
