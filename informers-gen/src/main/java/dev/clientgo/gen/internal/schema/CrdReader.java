package dev.clientgo.gen.internal.schema;

import dev.clientgo.gen.internal.document.HelmTemplate;
import dev.clientgo.gen.internal.document.InputException;
import dev.clientgo.gen.internal.document.JsonText;
import dev.clientgo.gen.internal.document.Node;
import dev.clientgo.gen.report.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads custom resource definitions. */
final class CrdReader {

  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern GROUP =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+");
  private static final Pattern KIND = Pattern.compile("[A-Za-z]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?");

  private static final Pattern SCOPE = Pattern.compile("Cluster|Namespaced");

  private CrdReader() {}

  /** Returns whether a document is a CRD of any version. */
  static boolean isCrd(Node document) {
    String apiVersion = document.string("apiVersion");
    return "CustomResourceDefinition".equals(document.string("kind"))
        && (apiVersion == null || apiVersion.startsWith("apiextensions.k8s.io/"));
  }

  /** Returns the served versions of a CRD; what is wrong with one does not spoil the others. */
  static List<Resource> read(
      Node crd, Consumer<Report.Problem> problems, Consumer<Report.Problem> notes) {
    String apiVersion = crd.requireString("apiVersion");
    if (!apiVersion.equals("apiextensions.k8s.io/v1")) {
      throw crd.error(
          apiVersion + " is no longer served; convert the definition to apiextensions.k8s.io/v1");
    }
    Node spec = crd.requireObject("spec");
    String group = matching(spec, "group", GROUP, "a domain name such as example.com");
    Node names = spec.requireObject("names");
    String kind = matching(names, "kind", KIND, "a name such as CronTab");
    String plural = matching(names, "plural", LABEL, "a name such as crontabs");
    Node versions = spec.requireArray("versions");
    String scope = matching(spec, "scope", SCOPE, "Cluster or Namespaced");
    List<Resource> resources = new ArrayList<>();
    for (Node version : versions.items()) {
      try {
        String name = matching(version, "name", LABEL, "a name such as v1");
        if (version.get("served") != null && !version.isTrue("served")) {
          notes.accept(version.problem(kind + " " + name + " is not served: skipped"));
          continue;
        }
        resources.add(
            new Resource(
                group,
                name,
                kind,
                plural,
                orElse(names.string("singular"), kind.toLowerCase(java.util.Locale.ROOT)),
                scope.equals("Namespaced"),
                names.strings("shortNames"),
                List.of(),
                subresources(version),
                version.at("schema", "openAPIV3Schema"),
                null,
                version));
      } catch (InputException e) {
        problems.accept(e.problem());
      }
    }
    return resources;
  }

  private static List<String> subresources(Node version) {
    Node subresources = version.get("subresources");
    return subresources == null ? List.of() : List.copyOf(subresources.fields().keySet());
  }

  private static String orElse(@Nullable String value, String other) {
    return value == null || value.isEmpty() ? other : value;
  }

  private static String matching(Node node, String field, Pattern pattern, String example) {
    String value = node.requireString(field);
    if (!pattern.matcher(value).matches()) {
      Node at = node.get(field);
      throw (at == null ? node : at)
          .error(
              JsonText.quote(value)
                  + (HelmTemplate.isUnrendered(value)
                      ? " is of a Helm template; " + HelmTemplate.RENDER
                      : " is not " + example));
    }
    return value;
  }
}
