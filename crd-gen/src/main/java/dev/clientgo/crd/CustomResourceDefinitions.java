package dev.clientgo.crd;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.yaml.YamlReader;
import dev.clientgo.apimachinery.yaml.YamlWriter;
import dev.clientgo.crd.KindReader.KindVersion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Definitions of custom resources, made from records.
 *
 * <pre>{@code
 * List<Unstructured> definitions = CustomResourceDefinitions.of(Website.class);
 * Files.writeString(Path.of("crds.yaml"), CustomResourceDefinitions.toYaml(definitions));
 * }</pre>
 *
 * <p>A record has the annotation {@link CustomResource} or a constant {@code TYPE}. The same
 * records always give the same text: keys are sorted, definitions are in the order of their names,
 * versions too.
 */
public final class CustomResourceDefinitions {

  private static final String KIND = "CustomResourceDefinition";

  private CustomResourceDefinitions() {}

  /**
   * Returns the definitions of kinds. Records of the same group and kind are the versions of one
   * definition; the version that is stored gives it its names.
   *
   * @throws IllegalArgumentException if a record has no schema; the message names the record, the
   *     path of the component, and what to do
   */
  public static List<Unstructured> of(Class<?>... types) {
    return of(List.of(types));
  }

  /** Returns the definitions of kinds, see {@link #of(Class[])}. */
  public static List<Unstructured> of(List<Class<?>> types) {
    Map<String, List<KindVersion>> kinds =
        types.stream()
            .map(KindReader::read)
            .collect(
                Collectors.groupingBy(
                    each -> each.plural() + "." + each.kind().group(),
                    TreeMap::new,
                    Collectors.toList()));
    List<Unstructured> definitions = new ArrayList<>();
    Map<GroupKind, String> plurals = new HashMap<>();
    kinds.forEach(
        (name, versions) -> {
          definitions.add(definition(name, versions));
          KindVersion one = versions.get(0);
          GroupKind kind = one.kind().groupKind();
          String other = plurals.put(kind, one.plural());
          if (other != null) {
            throw new IllegalArgumentException(
                "the kind %s of %s has the plurals %s and %s; give its records the same one"
                    .formatted(kind.kind(), kind.group(), other, one.plural()));
          }
        });
    return definitions;
  }

  private static Unstructured definition(String name, List<KindVersion> versions) {
    versions.sort(Comparator.comparing(each -> each.kind().version()));
    KindVersion stored = stored(name, versions);
    List<Object> list = new ArrayList<>();
    String last = "";
    for (KindVersion each : versions) {
      requireSameNames(stored, each);
      if (each.kind().version().equals(last)) {
        throw new IllegalArgumentException(
            name + ": two records are the version " + last + "; one is " + each.type().getName());
      }
      last = each.kind().version();
      Map<String, Object> version = new TreeMap<>(each.version());
      version.put("storage", each.equals(stored));
      list.add(version);
    }
    Map<String, Object> spec =
        Map.of(
            "group", stored.kind().group(),
            "names", stored.names(),
            "scope", stored.scope().toString(),
            "versions", list);
    return Unstructured.of(
        Map.of(
            "apiVersion",
            "apiextensions.k8s.io/v1",
            "kind",
            KIND,
            "metadata",
            Map.of("name", name),
            "spec",
            spec));
  }

  private static KindVersion stored(String name, List<KindVersion> versions) {
    List<KindVersion> marked =
        versions.size() == 1 ? versions : versions.stream().filter(KindVersion::storage).toList();
    if (marked.size() != 1) {
      throw new IllegalArgumentException(
          "%s: %d of the versions %s are stored; annotate one with @CustomResource(storage = true)"
              .formatted(
                  name,
                  marked.size(),
                  versions.stream().map(each -> each.kind().version()).toList()));
    }
    return marked.get(0);
  }

  private static void requireSameNames(KindVersion stored, KindVersion other) {
    if (!stored.kind().kind().equals(other.kind().kind()) || stored.scope() != other.scope()) {
      throw new IllegalArgumentException(
          "%s and %s are versions of one definition, but differ in kind or scope"
              .formatted(stored.type().getName(), other.type().getName()));
    }
  }

  /** Returns definitions as one text in YAML, each behind a line of three dashes. */
  public static String toYaml(List<Unstructured> definitions) {
    return definitions.stream()
        .map(each -> "---\n" + YamlWriter.format(Unstructured.CODEC, each))
        .collect(Collectors.joining());
  }

  /**
   * Reads the definitions in a text in YAML or JSON. Lists, which {@code kubectl get crds -o yaml}
   * prints, are unpacked; other kinds are left out.
   *
   * @param origin names the text in errors
   * @throws CodecException if the text is not YAML
   * @throws IllegalArgumentException if it has no definition, or one without a schema: a comparison
   *     would find nothing that differs
   */
  public static List<Unstructured> read(String origin, String text) {
    List<Unstructured> found = new ArrayList<>();
    YamlReader.of(origin)
        .read(text, Unstructured.CODEC)
        .forEach(
            document -> {
              found.add(document);
              document
                  .nestedList("items")
                  .ifPresent(items -> items.forEach(each -> found.add(object(each))));
            });
    found.removeIf(each -> !each.kind().equals(KIND));
    if (found.isEmpty()) {
      throw new IllegalArgumentException(origin + " has no " + KIND);
    }
    found.forEach(each -> requireSchemas(origin, each));
    return found;
  }

  private static void requireSchemas(String origin, Unstructured definition) {
    Collection<Map<String, Object>> versions = CrdDiff.versions(definition).values();
    boolean complete =
        definition.apiVersion().equals("apiextensions.k8s.io/v1")
            && definition.metadata().name() != null
            && Stream.of("spec.group", "spec.scope", "spec.names.plural", "spec.names.kind")
                .allMatch(path -> definition.nestedString(path.split("\\.", -1)).isPresent())
            && !versions.isEmpty()
            && versions.stream().noneMatch(each -> CrdDiff.schema(each).isEmpty());
    if (!complete) {
      throw new IllegalArgumentException(
          "%s: the definition %s is no apiextensions.k8s.io/v1 with a name, group, scope, names.plural, names.kind, and a schema for each version"
              .formatted(origin, definition.metadata().name()));
    }
  }

  private static Unstructured object(Object tree) {
    Map<String, Object> content = Markers.child(Map.of("item", tree), "item");
    return Unstructured.of(content);
  }
}
