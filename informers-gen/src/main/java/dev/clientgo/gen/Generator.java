package dev.clientgo.gen;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.internal.document.Documents;
import dev.clientgo.gen.internal.document.EmptyFolder;
import dev.clientgo.gen.internal.document.Node;
import dev.clientgo.gen.internal.model.BuiltInSchema;
import dev.clientgo.gen.internal.model.ClassRef;
import dev.clientgo.gen.internal.model.Layout;
import dev.clientgo.gen.internal.model.ModelOptions;
import dev.clientgo.gen.internal.model.NamedEnums;
import dev.clientgo.gen.internal.model.TypeFile;
import dev.clientgo.gen.internal.schema.Catalog;
import dev.clientgo.gen.internal.schema.DefinitionReader;
import dev.clientgo.gen.internal.schema.ServerReader;
import dev.clientgo.gen.internal.write.BindingsWriter;
import dev.clientgo.gen.internal.write.SourceWriter;
import dev.clientgo.gen.report.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
 * files are named. Input that cannot be used is reported; the rest is still generated. Immutable.
 */
public final class Generator {

  private final Settings settings;

  private Generator(Settings settings) {
    this.settings = settings;
  }

  /** Returns a builder of a generator that puts its packages below a base package. */
  public static Builder builder(String basePackage) {
    return new Builder(basePackage);
  }

  /** Reads the input and returns what is generated from it. */
  public Generation generate() {
    Report.Builder report = new Report.Builder();
    settings.problems().forEach(report::problem);
    Catalog catalog = new Catalog(report, settings.only());
    readInputs(new DefinitionReader(catalog, report), report);
    catalog.reportMissing();

    NamedEnums.nameAll(catalog);

    Map<String, String> files = new TreeMap<>();
    Layout layout = Layout.of(settings.model(), catalog, report);
    List<TypeFile> types = layout.files();
    int number = 0;
    for (TypeFile file : types) {
      number++;
      settings.progress().step("generating " + file.ref().canonical(), number, types.size());
      files.put(path(file.ref()), SourceWriter.write(file, layout));
    }
    if (files.isEmpty() && report.problems() == 0 && !settings.allowEmpty()) {
      report.problem(
          new Report.Problem(
              "-", 0, "", "the input has no CRD that is served and no other resource"));
    }
    bindings(layout, files);
    layout
        .packages()
        .forEach((name, of) -> putPackage(files, name, "The types of {@code " + of + "}."));
    return new Generation(files, report.build());
  }

  private void readInputs(DefinitionReader definitions, Report.Builder report) {
    Documents documents = new Documents(report::problem, report::note);
    int number = 0;
    for (Path input : settings.inputs()) {
      number++;
      settings.progress().step("reading " + input, number, settings.inputs().size());
      int filesBefore = documents.files();
      int rootsBefore = documents.roots().size();
      int problemsBefore = report.problems();
      documents.read(input);
      List<Node> roots = documents.roots().subList(rootsBefore, documents.roots().size());
      boolean found = definitions.addAll(roots);
      if (!found
          && !settings.allowEmpty()
          && report.problems() == problemsBefore
          && Files.isDirectory(input)) {
        report.problem(EmptyFolder.problem(input, documents.files() - filesBefore, roots));
      }
    }
    int rootsBefore = documents.roots().size();
    settings.texts().forEach(documents::text);
    definitions.addAll(documents.roots().subList(rootsBefore, documents.roots().size()));
    report.inputs(documents.files() + settings.texts().size());
  }

  private void bindings(Layout layout, Map<String, String> files) {
    BindingsWriter writer =
        new BindingsWriter(
            settings.model().basePackage(),
            layout.files(),
            layout::accessorOf,
            settings.artifacts().contains(Artifact.INFORMERS));
    if (writer.isEmpty()) {
      return;
    }
    Map<Artifact, Supplier<Map.Entry<ClassRef, String>>> writers =
        Map.of(
            Artifact.CLIENTS, writer::clientset,
            Artifact.INFORMERS, writer::informerFactory,
            Artifact.SCHEME, writer::scheme);
    boolean any = false;
    for (Artifact artifact : Artifact.values()) {
      Supplier<Map.Entry<ClassRef, String>> each = writers.get(artifact);
      if (each != null && settings.artifacts().contains(artifact)) {
        Map.Entry<ClassRef, String> file = each.get();
        files.put(path(file.getKey()), file.getValue());
        any = true;
      }
    }
    if (any) {
      putPackage(
          files,
          settings.model().basePackage(),
          "Clients, informers and the scheme of generated types.");
    }
  }

  private static void putPackage(Map<String, String> files, String name, String javadoc) {
    files.put(path(new ClassRef(name, "package-info")), SourceWriter.packageInfo(name, javadoc));
  }

  private static String path(ClassRef ref) {
    return ref.packageName().replace('.', '/') + "/" + ref.name() + ".java";
  }

  /** The settings of a generator. */
  private record Settings(
      ModelOptions model,
      List<Path> inputs,
      List<Report.Problem> problems,
      Map<String, String> texts,
      Set<String> only,
      Set<Artifact> artifacts,
      boolean allowEmpty,
      Progress progress) {}

  /** Builds a {@link Generator}. Not safe for use by many threads. */
  public static final class Builder {

    private final String basePackage;
    private final List<Path> inputs = new ArrayList<>();
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Map<String, String> groupPackages = new HashMap<>();
    private final Map<String, String> classes = new HashMap<>();
    private final List<Report.Problem> problems = new ArrayList<>();
    private final Set<String> only = new LinkedHashSet<>();
    private final Set<Artifact> artifacts = EnumSet.allOf(Artifact.class);
    private boolean reuseKubernetes;
    private boolean allowEmpty;
    private Progress progress = (step, number, total) -> {};

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

    /**
     * Adds a document, or several, under a name that is used in messages.
     *
     * @throws IllegalArgumentException if another text has the name
     */
    public Builder text(String name, String text) {
      String other = texts.put(requireNonNull(name, "name"), requireNonNull(text, "text"));
      if (other != null && !other.equals(text)) {
        throw new IllegalArgumentException("there are two texts of the name \"" + name + "\"");
      }
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
     *     Issuer.spec.acme}, with {@code []} for what is in a list or map: {@code
     *     Issuer.spec.solvers[]}; it is the same for all groups and versions
     * @param className the canonical name of a class with a constant {@code CODEC}
     */
    public Builder mapClass(String place, String className) {
      classes.put(requireNonNull(place, "place"), requirePackage(className));
      return this;
    }

    /**
     * Limits the output to this resource, with the types that it needs. Can be called more than
     * once, to add resources.
     *
     * @param resource a kind, a plural, a group and version such as {@code apps/v1}, or all of it:
     *     {@code apps/v1/Deployment}
     */
    public Builder only(String resource) {
      only.add(requireNonNull(resource, "resource"));
      return this;
    }

    /**
     * Leaves something out. Informers need clients. Without informers, the clients do not need
     * tools-cache.
     */
    public Builder without(Artifact artifact) {
      artifacts.remove(requireNonNull(artifact, "artifact"));
      if (artifact == Artifact.CLIENTS) {
        artifacts.remove(Artifact.INFORMERS);
      }
      return this;
    }

    /** Adds the groups that every Kubernetes server has, as of version 1.37. */
    public Builder kubernetes() {
      return text(BuiltInSchema.NAME, BuiltInSchema.text());
    }

    /**
     * Adds all groups of a running server, CRDs among them. The server is read at once.
     *
     * @param kubeconfig the file that names the server and the user, null for the usual files
     * @param context which of its contexts, null for its current one
     * @throws dev.clientgo.apimachinery.errors.KubernetesException if it cannot be read
     */
    public Builder server(@Nullable Path kubeconfig, @Nullable String context)
        throws InterruptedException {
      ServerReader.read(kubeconfig, context, this::text, problems::add);
      return this;
    }

    /**
     * Uses the classes of the module {@code kubernetes} for what is equal to one in structure, such
     * as {@code PodTemplateSpec}. Generated code then needs that module. Without it, only the
     * classes of {@code api-machinery} are reused.
     */
    public Builder reuseKubernetes(boolean reuse) {
      reuseKubernetes = reuse;
      return this;
    }

    /**
     * Accepts a folder without definitions, and input without any. By default each is a problem in
     * the report.
     */
    public Builder allowEmpty(boolean allow) {
      allowEmpty = allow;
      return this;
    }

    /** Sets the listener that a run reports its progress to. Default: none. */
    public Builder progress(Progress listener) {
      progress = requireNonNull(listener, "listener");
      return this;
    }

    /** Returns the generator built. */
    public Generator build() {
      return new Generator(
          new Settings(
              new ModelOptions(basePackage, groupPackages, classes, reuseKubernetes),
              List.copyOf(inputs),
              List.copyOf(problems),
              java.util.Collections.unmodifiableMap(new LinkedHashMap<>(texts)),
              Set.copyOf(only),
              Set.copyOf(artifacts),
              allowEmpty,
              progress));
    }
  }

  /** Is told how far a run of the generator has come. */
  @FunctionalInterface
  public interface Progress {

    /**
     * Called at the start of a step.
     *
     * @param step the action and its object, such as {@code generating com.example.v1.CronTab}
     * @param number how many such steps have begun, this one among them
     * @param total how many there are
     */
    void step(String step, int number, int total);
  }

  /**
   * A part of the output beside the types of the objects, which are always generated and need
   * api-machinery.
   */
  public enum Artifact {
    /** A {@code Clientset}, which gives a client for each resource. Needs rest-client. */
    CLIENTS,

    /** An {@code InformerFactory}, which gives an informer for each resource. Needs tools-cache. */
    INFORMERS,

    /** An {@code ApiScheme}, which adds the types to a scheme. */
    SCHEME
  }
}
