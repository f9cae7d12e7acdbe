package dev.clientgo.rest.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads files of a configuration: regular ones of a bounded size, also through symbolic links, as
 * Kubernetes mounts them. Other files, such as named pipes, could block the thread. Exceptions are
 * {@code /dev/null}, and pipes that the program inherits: {@code KUBECONFIG=<(command)} in a shell.
 *
 * <p>The message of an error is the reason alone.
 */
public final class ConfigFile {

  private static final int MAX_BYTES = 16 << 20;
  private static final int MAX_TOKEN_BYTES = 1 << 20;

  private ConfigFile() {}

  /**
   * Reads a file of at most 16 MiB.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  public static byte[] read(Path file) throws IOException {
    return read(file, MAX_BYTES);
  }

  /** Reads a text of at most 16 MiB. */
  public static String readText(Path file) throws IOException {
    return text(read(file, MAX_BYTES));
  }

  /** Reads a token of at most 1 MiB. */
  public static String readToken(Path file) throws IOException {
    return text(read(file, MAX_TOKEN_BYTES));
  }

  private static String text(byte[] content) throws IOException {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      throw new IOException("it is not text in UTF-8", e);
    }
  }

  private static byte[] read(Path file, int max) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException("it is a directory");
    } else if (Files.exists(file) && !Files.isRegularFile(file) && !isAllowed(file.toString())) {
      throw new IOException("it is not a regular file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(max + 1);
      if (content.length > max) {
        throw new IOException("it has more than " + max + " bytes");
      }
      return content;
    } catch (AccessDeniedException e) {
      throw new IOException("this user may not read it", e);
    }
  }

  private static boolean isAllowed(String file) {
    return file.startsWith("/dev/fd/")
        || file.startsWith("/proc/self/fd/")
        || file.equals("/dev/stdin")
        || file.equals("/dev/null");
  }
}
