package dev.clientgo.gen.internal.write;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.internal.model.ClassRef;
import dev.clientgo.gen.internal.model.Identifiers;
import dev.clientgo.gen.internal.model.TypeFile;
import dev.clientgo.gen.internal.schema.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Writes what gives typed access to resources: a clientset, an informer factory, a scheme. They
 * hold no behaviour; each method names a type to a class of the library.
 */
public final class BindingsWriter {

  private static final String CACHE = "dev.clientgo.cache.";
  private static final String REST = "dev.clientgo.rest.";

  /** Resources by the accessor of their group, then by that of their version. */
  private final Map<String, Map<String, List<TypeFile>>> groups = new TreeMap<>();

  private final List<TypeFile> served;
  private final String packageName;
  private final boolean informers;

  /**
   * @param accessors gives the name of the method for a group
   * @param informers whether informers are generated; without, nothing names a class of tools-cache
   */
  public BindingsWriter(
      String packageName,
      List<TypeFile> files,
      Function<Resource, String> accessors,
      boolean informers) {
    this.packageName = packageName;
    this.informers = informers;
    this.served = files.stream().filter(BindingsWriter::isServed).toList();
    for (TypeFile file : served) {
      Resource resource = requireNonNull(file.resource());
      groups
          .computeIfAbsent(accessors.apply(resource), key -> new TreeMap<>())
          .computeIfAbsent(Identifiers.accessor(resource.version()), key -> new ArrayList<>())
          .add(file);
    }
  }

  private static boolean isServed(TypeFile file) {
    return file.resource() != null && !file.resource().plural().isEmpty();
  }

  public boolean isEmpty() {
    return served.isEmpty();
  }

  /** Returns the clientset. */
  public Map.Entry<ClassRef, String> clientset() {
    ClassRef ref = new ClassRef(packageName, "Clientset");
    JavaFile file = file(ref);
    String client = file.ref(REST + "RESTClient");
    file.javadoc(
        List.of(
            "Clients of all resources, by group and version.",
            (informers ? "A {@link #listerWatcher} of it feeds informers. " : "")
                + "Immutable, safe for use by many threads."),
        List.of());
    generated(file);
    file.open(
        "public final class Clientset "
            + (informers
                ? "implements " + file.ref(CACHE + "SharedInformerFactory") + ".Source {"
                : "{"));
    delegate(file, "Clientset", client, "client");
    file.blank().javadoc("Returns a clientset that uses a client.");
    file.open("public static Clientset of(" + client + " client) {");
    file.line(
            "return new Clientset("
                + file.ref("java.util.Objects")
                + ".requireNonNull(client, \"client\"));")
        .close("}");
    groupMethods(file, "client");
    if (informers) {
      listerWatcher(file);
    }
    groupClasses(
        file,
        client,
        "client",
        "clients",
        type -> file.ref(REST + "ResourceClient") + "<" + type + ">",
        type -> file.line("return client.resource(" + type + ".TYPE);"));
    return Map.entry(ref, file.close("}").text());
  }

  private static void listerWatcher(JavaFile file) {
    String object = file.ref("dev.clientgo.apimachinery.meta.KubernetesObject");
    String options = file.ref("dev.clientgo.apimachinery.meta.ListOptions");
    String resourceClient = file.ref(REST + "ResourceClient");
    String listWatch = file.ref(CACHE + "ListWatch");
    file.blank().line("@Override");
    file.call(
        "public <T extends "
            + object
            + "> "
            + file.ref(CACHE + "ListerWatcher")
            + "<T> listerWatcher",
        List.of(
            file.ref("dev.clientgo.apimachinery.serializer.ResourceType") + "<T> type",
            "String namespace",
            options + " selectors"),
        " {");
    file.indent().line(resourceClient + "<T> all = client.resource(type);");
    file.line(
        resourceClient + "<T> part = namespace.isEmpty() ? all : all.inNamespace(namespace);");
    file.line("return " + listWatch + ".of(part::list, part::watch)");
    file.line("    .filtered(");
    file.line("        options ->");
    file.line("            options.toBuilder()");
    file.line("                .labelSelector(selectors.labelSelector())");
    file.line("                .fieldSelector(selectors.fieldSelector())");
    file.line("                .build());");
    file.close("}");
  }

  /** Returns the informer factory. */
  public Map.Entry<ClassRef, String> informerFactory() {
    ClassRef ref = new ClassRef(packageName, "InformerFactory");
    JavaFile file = file(ref);
    String factory = file.ref(CACHE + "SharedInformerFactory");
    String duration = file.ref("java.time.Duration");
    file.javadoc(
        List.of(
            "Shared informers of all resources, by group and version.",
            "Safe for use by many threads. Corresponds to client-go's generated {@code"
                + " informers.SharedInformerFactory}."),
        List.of());
    generated(file);
    file.open("public final class InformerFactory implements AutoCloseable {");
    delegate(file, "InformerFactory", factory, "factory");
    file.blank().javadoc("Returns a factory whose informers list and watch through a client.");
    file.open(
        "public static InformerFactory create(" + file.ref(REST + "RESTClient") + " client) {");
    file.line("return of(" + factory + ".builder(Clientset.of(client)).build());").close("}");
    file.blank().javadoc("Returns typed access to a factory, which was built with other options.");
    file.open("public static InformerFactory of(" + factory + " factory) {");
    file.line("return new InformerFactory(factory);").close("}");
    groupMethods(file, "factory");
    file.blank().javadoc("Returns the factory behind this one.");
    file.open("public " + factory + " shared() {").line("return factory;").close("}");
    file.blank().javadoc("Starts the informers that were asked for and are not running.");
    file.open("public void start() {").line("factory.start();").close("}");
    file.blank().javadoc("Waits until all informers have their first list, or the time is up.");
    file.call(
        "public " + file.ref(CACHE + "SyncResult") + " awaitSynced",
        List.of(duration + " timeout"),
        " throws InterruptedException {");
    file.indent().line("return factory.awaitSynced(timeout);").close("}");
    file.blank().javadoc("Closes all informers.");
    file.line("@Override").open("public void close() {").line("factory.close();").close("}");
    groupClasses(
        file,
        factory,
        "factory",
        "informers",
        type -> file.ref(CACHE + "SharedInformerFactory.ResourceInformer") + "<" + type + ">",
        type -> file.call("return factory.resource", List.of(type + ".TYPE"), ";"));
    return Map.entry(ref, file.close("}").text());
  }

  /** Returns the class that adds all types to a scheme. */
  public Map.Entry<ClassRef, String> scheme() {
    ClassRef ref = new ClassRef(packageName, "ApiScheme");
    JavaFile file = new JavaFile(ref, Set.of());
    String builder = file.ref("dev.clientgo.apimachinery.runtime.Scheme") + ".Builder";
    file.javadoc("The types of all resources, for a scheme.");
    generated(file);
    file.open("public final class ApiScheme {").blank().line("private ApiScheme() {}");
    file.blank().javadoc("Adds the types to a scheme, and returns it.");
    file.open("public static " + builder + " addTo(" + builder + " scheme) {");
    for (TypeFile each : served) {
      String type = file.ref(each.ref());
      file.call("scheme.add", List.of(type + ".TYPE", type + ".class"), ";");
    }
    file.line("return scheme;").close("}");
    return Map.entry(ref, file.close("}").text());
  }

  private JavaFile file(ClassRef ref) {
    Set<String> nested =
        groups.keySet().stream().map(Identifiers::type).collect(Collectors.toSet());
    return new JavaFile(ref, nested);
  }

  private static void generated(JavaFile file) {
    file.line("@" + file.ref("javax.annotation.processing.Generated") + "(\"dev.clientgo.gen\")");
  }

  private static void delegate(JavaFile file, String name, String type, String field) {
    file.blank().line("private final " + type + " " + field + ";");
    file.blank().open("private " + name + "(" + type + " " + field + ") {");
    file.line("this." + field + " = " + field + ";").close("}");
  }

  private void groupMethods(JavaFile file, String field) {
    groups.forEach(
        (accessor, versions) -> {
          String group = resource(versions.values().iterator().next().get(0)).group();
          String type = Identifiers.type(accessor);
          file.blank().javadoc("Returns the versions of " + Text.code(group) + ".");
          file.open("public " + type + " " + accessor + "() {");
          file.line("return new " + type + "(" + field + ");").close("}");
        });
  }

  private void groupClasses(
      JavaFile file,
      String delegate,
      String field,
      String what,
      UnaryOperator<String> returned,
      Consumer<String> body) {
    groups.forEach(
        (accessor, versions) -> {
          String group = resource(versions.values().iterator().next().get(0)).group();
          String type = Identifiers.type(accessor);
          file.blank().javadoc("The versions of " + Text.code(group) + ".");
          file.open("public static final class " + type + " {");
          delegate(file, type, delegate, field);
          versions.forEach(
              (version, resources) -> {
                String versionType = Identifiers.type(version);
                file.blank()
                    .javadoc("Returns the " + what + " of version {@code " + version + "}.");
                file.open("public " + versionType + " " + version + "() {");
                file.line("return new " + versionType + "(" + field + ");").close("}");
              });
          versions.forEach(
              (version, resources) -> {
                String versionType = Identifiers.type(version);
                file.blank()
                    .javadoc(
                        "The "
                            + what
                            + " of "
                            + Text.code(resource(resources.get(0)).apiVersion())
                            + ".");
                file.open("public static final class " + versionType + " {");
                delegate(file, versionType, delegate, field);
                resourceMethods(file, resources, what, returned, body);
                file.close("}");
              });
          file.close("}");
        });
  }

  private static void resourceMethods(
      JavaFile file,
      List<TypeFile> resources,
      String what,
      UnaryOperator<String> returned,
      Consumer<String> body) {
    Map<TypeFile, String> names = Identifiers.unique(resources, BindingsWriter::accessor);
    for (TypeFile each : resources) {
      if (what.equals("informers") && !isWatched(resource(each))) {
        continue;
      }
      String type = file.ref(each.ref());
      String singular = what.substring(0, what.length() - 1);
      file.blank()
          .javadoc("Returns the " + singular + " of " + Text.code(resource(each).plural()) + ".");
      file.chain("public " + returned.apply(type), names.get(each) + "() {").indent();
      body.accept(type);
      file.close("}");
      if (what.equals("clients") && resource(each).namespaced()) {
        file.blank()
            .javadoc(
                "Returns the client of "
                    + Text.code(resource(each).plural())
                    + " in one namespace.");
        file.chain("public " + returned.apply(type), names.get(each) + "(String namespace) {")
            .indent();
        file.line("return " + names.get(each) + "().inNamespace(namespace);");
        file.close("}");
      }
    }
  }

  private static boolean isWatched(Resource resource) {
    return resource.verbs().isEmpty() || resource.verbs().contains("watch");
  }

  /** Returns the plural with the capitals of the kind: {@code configMaps}. */
  private static String accessor(TypeFile file) {
    String kind = resource(file).kind();
    String plural = resource(file).plural();
    int same = 0;
    while (same < Math.min(kind.length(), plural.length())
        && Character.toLowerCase(kind.charAt(same)) == plural.charAt(same)) {
      same++;
    }
    return Identifiers.accessor(kind.substring(0, same) + plural.substring(same));
  }

  private static Resource resource(TypeFile file) {
    return requireNonNull(file.resource());
  }
}
