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
import java.util.HexFormat;
import java.util.Optional;

/**
 * Files by key, each with a checksum. A file that is damaged, or cannot be read or written, counts
 * as missing.
 *
 * <p>The format is that of client-go's cache of HTTP responses: the SHA-256 of the content, then
 * the content.
 *
 * @param folder the folder of the files; created when needed
 */
record ChecksumFiles(Path folder) {

  private static final Logger LOG = System.getLogger(ChecksumFiles.class.getName());
  private static final int SUM = 32;

  ChecksumFiles {
    requireNonNull(folder, "folder");
  }

  Optional<byte[]> read(String key) {
    Path file = file(key);
    try {
      byte[] content = Files.readAllBytes(file);
      byte[] bytes = content.length < SUM ? null : Arrays.copyOfRange(content, SUM, content.length);
      return bytes != null && Arrays.equals(sum(bytes), 0, SUM, content, 0, SUM)
          ? Optional.of(bytes)
          : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "Cannot read the cache: file=" + file, e);
      return Optional.empty();
    }
  }

  void write(String key, byte[] bytes) {
    Path file = file(key);
    byte[] content = Arrays.copyOf(sum(bytes), SUM + bytes.length);
    System.arraycopy(bytes, 0, content, SUM, bytes.length);
    try {
      DiscoveryCacheFiles.replace(file, content);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "Cannot write the cache: file=" + file, e);
    }
  }

  private Path file(String key) {
    return folder.resolve(HexFormat.of().formatHex(sum(key.getBytes(UTF_8))));
  }

  private static byte[] sum(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no SHA-256", e);
    }
  }
}
