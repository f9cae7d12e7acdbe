package dev.clientgo.gen.internal.source;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.internal.model.ClassRef;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One Java file: its package and its imports, which it collects from the names it gives out. */
public final class JavaFile {

  /** The classes that templates name, by their simple names. */
  private static final Map<String, ClassRef> LIBRARY =
      Stream.of(
              "dev.clientgo.apimachinery.json.FieldNames",
              "dev.clientgo.apimachinery.json.Immutable",
              "dev.clientgo.apimachinery.json.JsonCodec",
              "dev.clientgo.apimachinery.json.JsonCodecs",
              "dev.clientgo.apimachinery.json.JsonReader",
              "dev.clientgo.apimachinery.json.JsonWriter",
              "dev.clientgo.apimachinery.json.RawJson",
              "dev.clientgo.apimachinery.meta.Edits",
              "dev.clientgo.apimachinery.meta.KubernetesObject",
              "dev.clientgo.apimachinery.meta.options.ListOptions",
              "dev.clientgo.apimachinery.meta.ObjectMeta",
              "dev.clientgo.apimachinery.meta.TypeMeta",
              "dev.clientgo.apimachinery.runtime.Scheme",
              "dev.clientgo.apimachinery.schema.GroupVersionKind",
              "dev.clientgo.apimachinery.serializer.OpenEnum",
              "dev.clientgo.apimachinery.serializer.ResourceType",
              "dev.clientgo.cache.ListWatch",
              "dev.clientgo.cache.ListerWatcher",
              "dev.clientgo.cache.SharedInformerFactory",
              "dev.clientgo.cache.SyncResult",
              "dev.clientgo.rest.RESTClient",
              "dev.clientgo.rest.ResourceClient",
              "java.time.Duration",
              "java.util.Arrays",
              "java.util.LinkedHashMap",
              "java.util.List",
              "java.util.Map",
              "java.util.Objects",
              "java.util.Optional",
              "java.util.function.Consumer",
              "javax.annotation.processing.Generated",
              "org.jspecify.annotations.Nullable")
          .map(ClassRef::of)
          .collect(Collectors.toUnmodifiableMap(ClassRef::name, ref -> ref));

  private final ClassRef top;
  private final Set<String> declared = new HashSet<>();
  private final Map<String, String> imports = new TreeMap<>();

  /**
   * @param top the class the file declares
   * @param declared the simple names of the classes within it
   */
  public JavaFile(ClassRef top, Set<String> declared) {
    this.top = top;
    this.declared.add(top.name());
    this.declared.addAll(declared);
  }

  /** Returns a template whose classes this file imports. */
  public Template template(String text) {
    return new Template(this::library, text);
  }

  /** Returns how to name a class of the library or the JDK here, and imports it. */
  public String library(String simpleName) {
    return ref(requireNonNull(LIBRARY.get(simpleName), simpleName));
  }

  /** Returns how to name a class here, and imports it. */
  public String ref(ClassRef ref) {
    if (ref.packageName().isEmpty() || ref.packageName().equals("java.lang")) {
      return ref.name();
    }
    if (ref.packageName().equals(top.packageName()) && ref.top().equals(top.name())) {
      return ref.simple();
    }
    String outer = ref.top();
    String canonical = ref.packageName() + "." + outer;
    if (declared.contains(outer)) {
      return ref.canonical();
    }
    String imported = imports.putIfAbsent(outer, canonical);
    return imported == null || imported.equals(canonical) ? ref.name() : ref.canonical();
  }

  /** Returns the text of the file with this body. */
  public String text(String body) {
    StringBuilder file = new StringBuilder("package " + top.packageName() + ";\n\n");
    List<String> lines = imports.values().stream().filter(name -> !isHere(name)).sorted().toList();
    lines.forEach(name -> file.append("import ").append(name).append(";\n"));
    return file.append(lines.isEmpty() ? "" : "\n").append(LineBreaker.fit(body)).toString();
  }

  private boolean isHere(String canonical) {
    return canonical.substring(0, canonical.lastIndexOf('.')).equals(top.packageName());
  }
}
