package dev.clientgo.gen.internal.write;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.internal.model.ClassRef;
import dev.clientgo.gen.internal.model.Identifiers;
import dev.clientgo.gen.internal.model.TypeFile;
import dev.clientgo.gen.internal.schema.Resource;
import dev.clientgo.gen.internal.source.JavaFile;
import dev.clientgo.gen.internal.source.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the classes that give typed access to resources: a clientset, an informer factory, a
 * scheme. They hold no behaviour; each method names a type to a class of the library.
 */
public final class BindingsWriter {

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
          .computeIfAbsent(
              Identifiers.versionAccessor(resource.version()), key -> new ArrayList<>())
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
    GroupClasses clients = new GroupClasses(file, "clients", file.library("RESTClient"), "client");
    String body =
        file.template(
                """
                /**
                 * Clients of all resources, by group and version.
                 *
                 * <p>${feedsInformers}Immutable, safe for use by many threads.
                 */
                @${Generated}("dev.clientgo.gen")
                public final class Clientset${implemented} {

                  private final ${RESTClient} client;

                  private Clientset(${RESTClient} client) {
                    this.client = client;
                  }

                  /** Returns a clientset that uses a client. */
                  public static Clientset of(${RESTClient} client) {
                    return new Clientset(${Objects}.requireNonNull(client, "client"));
                  }

                  ${groupMethods}

                  ${listerWatcher}

                  ${groupClasses}
                }
                """)
            .set("feedsInformers", informers ? "Its {@link #listerWatcher} feeds informers. " : "")
            .set(
                "implemented",
                informers ? " implements " + file.library("SharedInformerFactory") + ".Source" : "")
            .blocks("groupMethods", groups.entrySet(), clients::method)
            .set("listerWatcher", informers ? listerWatcher(file) : "")
            .blocks(
                "groupClasses",
                groups.entrySet(),
                group -> clients.groupClass(group, each -> clientMethods(file, each)))
            .fill();
    return Map.entry(ref, file.text(body));
  }

  private static String listerWatcher(JavaFile file) {
    return file.template(
            """
            @Override
            public <T extends ${KubernetesObject}> ${ListerWatcher}<T> listerWatcher(
                ${ResourceType}<T> type, String namespace, ${ListOptions} selectors) {
              ${ResourceClient}<T> all = client.resource(type);
              ${ResourceClient}<T> part = namespace.isEmpty() ? all : all.inNamespace(namespace);
              return ${ListWatch}.of(part::list, part::watch)
                  .filtered(
                      options ->
                          options.toBuilder()
                              .labelSelector(selectors.labelSelector())
                              .fieldSelector(selectors.fieldSelector())
                              .build());
            }
            """)
        .fill();
  }

  private static List<String> clientMethods(JavaFile file, List<TypeFile> resources) {
    return methods(
        file,
        resources,
        each -> true,
        each ->
            """
            /** Returns the client of ${plural}. */
            public ${ResourceClient}<${type}> ${name}() {
              return client.resource(${type}.TYPE);
            }
            """
                + (each.namespaced()
                    ? """

                    /** Returns the client of ${plural} in one namespace. */
                    public ${ResourceClient}<${type}> ${name}(String namespace) {
                      return ${name}().inNamespace(namespace);
                    }
                    """
                    : ""));
  }

  /** Returns the methods of some of a version's resources. */
  private static List<String> methods(
      JavaFile file,
      List<TypeFile> resources,
      Predicate<Resource> filter,
      Function<Resource, String> template) {
    Map<TypeFile, String> names = Identifiers.unique(resources, BindingsWriter::accessor);
    return resources.stream()
        .filter(each -> filter.test(resource(each)))
        .map(
            each ->
                file.template(template.apply(resource(each)))
                    .set("plural", Text.code(resource(each).plural()))
                    .set("type", file.ref(each.ref()))
                    .set("name", requireNonNull(names.get(each)))
                    .fill())
        .toList();
  }

  /** Returns the informer factory. */
  public Map.Entry<ClassRef, String> informerFactory() {
    ClassRef ref = new ClassRef(packageName, "InformerFactory");
    JavaFile file = file(ref);
    GroupClasses informerClasses =
        new GroupClasses(file, "informers", file.library("SharedInformerFactory"), "factory");
    String body =
        file.template(
                """
                /**
                 * Shared informers of all resources, by group and version.
                 *
                 * <p>Safe for use by many threads. Corresponds to client-go's generated {@code \
                informers.SharedInformerFactory}.
                 */
                @${Generated}("dev.clientgo.gen")
                public final class InformerFactory implements AutoCloseable {

                  private final ${SharedInformerFactory} factory;

                  private InformerFactory(${SharedInformerFactory} factory) {
                    this.factory = factory;
                  }

                  /** Returns a factory whose informers list and watch through a client. */
                  public static InformerFactory create(${RESTClient} client) {
                    return of(${SharedInformerFactory}.builder(Clientset.of(client)).build());
                  }

                  /** Returns typed access to a factory, such as one that was built with other options. */
                  public static InformerFactory of(${SharedInformerFactory} factory) {
                    return new InformerFactory(factory);
                  }

                  ${groupMethods}

                  /** Returns the informer of any type, also of one that is not generated here. */
                  public <T extends ${KubernetesObject}> ${SharedInformerFactory}.ResourceInformer<T> \
                of(${ResourceType}<T> type) {
                    return factory.of(type);
                  }

                  /** Returns the factory behind this one, which other generated factories can share. */
                  public ${SharedInformerFactory} shared() {
                    return factory;
                  }

                  /** Starts the requested informers that are not running. */
                  public void start() {
                    factory.start();
                  }

                  /** Waits until all informers have their first list, or until the timeout. */
                  public ${SyncResult} awaitSynced(${Duration} timeout) throws InterruptedException {
                    return factory.awaitSynced(timeout);
                  }

                  /** Closes all informers. */
                  @Override
                  public void close() {
                    factory.close();
                  }

                  ${groupClasses}
                }
                """)
            .blocks("groupMethods", groups.entrySet(), informerClasses::method)
            .blocks(
                "groupClasses",
                groups.entrySet(),
                group -> informerClasses.groupClass(group, each -> informerMethods(file, each)))
            .fill();
    return Map.entry(ref, file.text(body));
  }

  private static List<String> informerMethods(JavaFile file, List<TypeFile> resources) {
    return methods(
        file,
        resources,
        BindingsWriter::isWatched,
        each ->
            """
            /** Returns the informer of ${plural}. */
            public ${SharedInformerFactory}.ResourceInformer<${type}> ${name}() {
              return factory.of(${type}.TYPE);
            }
            """);
  }

  /** Returns the class that adds all types to a scheme. */
  public Map.Entry<ClassRef, String> scheme() {
    ClassRef ref = new ClassRef(packageName, "ApiScheme");
    JavaFile file = new JavaFile(ref, Set.of());
    String body =
        file.template(
                """
                /** Adds the types of all resources to a scheme. */
                @${Generated}("dev.clientgo.gen")
                public final class ApiScheme {

                  private ApiScheme() {}

                  /** Adds the types to a scheme, and returns it. */
                  public static ${Scheme}.Builder addTo(${Scheme}.Builder scheme) {
                    ${types}
                    return scheme;
                  }
                }
                """)
            .lines(
                "types",
                served,
                each -> "scheme.add(%1$s.TYPE, %1$s.class);".formatted(file.ref(each.ref())))
            .fill();
    return Map.entry(ref, file.text(body));
  }

  private JavaFile file(ClassRef ref) {
    Set<String> nested =
        Stream.concat(
                groups.keySet().stream(),
                groups.values().stream().flatMap(versions -> versions.keySet().stream()))
            .map(Identifiers::type)
            .collect(Collectors.toSet());
    return new JavaFile(ref, nested);
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
