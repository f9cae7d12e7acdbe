package dev.clientgo.rest.config;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A source of certificates or a key in PEM form. Immutable. The text form shows no content. */
public sealed interface PemSource {

  /**
   * Reads the content.
   *
   * @param what the kind of content, for the error
   * @throws ConfigException if it cannot be read
   */
  byte[] read(String what);

  /** A file. Each {@link #read} reads it again. */
  record File(Path path) implements PemSource {

    @Override
    public byte[] read(String what) {
      // Not by a channel: an interruption of the thread would close it.
      try (InputStream in = new FileInputStream(path.toFile())) {
        return in.readAllBytes();
      } catch (FileNotFoundException e) {
        throw new ConfigException("cannot read the " + what + ": " + reason(), e);
      } catch (IOException e) {
        throw new ConfigException(
            "cannot read the " + what + ": file " + path + ": " + e.getMessage(), e);
      }
    }

    private String reason() {
      if (!Files.exists(path)) {
        return "there is no file " + path;
      }
      return Files.isDirectory(path)
          ? path + " is a directory"
          : "file " + path + " may not be read by this user";
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  /** Content in memory. */
  final class Data implements PemSource {
    private final byte[] bytes;

    /** Copies the content. */
    public Data(byte[] bytes) {
      this.bytes = bytes.clone();
    }

    @Override
    public byte[] read(String what) {
      return bytes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Data data && Arrays.equals(bytes, data.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
      return "(inline, " + bytes.length + " bytes)";
    }
  }
}
