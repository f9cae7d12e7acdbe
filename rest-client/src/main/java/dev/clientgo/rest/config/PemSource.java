package dev.clientgo.rest.config;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.internal.text.ConfigFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
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
      try {
        return ConfigFile.read(path);
      } catch (NoSuchFileException e) {
        throw new ConfigException("cannot read the " + what + ": there is no file " + path, e);
      } catch (IOException e) {
        throw new ConfigException(
            "cannot read the " + what + ": file " + path + ": " + e.getMessage(), e);
      }
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
