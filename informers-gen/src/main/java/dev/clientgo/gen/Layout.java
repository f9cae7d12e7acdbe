package dev.clientgo.gen;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Decides which class stands in which file. */
final class Layout {

  /** Smaller structures are not shared between kinds: that two have them may be an accident. */
  private static final int MIN_SHARED_WEIGHT = 8;

  private final Generator.Settings settings;
  private final Report report;
  private final ShapeReader shapes;
  private final List<TypeFile> files = new ArrayList<>();
  private final Map<String, String> packages = new TreeMap<>();
  private final Map<String, ClassRef> named = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

  private Layout(Generator.Settings settings, Report report) {
    this.settings = settings;
    this.report = report;
    this.shapes = new ShapeReader(report::fallback);
  }

  /** Returns where everything in a catalog goes. */
  static Layout of(Generator.Settings settings, Catalog catalog, Report report) {
    Layout layout = new Layout(settings, report);
    Map<String, Map<String, ClassRef>> shared = new HashMap<>();
    for (Resource resource : catalog.resources()) {
      try {
        TypeFile file = layout.file(resource);
        file.nameNested(
            shared.getOrDefault(resource.apiVersion(), Map.of()),
            (shape, ref) -> report.reused(file.ref().canonical(), ref.canonical()));
        Map<String, ClassRef> group =
            shared.computeIfAbsent(resource.apiVersion(), key -> new HashMap<>());
        for (TypeFile.Nested nested : file.nested()) {
          if (nested.shape() instanceof Shape.Struct struct
              && struct.weight() >= MIN_SHARED_WEIGHT) {
            group.putIfAbsent(struct.signature(), nested.ref());
          }
        }
        layout.files.add(file);
        report.generated(file, resource);
      } catch (InputException e) {
        report.problem(e.problem());
      }
    }
    return layout;
  }

  List<TypeFile> files() {
    return List.copyOf(files);
  }

  /** Returns the text of each {@code package-info}. */
  Map<String, String> packages() {
    return packages;
  }

  /** Returns the class of a named type. */
  @Nullable ClassRef refOf(String typeName) {
    return named.get(typeName);
  }

  private TypeFile file(Resource resource) {
    String packageName = packageOf(resource);
    String name = Identifiers.type(resource.kind());
    String base = Identifiers.isTakenType(name) ? name + "Resource" : name;
    String unique = base;
    for (int i = 2; !taken.add((packageName + "." + unique).toLowerCase(Locale.ROOT)); i++) {
      unique = base + i;
    }
    if (!unique.equals(resource.kind())) {
      report.renamed(resource.kind(), unique);
    }
    return new TypeFile(new ClassRef(packageName, unique), root(resource), resource);
  }

  private String packageOf(Resource resource) {
    String group = settings.groupPackages().get(resource.group());
    String relative = group != null ? group : Identifiers.groupPackage(resource.group());
    String name =
        settings.basePackage()
            + (relative.isEmpty() ? "" : "." + relative)
            + "."
            + Identifiers.packageLabel(resource.version());
    packages.computeIfAbsent(name, key -> packageInfo(key, resource));
    return name;
  }

  private static String packageInfo(String name, Resource resource) {
    return "/** The types of {@code "
        + resource.apiVersion()
        + "}. */\n@org.jspecify.annotations.NullMarked\npackage "
        + name
        + ";\n";
  }

  /** Returns the shape of an object: what the schema says, with the metadata that all have. */
  private Shape.Struct root(Resource resource) {
    Node schema = resource.schema();
    Node properties = schema == null ? null : schema.get("properties");
    List<Shape.Field> fields = new ArrayList<>();
    fields.add(new Shape.Field("metadata", WellKnown.OBJECT_META, false, "the metadata", null));
    boolean open;
    if (schema == null || properties == null) {
      report.fallback(
          resource.source().problem(resource.describe() + " has no schema: all fields stay JSON"));
      open = true;
    } else {
      for (Shape.Field field : shapes.fields(schema, properties)) {
        if (!Set.of("apiVersion", "kind", "metadata").contains(field.name())) {
          fields.add(field);
        }
      }
      open =
          schema.isTrue("x-kubernetes-preserve-unknown-fields")
              || ShapeReader.hasUnnamed(properties);
    }
    if (fields.size() > ShapeReader.MAX_FIELDS) {
      throw resource
          .source()
          .error("has more than " + ShapeReader.MAX_FIELDS + " fields at the top");
    }
    return shapes.struct(schema == null ? resource.source() : schema, fields, open);
  }
}
