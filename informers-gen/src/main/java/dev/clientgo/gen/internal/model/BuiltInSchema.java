package dev.clientgo.gen.internal.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.gen.internal.document.Documents;
import dev.clientgo.gen.internal.document.InputException;
import dev.clientgo.gen.internal.document.Node;
import dev.clientgo.gen.internal.document.TreeReader;
import dev.clientgo.gen.internal.schema.Catalog;
import dev.clientgo.gen.internal.schema.DefinitionReader;
import dev.clientgo.gen.report.Report;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The schemas that come with the generator. */
public final class BuiltInSchema {

  public static final String NAME = "kubernetes-1.37.json";

  private static final String FOLDER = "/dev/clientgo/gen/";
  private static final String MACHINERY = "machinery.json";

  private BuiltInSchema() {}

  /** Returns the text of the file. */
  public static String text() {
    return text(NAME);
  }

  /** Returns the resources and types in the file. */
  public static Catalog catalog() {
    Documents documents = new Documents(problem -> {});
    documents.text(NAME, text());
    Report.Builder report = new Report.Builder();
    Catalog catalog = new Catalog(report);
    new DefinitionReader(catalog, report).addAll(documents.roots());
    return catalog;
  }

  /** Returns whether a named type is one of Kubernetes' own, whose names tell their package. */
  public static boolean contains(String typeName) {
    return typeName.startsWith("io.k8s.api.")
        || typeName.startsWith("io.k8s.apimachinery.")
        || typeName.startsWith("io.k8s.apiextensions-apiserver.")
        || typeName.startsWith("io.k8s.kube-aggregator.");
  }

  /** Returns the schemas of structures that api-machinery has by hand, by the names of classes. */
  public static List<Node> machinery() {
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
        Objects.requireNonNull(BuiltInSchema.class.getResourceAsStream(FOLDER + name), name)) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
