package dev.clientgo.gen.internal.schema;

import dev.clientgo.gen.internal.document.JsonText;
import dev.clientgo.gen.internal.document.Node;
import dev.clientgo.gen.internal.shape.ShapeReader;
import dev.clientgo.gen.internal.shape.WellKnown;
import dev.clientgo.gen.report.Report;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The resources and named types of the input, each once. */
public final class Catalog {

  private final Report.Builder report;
  private final Set<String> only;
  private final Map<String, Resource> resources = new TreeMap<>();

  private final Map<String, Node> types = new TreeMap<>();
  private final SortedSet<String> otherKinds = new TreeSet<>();
  private final Discovery discovery = new Discovery();
  private @Nullable String kubernetesVersion;

  public Catalog(Report.Builder report) {
    this(report, Set.of());
  }

  /**
   * @param only the resources to return, by kind, plural or {@code group/version/kind}; all if
   *     empty
   */
  public Catalog(Report.Builder report, Set<String> only) {
    this.report = report;
    this.only = Set.copyOf(only);
  }

  /** Adds the facts of a document of aggregated discovery. */
  void addDiscovery(Node document) {
    discovery.add(document);
  }

  /** Adds a resource, unless there is one of that name. */
  void add(Resource resource) {
    Resource first = resources.putIfAbsent(resource.apiVersion() + "/" + resource.kind(), resource);
    if (first != null
        && (first.namespaced() != resource.namespaced() || !sameSchema(first, resource))) {
      report.note(
          resource
              .source()
              .problem(
                  resource.describe()
                      + " is defined twice with different schemas or scopes; the one at "
                      + first.source().problem("").toString().replaceAll(": $", "")
                      + " is used"));
    }
  }

  private static boolean sameSchema(Resource a, Resource b) {
    String first = a.schema() == null ? "" : a.schema().toJson();
    String second = b.schema() == null ? "" : b.schema().toJson();
    return first.equals(second);
  }

  /** Sets the version of Kubernetes whose types these are. */
  public void kubernetesVersion(@Nullable String version) {
    kubernetesVersion = version;
  }

  /** Returns the version of Kubernetes whose types these are, null if it is not known. */
  public @Nullable String kubernetesVersion() {
    return kubernetesVersion;
  }

  /** Adds a named type, unless there is one of that name. */
  public void addType(String name, Node schema) {
    types.putIfAbsent(name, schema);
  }

  /** Adds the name of a kind without a resource, which is sent to subresources. */
  public void addOtherKind(String typeName) {
    if (!WellKnown.OF_REST_CLIENT.contains(typeName)) {
      otherKinds.add(typeName);
    }
  }

  /** Removes the resources and named types that another catalog has. */
  public void removeAll(Catalog other) {
    resources.keySet().removeAll(other.resources.keySet());
    types.keySet().removeAll(other.types.keySet());
    otherKinds.removeAll(other.otherKinds);
  }

  /** Returns the named types that are kinds without a resource. */
  SortedSet<String> otherKinds() {
    return Collections.unmodifiableSortedSet(otherKinds);
  }

  /** Returns the schema of a named type. */
  public @Nullable Node type(String name) {
    return types.get(name);
  }

  /** Returns the named types that the resources need, sorted. */
  public SortedSet<String> reachableTypes() {
    SortedSet<String> reached = new TreeSet<>();
    Deque<Node> queue = new ArrayDeque<>();
    for (Resource resource : resources()) {
      reach(resource.typeName(), reached, queue);
    }
    if (only.isEmpty()) {
      otherKinds.forEach(name -> reach(name, reached, queue));
    }
    while (!queue.isEmpty()) {
      Node node = queue.remove();
      reach(ShapeReader.reference(node), reached, queue);
      node.fields().values().stream().filter(Node::isObject).forEach(queue::add);
      node.items().stream().filter(Node::isObject).forEach(queue::add);
    }
    return reached;
  }

  private void reach(@Nullable String name, SortedSet<String> reached, Deque<Node> queue) {
    Node type = name == null || WellKnown.NAMED.containsKey(name) ? null : types.get(name);
    if (name != null && type != null && reached.add(name)) {
      queue.add(type);
    }
  }

  /**
   * Returns the resources in the order in which their types get their files: the shortest kind
   * first, since it owns the structures that it shares with others.
   */
  public List<Resource> resources() {
    List<Resource> sorted = new ArrayList<>();
    for (Resource resource : resources.values()) {
      if (isWanted(resource)) {
        sorted.add(discovery.complete(resource));
      }
    }
    sorted.sort(
        Comparator.comparing(Resource::apiVersion)
            .thenComparing(resource -> resource.kind().length())
            .thenComparing(Resource::kind));
    return sorted;
  }

  /** Reports each requested resource that the input does not have. */
  public void reportMissing() {
    for (String wanted : new TreeSet<>(only)) {
      if (resources.values().stream().noneMatch(resource -> isMeant(resource, wanted))) {
        report.problem(
            new Report.Problem("-", 0, "", "there is no resource " + JsonText.quote(wanted)));
      }
    }
  }

  private boolean isWanted(Resource resource) {
    return only.isEmpty() || only.stream().anyMatch(wanted -> isMeant(resource, wanted));
  }

  private static boolean isMeant(Resource resource, String wanted) {
    return wanted.equals(resource.kind())
        || wanted.equals(resource.plural())
        || wanted.equals(resource.apiVersion())
        || wanted.equals(resource.apiVersion() + "/" + resource.kind());
  }
}
