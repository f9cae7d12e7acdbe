package dev.clientgo.gen.internal.schema;

import dev.clientgo.gen.internal.document.InputException;
import dev.clientgo.gen.internal.document.Node;
import dev.clientgo.gen.report.Report;
import java.util.List;

/**
 * Reads the definitions in documents into a catalog: CRDs, OpenAPI v3 documents, schema files,
 * aggregated discovery, and lists of them. Other documents are counted and skipped.
 */
public final class DefinitionReader {

  private final Catalog catalog;
  private final Report.Builder report;

  /** Creates a reader that fills a catalog and reports what it cannot use. */
  public DefinitionReader(Catalog catalog, Report.Builder report) {
    this.catalog = catalog;
    this.report = report;
  }

  /**
   * Adds the definitions of a document to the catalog.
   *
   * @return whether there was a definition in it, even one that cannot be used
   */
  boolean add(Node document) {
    try {
      if (document.kind() == Node.Kind.ARRAY) {
        return addAll(document.items());
      } else if (!document.isObject()) {
        return skip(document);
      } else if (CrdReader.isCrd(document)) {
        CrdReader.read(document, report::problem, report::note).forEach(catalog::add);
      } else if (OpenApiReader.isOpenApi(document)) {
        OpenApiReader.read(document, catalog);
      } else if (SchemaFile.isSchemaFile(document)) {
        SchemaFile.read(document, catalog);
      } else if (Discovery.isDiscovery(document)) {
        catalog.addDiscovery(document);
      } else if (isList(document)) {
        List<Node> items = document.requireArray("items").items();
        items.forEach(item -> complete(item, document));
        return addAll(items);
      } else {
        return skip(document);
      }
    } catch (InputException e) {
      report.problem(e.problem());
    }
    return true;
  }

  /** Adds the definitions of documents, and returns whether there was one. */
  public boolean addAll(List<Node> documents) {
    boolean any = false;
    for (Node document : documents) {
      any |= add(document);
    }
    return any;
  }

  /** Sets the kind of an item in a list of CRDs; a server sends it only for the list. */
  private static void complete(Node item, Node list) {
    Node apiVersion = list.get("apiVersion");
    if ("CustomResourceDefinitionList".equals(list.string("kind"))
        && apiVersion != null
        && item.isObject()
        && item.get("kind") == null) {
      item.put("apiVersion", apiVersion);
      item.putString("kind", "CustomResourceDefinition");
    }
  }

  private static boolean isList(Node document) {
    String kind = document.string("kind");
    return kind != null && kind.endsWith("List") && document.get("items") != null;
  }

  private boolean skip(Node document) {
    if (document.kind() != Node.Kind.NULL) {
      report.skipped();
    }
    return false;
  }
}
