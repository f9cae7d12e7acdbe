package dev.clientgo.gen;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The schemas that come with the generator. */
final class BuiltInSchema {

  static final String NAME = "kubernetes-1.36.json";

  private static final String MACHINERY = "machinery.json";

  private BuiltInSchema() {}

  /** Returns the text of the file. */
  static String text() {
    return text(NAME);
  }

  /** Returns the resources and types in the file. */
  static Catalog catalog() {
    Documents documents = new Documents(problem -> {});
    documents.text(NAME, text());
    Catalog catalog = new Catalog(new Report());
    catalog.addAll(documents.roots());
    return catalog;
  }

  /** Returns the schemas of structures that api-machinery has by hand, by the names of classes. */
  static List<Node> machinery() {
    List<Node> roots = new ArrayList<>();
    TreeReader.json(
        MACHINERY,
        text(MACHINERY),
        roots::add,
        problem -> {
          throw new InputException(problem);
        });
    return roots;
  }

  private static String text(String name) {
    try (InputStream in =
        Objects.requireNonNull(BuiltInSchema.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
