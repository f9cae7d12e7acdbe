package dev.clientgo.gen.internal.model;

import dev.clientgo.gen.internal.document.InputException;
import dev.clientgo.gen.internal.document.JsonText;
import dev.clientgo.gen.internal.document.Node;
import dev.clientgo.gen.internal.schema.Catalog;
import dev.clientgo.gen.internal.schema.Resource;
import dev.clientgo.gen.internal.shape.MappedClasses;
import dev.clientgo.gen.internal.shape.Shape;
import dev.clientgo.gen.internal.shape.ShapeReader;
import dev.clientgo.gen.internal.shape.WellKnown;
import dev.clientgo.gen.report.Report;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides which class stands in which file. */
public final class Layout {

  /** Smaller structures are not shared between kinds: they may be equal by accident. */
  private static final int MIN_SHARED_WEIGHT = 8;

  private static final Set<String> OBJECT_FIELDS = Set.of("apiVersion", "kind", "metadata");

  /** The desired and the actual state of an object, which readers may expect in each. */
  private static final Set<String> STATES = Set.of("spec", "status");

  private static final Set<String> CONDITION_FIELDS =
      Set.of("type", "status", "lastTransitionTime");

  private final ModelOptions settings;
  private final Report.Builder report;
  private final Catalog catalog;
  private final ShapeReader shapes;
  private final CoreTypes core;
  private final MappedClasses mapped;
  private final ApiReference reference;
  private final List<TypeFile> files = new ArrayList<>();
  private final Map<String, String> packages = new TreeMap<>();
  private final Map<String, ClassRef> named = new HashMap<>();

  /** The classes that readers may expect in some field, by their full names. */
  private final Set<String> expected = new HashSet<>();

  private final Map<String, String> accessors = new HashMap<>();

  /** The package of each group, relative to the base package, for its resources and their types. */
  private final Map<String, String> groupPackages = new HashMap<>();

  private final Set<String> taken = new HashSet<>();
  private final Map<String, Map<String, ClassRef>> shared = new HashMap<>();

  private Layout(ModelOptions settings, Catalog catalog, Report.Builder report) {
    this.settings = settings;
    this.report = report;
    this.catalog = catalog;
    this.reference = ApiReference.of(catalog);
    CoreTypes others = settings.reuseKubernetes() ? CoreTypes.kubernetes() : CoreTypes.machinery();
    this.core = core(catalog, others);
    this.mapped = new MappedClasses(settings.classes());
    this.shapes =
        new ShapeReader(catalog::type, others::named, mapped, core::find, report::fallback);
  }

  /** Returns the types to reuse: types of this run come before those of the module. */
  private static CoreTypes core(Catalog catalog, CoreTypes others) {
    return catalog.reachableTypes().stream().anyMatch(BuiltInSchema::contains)
        ? CoreTypes.of(catalog)
        : others;
  }

  /** Returns the layout of the types of a catalog. */
  public static Layout of(ModelOptions settings, Catalog catalog, Report.Builder report) {
    Layout layout = new Layout(settings, catalog, report);
    layout.nameGroups();
    Map<String, Resource> byType = new HashMap<>();
    List<Resource> inline = new ArrayList<>();
    for (Resource resource : catalog.resources()) {
      if (resource.typeName() == null) {
        inline.add(resource);
      } else {
        byType.putIfAbsent(resource.typeName(), resource);
      }
    }
    Set<String> structs = layout.nameTypes(byType);
    for (Resource resource : inline) {
      layout.tryAdd(() -> layout.addInline(resource));
    }
    for (String name : structs) {
      layout.tryAdd(() -> layout.addNamed(name, byType.get(name)));
    }
    layout.files.sort(Comparator.comparing(file -> file.ref().canonical()));
    layout.files.forEach(layout::findExpected);
    for (String place : layout.mapped.unused()) {
      report.problem(
          new Report.Problem("-", 0, "", "there is no " + place + " for the class mapped to it"));
    }
    return layout;
  }

  private void tryAdd(Runnable add) {
    try {
      add.run();
    } catch (InputException e) {
      report.problem(e.problem());
    }
  }

  public List<TypeFile> files() {
    return List.copyOf(files);
  }

  /** Returns the group and version whose types are in each package. */
  public Map<String, String> packages() {
    return packages;
  }

  /** Returns the name of the method for the group of a resource. */
  public String accessorOf(Resource resource) {
    return Objects.requireNonNull(accessors.get(resource.group()));
  }

  private void nameGroups() {
    Map<String, Resource> groups = new TreeMap<>();
    catalog.resources().forEach(resource -> groups.putIfAbsent(resource.group(), resource));
    accessors.putAll(Identifiers.unique(groups.keySet(), group -> accessor(groups.get(group))));
    Map<String, List<String>> byPackage =
        groups.keySet().stream()
            .collect(Collectors.groupingBy(group -> shortPackage(group).toLowerCase(Locale.ROOT)));
    for (String group : groups.keySet()) {
      String shortName = shortPackage(group);
      boolean alone =
          Objects.requireNonNull(byPackage.get(shortName.toLowerCase(Locale.ROOT))).size() == 1;
      String chosen = settings.groupPackages().get(group);
      groupPackages.put(
          group, chosen != null ? chosen : alone ? shortName : Identifiers.groupPackage(group));
    }
  }

  private String shortPackage(String group) {
    return Identifiers.groupPackage(group, settings.basePackage());
  }

  private String accessor(@Nullable Resource any) {
    Resource resource = Objects.requireNonNull(any);
    String name = settings.groupPackages().get(resource.group());
    if (name == null
        && resource.typeName() != null
        && BuiltInSchema.contains(resource.typeName())) {
      String relative = Identifiers.packageOfType(resource.typeName());
      name = relative.substring(0, relative.lastIndexOf('.'));
    }
    return Identifiers.groupAccessor(
        name == null || name.isEmpty() ? resource.group().replaceFirst("\\.io$", "") : name);
  }

  /** Returns the class of a named type. */
  public @Nullable ClassRef refOf(String typeName) {
    return named.get(typeName);
  }

  private void findExpected(TypeFile file) {
    findExpected(file, file.root());
    file.nested().forEach(each -> findExpected(file, each.shape()));
  }

  private void findExpected(TypeFile file, Shape shape) {
    if (shape instanceof Shape.Struct struct) {
      struct.fields().stream()
          .filter(Shape.Field::expected)
          .map(field -> refOf(file, field.shape()))
          .filter(Objects::nonNull)
          .forEach(ref -> expected.add(ref.canonical()));
    }
  }

  private @Nullable ClassRef refOf(TypeFile file, Shape shape) {
    return shape instanceof Shape.Named type ? named.get(type.name()) : file.refOf(shape);
  }

  /** Returns whether a class of this run has a constant {@code EMPTY}: readers may expect it. */
  public boolean hasEmpty(ClassRef ref) {
    return expected.contains(ref.canonical());
  }

  /** Returns whether a shape is a condition: it has a type, a status and the time of its change. */
  public boolean isCondition(Shape shape) {
    if (shape instanceof Shape.Named name) {
      ClassRef ref = named.get(name.name());
      return files.stream().anyMatch(file -> file.ref().equals(ref) && isCondition(file.root()));
    }
    return shape.equals(WellKnown.CONDITION)
        || (shape instanceof Shape.Struct struct
            && struct.fields().stream()
                .map(Shape.Field::name)
                .toList()
                .containsAll(CONDITION_FIELDS)
            && struct.fields().stream()
                .anyMatch(
                    field ->
                        field.name().equals("lastTransitionTime")
                            && field.shape().equals(WellKnown.TIME)));
  }

  /** Adds a resource whose schema stands where it is defined, as in a CRD. */
  private void addInline(Resource resource) {
    ClassRef ref = uniqueRef(packageOf(resource), resource.kind());
    TypeFile file = new TypeFile(ref, root(resource, resource.schema(), null), resource, null);
    add(file, MIN_SHARED_WEIGHT);
    report.generated(file.describe(resource));
  }

  /**
   * Gives classes to the named types that the resources need, and returns their names. Shorter ones
   * come first: they own the structures that they share.
   */
  private Set<String> nameTypes(Map<String, Resource> byType) {
    Comparator<String> order =
        Comparator.comparing(Identifiers::packageOfType)
            .thenComparing(name -> Identifiers.simpleName(name).length())
            .thenComparing(name -> name);
    Set<String> structs = new TreeSet<>(order);
    for (String name : catalog.reachableTypes()) {
      Node type = catalog.type(name);
      if (type != null && (type.get("properties") != null || ShapeReader.isEnumeration(type))) {
        structs.add(name);
      }
    }
    Map<String, Resource> neighbours = new HashMap<>();
    byType.forEach((name, each) -> neighbours.putIfAbsent(prefix(name), each));
    for (String name : structs) {
      Resource resource = neighbours.get(prefix(name));
      String packageName =
          BuiltInSchema.contains(name) || resource == null
              ? settings.basePackage() + "." + Identifiers.packageOfType(name)
              : packageOf(resource);
      packages.computeIfAbsent(
          packageName,
          key -> resource == null ? Identifiers.packageOfType(name) : resource.apiVersion());
      named.put(name, uniqueRef(packageName, Identifiers.simpleName(name)));
    }
    return structs;
  }

  private void addNamed(String name, @Nullable Resource served) {
    Node schema = Objects.requireNonNull(catalog.type(name));
    ClassRef ref = Objects.requireNonNull(named.get(name));
    if (ShapeReader.isEnumeration(schema)) {
      add(new TypeFile(ref, shapes.enumeration(schema), null, null), 0);
      return;
    }
    Resource resource = served == null ? subresourceKind(schema) : served;
    Shape.Struct root =
        resource == null
            ? shapes.struct(
                schema,
                inProtobuf(name, shapes.fields(schema, schema.requireObject("properties"))),
                ShapeReader.hasUnnamed(schema.requireObject("properties")))
            : root(resource, schema, name);
    TypeFile file = new TypeFile(ref, root, resource, reference.address(name));
    add(file, BuiltInSchema.contains(name) ? 0 : MIN_SHARED_WEIGHT);
    if (served != null) {
      report.generated(file.describe(served));
    }
  }

  /** Returns the kind of a schema that is sent to a subresource only: it is served nowhere. */
  private static @Nullable Resource subresourceKind(Node schema) {
    Node kinds = schema.get("x-kubernetes-group-version-kind");
    Node properties = schema.get("properties");
    if (kinds == null
        || kinds.items().size() != 1
        || properties == null
        || !properties.fields().keySet().containsAll(OBJECT_FIELDS)) {
      return null;
    }
    Node kind = kinds.items().get(0);
    return new Resource(
        kind.string("group") == null ? "" : String.valueOf(kind.string("group")),
        kind.requireString("version"),
        kind.requireString("kind"),
        "",
        "",
        true,
        List.of(),
        List.of(),
        List.of(),
        null,
        null,
        schema);
  }

  private void add(TypeFile file, int minSharedWeight) {
    Map<String, ClassRef> group =
        shared.computeIfAbsent(file.ref().packageName(), key -> new HashMap<>());
    file.nameNested(group, (shape, ref) -> report.reused(file.ref().canonical(), ref.canonical()));
    for (TypeFile.Nested nested : file.nested()) {
      boolean share =
          nested.shape() instanceof Shape.Struct struct
              ? struct.weight() >= minSharedWeight
              : minSharedWeight == 0;
      if (share) {
        group.putIfAbsent(nested.shape().signature(), nested.ref());
      }
    }
    report(file.root(), file, file.ref());
    file.nested().forEach(nested -> report(nested.shape(), file, nested.ref()));
    files.add(file);
  }

  private void report(Shape shape, TypeFile file, ClassRef ref) {
    if (shape instanceof Shape.Struct struct) {
      reportReused(struct, file);
      List<String> names = struct.fields().stream().map(Shape.Field::name).toList();
      Identifiers.members(names)
          .forEach(
              (name, member) -> {
                if (!name.equals(member)) {
                  report.renamed(ref.canonical() + " " + JsonText.quote(name), member);
                }
              });
    }
  }

  private void reportReused(Shape.Struct struct, TypeFile file) {
    ClassRef by = file.ref();
    boolean isInline = file.resource() != null && file.resource().typeName() == null;
    for (Shape.Field field : struct.fields()) {
      Shape leaf = field.shape().leaf();
      if (leaf instanceof Shape.Known known && core.contains(known)) {
        report.reused(by.canonical(), known.className());
      } else if (leaf instanceof Shape.Named type && isInline) {
        report.reused(by.canonical(), Objects.requireNonNull(named.get(type.name())).canonical());
      }
    }
  }

  private ClassRef uniqueRef(String packageName, String kind) {
    String base = Identifiers.untaken(kind);
    String unique = base;
    for (int i = 2; !taken.add((packageName + "." + unique).toLowerCase(Locale.ROOT)); i++) {
      unique = base + i;
    }
    if (!unique.equals(kind)) {
      report.renamed(kind, unique);
    }
    return new ClassRef(packageName, unique);
  }

  private String packageOf(Resource resource) {
    String relative = Objects.requireNonNull(groupPackages.get(resource.group()));
    String name =
        settings.basePackage()
            + (relative.isEmpty() ? "" : "." + relative)
            + "."
            + Identifiers.packageLabel(resource.version());
    packages.putIfAbsent(name, resource.apiVersion());
    return name;
  }

  /** Returns the prefix of a type's name, which types of one group and version have in common. */
  private static String prefix(String typeName) {
    return typeName.substring(0, typeName.lastIndexOf('.') + 1);
  }

  /** Removes the protobuf numbers of fields, unless those of all types that they hold are known. */
  private static List<Shape.Field> inProtobuf(@Nullable String typeName, List<Shape.Field> fields) {
    return hasProtobuf(typeName)
        ? fields
        : fields.stream().map(Shape.Field::withoutProtobuf).toList();
  }

  /**
   * Types of other origin have fields that are any JSON, and messages of many kinds in protobuf.
   */
  private static boolean hasProtobuf(@Nullable String typeName) {
    return typeName != null
        && (typeName.startsWith("io.k8s.api.") || typeName.startsWith("io.k8s.apimachinery."));
  }

  /** Returns the shape of an object: the fields of its schema, and metadata. */
  private Shape.Struct root(Resource resource, @Nullable Node schema, @Nullable String typeName) {
    Node properties = schema == null ? null : schema.get("properties");
    List<Shape.Field> fields = new ArrayList<>();
    String first = hasProtobuf(typeName) ? "1" : null;
    fields.add(new Shape.Field("metadata", WellKnown.OBJECT_META, true, null, null, null, first));
    boolean open;
    if (schema == null || properties == null) {
      report.fallback(
          resource.source().problem(resource.describe() + " has no schema: all fields stay JSON"));
      open = true;
    } else {
      inProtobuf(typeName, shapes.fields(schema, properties)).stream()
          .filter(field -> !OBJECT_FIELDS.contains(field.name()))
          .map(field -> STATES.contains(field.name()) ? field.asExpected() : field)
          .forEach(fields::add);
      open =
          schema.isTrue("x-kubernetes-preserve-unknown-fields")
              || ShapeReader.hasUnnamed(properties);
    }
    if (fields.size() > TypeFile.MAX_COMPONENTS) {
      throw resource
          .source()
          .error("has more than " + TypeFile.MAX_COMPONENTS + " fields beside metadata");
    }
    return shapes.struct(schema == null ? resource.source() : schema, fields, open);
  }
}
