package dev.clientgo.gen;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Generates Java from the schemas of Kubernetes resources.
 *
 * <pre>{@code
 * Generation generation =
 *     Generator.builder("com.example.api").input(Path.of("config/crd")).build().generate();
 * generation.report().problems().forEach(System.err::println);
 * generation.writeTo(Path.of("target/generated-sources"));
 * }</pre>
 *
 * <p>The output depends on the input alone: not on the time, the platform, or the order in which
 * files are named. Input that cannot be used is reported and spoils nothing else. Immutable.
 */
public final class Generator {

  private final Settings settings;

  private Generator(Settings settings) {
    this.settings = settings;
  }

  /** Returns a builder of a generator whose packages lie in the given one. */
  public static Builder builder(String basePackage) {
    return new Builder(basePackage);
  }

  /** Reads the input and returns what is generated from it. */
  public Generation generate() {
    Report report = new Report();
    Documents documents = new Documents(report::problem);
    settings.inputs().forEach(documents::read);
    settings.texts().forEach(documents::text);
    report.files(documents.files());

    Catalog catalog = new Catalog(report);
    documents.roots().forEach(catalog::add);

    Map<String, String> files = new TreeMap<>();
    Layout layout = Layout.of(settings, catalog, report);
    for (TypeFile file : layout.files()) {
      settings.progress().accept(file.ref().canonical());
      files.put(path(file.ref()), SourceWriter.write(file, layout));
    }
    layout
        .packages()
        .forEach((name, text) -> files.put(path(new ClassRef(name, "package-info")), text));
    return new Generation(files, report);
  }

  private static String path(ClassRef ref) {
    return ref.packageName().replace('.', '/') + "/" + ref.name() + ".java";
  }

  /** What a generator was told. */
  record Settings(
      String basePackage,
      List<Path> inputs,
      Map<String, String> texts,
      Map<String, String> groupPackages,
      Map<String, String> classes,
      Consumer<String> progress) {}

  /** Builds a {@link Generator}. Not safe for use by many threads. */
  public static final class Builder {

    private final String basePackage;
    private final List<Path> inputs = new ArrayList<>();
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Map<String, String> groupPackages = new HashMap<>();
    private final Map<String, String> classes = new HashMap<>();
    private Consumer<String> progress = name -> {};

    private Builder(String basePackage) {
      this.basePackage = requirePackage(basePackage);
    }

    private static String requirePackage(String name) {
      if (!javax.lang.model.SourceVersion.isName(requireNonNull(name, "package"))) {
        throw new IllegalArgumentException(
            "\"" + name + "\" is not a Java package, such as com.example.api");
      }
      return name;
    }

    /** Adds a file, or all YAML and JSON files below a folder. */
    public Builder input(Path path) {
      inputs.add(requireNonNull(path, "path"));
      return this;
    }

    /** Adds a document, or several, under a name that is used in messages. */
    public Builder text(String name, String text) {
      texts.put(requireNonNull(name, "name"), requireNonNull(text, "text"));
      return this;
    }

    /**
     * Sets the package of a group, relative to the base package; the version is appended. By
     * default it is the group's name backwards without {@code io}: {@code monitoring.coreos.com}
     * becomes {@code com.coreos.monitoring}.
     */
    public Builder groupPackage(String group, String name) {
      groupPackages.put(requireNonNull(group, "group"), name.isEmpty() ? "" : requirePackage(name));
      return this;
    }

    /**
     * Uses a class that exists for a part of a schema, instead of generating one.
     *
     * @param place {@code Kind.field.field} from the top of an object, such as {@code
     *     Issuer.spec.acme}; it is the same for all groups and versions
     * @param className the canonical name of a class with a constant {@code CODEC}
     */
    public Builder mapClass(String place, String className) {
      classes.put(requireNonNull(place, "place"), requirePackage(className));
      return this;
    }

    /** Sets who is told the name of each class before it is generated. */
    public Builder progress(Consumer<String> listener) {
      progress = requireNonNull(listener, "listener");
      return this;
    }

    /** Returns the generator built. */
    public Generator build() {
      return new Generator(
          new Settings(
              basePackage,
              List.copyOf(inputs),
              java.util.Collections.unmodifiableMap(new LinkedHashMap<>(texts)),
              Map.copyOf(groupPackages),
              Map.copyOf(classes),
              progress));
    }
  }
}
