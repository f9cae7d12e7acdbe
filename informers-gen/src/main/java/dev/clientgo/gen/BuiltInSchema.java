package dev.clientgo.gen;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The schema file of Kubernetes, which comes with the generator. */
final class BuiltInSchema {

  static final String NAME = "kubernetes-1.36.json";

  private BuiltInSchema() {}

  /** Returns the text of the file. */
  static String text() {
    try (InputStream in =
        Objects.requireNonNull(BuiltInSchema.class.getResourceAsStream(NAME), NAME)) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
