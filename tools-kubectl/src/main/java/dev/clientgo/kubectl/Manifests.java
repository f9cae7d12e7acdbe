package dev.clientgo.kubectl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.yaml.YamlDocument;
import dev.clientgo.apimachinery.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Objects that a user has written down, in the order in which they were read.
 *
 * <pre>{@code
 * Manifests manifests =
 *     Manifests.read(Path.of("deploy")).and(Manifests.of(ConfigMap.TYPE, List.of(settings)));
 * }</pre>
 *
 * <p>Texts are YAML or JSON with any number of documents, as {@link YamlReader} reads them. A
 * {@code List}, or a typed one such as {@code ConfigMapList}, becomes its items. An object without
 * apiVersion, kind or name is an error that names its place; so is a text or a folder without any
 * object, which a failed build may have left. Immutable.
 */
public final class Manifests {

  private final List<Manifest> manifests;

  private Manifests(List<Manifest> manifests) {
    this.manifests = List.copyOf(manifests);
  }

  /** Returns the manifests of typed or dynamic objects. */
  public static <T extends KubernetesObject> Manifests of(ResourceType<T> type, List<T> objects) {
    return new Manifests(
        objects.stream()
            .map(object -> Unstructured.from(type.codec(), object))
            .map(tree -> new Manifest(tree, "an object of " + type))
            .toList());
  }

  /**
   * Reads a file, or the files {@code *.yaml}, {@code *.yml} and {@code *.json} of a folder in the
   * order of their names. Folders within it are left out.
   *
   * @throws UncheckedIOException if a file cannot be read
   * @throws CodecException if a text is not YAML, or a document is not an object
   * @throws IllegalArgumentException if an object has no apiVersion, kind or name, a folder has no
   *     such file, or there is no object
   */
  public static Manifests read(Path path) {
    return read(path, 1);
  }

  /** Does the same, with the folders within a folder. */
  public static Manifests readRecursively(Path path) {
    return read(path, Integer.MAX_VALUE);
  }

  private static Manifests read(Path path, int depth) {
    try {
      List<Manifest> manifests = new ArrayList<>();
      for (Path file : Files.isDirectory(path) ? files(path, depth) : List.of(path)) {
        add(Files.readString(file), file.toString(), manifests);
      }
      return of(manifests, path.toString());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the manifests of " + path + ": " + e, e);
    }
  }

  private static List<Path> files(Path folder, int depth) throws IOException {
    try (Stream<Path> all = Files.walk(folder, depth)) {
      List<Path> files =
          all.filter(Files::isRegularFile).filter(Manifests::isManifest).sorted().toList();
      if (files.isEmpty()) {
        throw new IllegalArgumentException(
            folder + " has no files *.yaml, *.yml or *.json: name another folder");
      }
      return files;
    }
  }

  private static boolean isManifest(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
  }

  /**
   * Reads a stream in UTF-8 to its end, without closing it.
   *
   * @param origin what it is, for errors
   */
  public static Manifests read(InputStream in, String origin) {
    try {
      return parse(new String(in.readAllBytes(), UTF_8), origin);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + origin + ": " + e, e);
    }
  }

  /** Reads a text. */
  public static Manifests parse(String text) {
    return parse(text, "YAML");
  }

  /**
   * Reads a text.
   *
   * @param origin what it is, for errors
   */
  public static Manifests parse(String text, String origin) {
    List<Manifest> manifests = new ArrayList<>();
    add(text, origin, manifests);
    return of(manifests, origin);
  }

  private static Manifests of(List<Manifest> manifests, String origin) {
    if (manifests.isEmpty()) {
      throw new IllegalArgumentException(origin + " has no objects: add one, or leave it out");
    }
    return new Manifests(manifests);
  }

  private static void add(String text, String origin, List<Manifest> manifests) {
    for (YamlDocument document : YamlReader.of(origin).read(text)) {
      add(document.decode(Unstructured.CODEC), document.position().toString(), manifests);
    }
  }

  private static void add(Unstructured object, String origin, List<Manifest> manifests) {
    if (!object.kind().endsWith("List") || object.nested("items").isEmpty()) {
      manifests.add(new Manifest(object, origin));
      return;
    }
    String kind = object.kind().substring(0, object.kind().length() - "List".length());
    int number = 0;
    for (Object item : object.nestedList("items").orElse(List.of())) {
      String place = origin + ", item " + ++number;
      if (!(item instanceof Map<?, ?> map)) {
        throw new IllegalArgumentException(place + ": is not an object");
      }
      add(item(map, place, object.apiVersion(), kind), place, manifests);
    }
  }

  @SuppressWarnings("unchecked") // the keys in a tree are strings
  private static Unstructured item(Map<?, ?> tree, String place, String apiVersion, String kind) {
    try {
      Unstructured item = Unstructured.of((Map<String, ?>) tree);
      return item.kind().isEmpty() && item.apiVersion().isEmpty() && !kind.isEmpty()
          ? item.withType(apiVersion, kind)
          : item;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(place + ": " + e.getMessage(), e);
    }
  }

  /** Returns these manifests and others behind them. */
  public Manifests and(Manifests others) {
    return new Manifests(
        Stream.concat(manifests.stream(), requireNonNull(others, "others").manifests.stream())
            .toList());
  }

  /** Returns the objects. */
  public List<Unstructured> objects() {
    return manifests.stream().map(Manifest::value).toList();
  }

  /**
   * Returns the objects of a type as typed objects, and leaves out those of other kinds.
   *
   * @throws CodecException if an object does not fit its type; the message names its place
   */
  public <T extends KubernetesObject> List<T> objects(ResourceType<T> type) {
    return manifests.stream()
        .filter(manifest -> manifest.value().groupVersionKind().equals(type.kind()))
        .map(manifest -> manifest.as(type.codec()))
        .toList();
  }

  /** Returns how many there are. */
  public int size() {
    return manifests.size();
  }

  List<Manifest> all() {
    return manifests;
  }

  @Override
  public String toString() {
    return manifests.toString();
  }
}
