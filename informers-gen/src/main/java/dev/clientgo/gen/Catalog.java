package dev.clientgo.gen;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The resources found in the input, each once. */
final class Catalog {

  private final Report report;
  private final Map<String, Resource> resources = new TreeMap<>();

  Catalog(Report report) {
    this.report = report;
  }

  /** Takes what is of use in a document. */
  void add(Node document) {
    try {
      if (!document.isObject()) {
        skip(document);
      } else if (CrdReader.isCrd(document)) {
        CrdReader.read(document, report::problem, report::note).forEach(this::add);
      } else if (isList(document)) {
        document.requireArray("items").items().forEach(this::add);
      } else {
        skip(document);
      }
    } catch (InputException e) {
      report.problem(e.problem());
    }
  }

  private static boolean isList(Node document) {
    String kind = document.string("kind");
    return kind != null && kind.endsWith("List") && document.get("items") != null;
  }

  private void skip(Node document) {
    if (document.kind() != Node.Kind.NULL) {
      report.skipped();
    }
  }

  private void add(Resource resource) {
    Resource first = resources.putIfAbsent(resource.apiVersion() + "/" + resource.kind(), resource);
    if (first != null && !sameSchema(first, resource)) {
      report.note(
          resource
              .source()
              .problem(
                  resource.describe()
                      + " is defined twice with different schemas; the one at "
                      + first.source().problem("").toString().replaceAll(": $", "")
                      + " is used"));
    }
  }

  private static boolean sameSchema(Resource a, Resource b) {
    String first = a.schema() == null ? "" : a.schema().toJson();
    String second = b.schema() == null ? "" : b.schema().toJson();
    return first.equals(second);
  }

  /**
   * Returns the resources in the order in which their types get their files: the shortest kind
   * first, since it is to own what it shares with others.
   */
  List<Resource> resources() {
    List<Resource> sorted = new ArrayList<>(resources.values());
    sorted.sort(
        Comparator.comparing(Resource::apiVersion)
            .thenComparing(resource -> resource.kind().length())
            .thenComparing(Resource::kind));
    return sorted;
  }

  Collection<Resource> all() {
    return resources.values();
  }
}
