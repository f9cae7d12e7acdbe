package dev.clientgo.apimachinery.unstructured;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.NegotiatedSerializer;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.yaml.YamlReader;
import dev.clientgo.apimachinery.yaml.YamlWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An object of the API whose type is not known at compile time: a tree of maps, lists, strings,
 * numbers and booleans, with typed metadata.
 *
 * <p>A tree has values of these classes only: {@link String}, {@link Boolean}, {@link Long}, {@link
 * Double}, {@link java.math.BigDecimal} (for a number that the other two cannot hold), null, and
 * unmodifiable {@link Map}s and {@link List}s of these.
 *
 * <p>Immutable: an edit returns a new object, which shares the unchanged parts with the old one. So
 * no deep copy is needed before an edit. A missing {@code apiVersion} or {@code kind} is the empty
 * string, unless the codec has a fallback. An explicit null in the metadata counts as absent.
 *
 * <p>Corresponds to client-go's {@code unstructured.Unstructured} and its {@code Nested…}
 * functions.
 */
public final class Unstructured implements KubernetesObject {

  /** Reads and writes objects of any type. */
  public static final JsonCodec<Unstructured> CODEC = new UnstructuredCodec("", "");

  private static final int MAX_TEXT = 2000;

  private final String apiVersion;
  private final String kind;
  private final @Nullable ObjectMeta metadata;

  /** Fields of the metadata that {@link ObjectMeta} does not know. */
  private final Map<String, @Nullable Object> otherMetadata;

  /** All fields of the object but apiVersion, kind and metadata. */
  private final Map<String, @Nullable Object> body;

  Unstructured(
      String apiVersion,
      String kind,
      @Nullable ObjectMeta metadata,
      Map<String, @Nullable Object> otherMetadata,
      Map<String, @Nullable Object> body) {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.metadata = metadata;
    this.otherMetadata = otherMetadata;
    this.body = body;
  }

  /**
   * Returns an object with a copy of this tree. Numbers of any class become a Long, a Double or a
   * BigDecimal.
   *
   * @throws IllegalArgumentException if JSON has no such value, or the metadata has a wrong type;
   *     the message names the place
   */
  public static Unstructured of(Map<String, ?> content) {
    return ofTree(Tree.copyMap(content));
  }

  /**
   * Reads an object from JSON.
   *
   * @throws CodecException if the text is not a JSON object, or has metadata of a wrong type
   */
  public static Unstructured parse(String json) {
    return JsonReader.fromBytes(CODEC, json.getBytes(UTF_8));
  }

  /**
   * Reads objects from YAML, one of each document. Documents without content are skipped; a list of
   * objects stays one object.
   *
   * <pre>{@code
   * List<Unstructured> objects = Unstructured.parseYaml(Files.readString(path));
   * }</pre>
   *
   * @throws CodecException if the text is not YAML, or a document is not an object; the message
   *     names line, column and document. {@link YamlReader} names the file, too.
   */
  public static List<Unstructured> parseYaml(String yaml) {
    return YamlReader.of("YAML").read(yaml, CODEC);
  }

  /**
   * Returns a {@code List} of objects of any kinds, as {@code kubectl get -o yaml} prints several
   * objects.
   */
  public static Unstructured list(Iterable<Unstructured> objects) {
    List<Object> items = new ArrayList<>();
    objects.forEach(object -> items.add(object.content()));
    return of(Map.of("apiVersion", "v1", "kind", "List", "items", items));
  }

  /** Converts a typed object to a tree. */
  public static <T> Unstructured from(JsonCodec<T> codec, T object) {
    Unstructured tree = JsonReader.fromBytes(CODEC, JsonWriter.toBytes(codec, object));
    Projection projection =
        object instanceof KubernetesObject typed ? typed.metadata().projection() : null;
    return projection == null
        ? tree
        : tree.withMetadata(tree.metadata().with(m -> m.projection(projection)));
  }

  /**
   * Converts this object to a typed one, without the fields that the codec does not know.
   *
   * @throws CodecException if a value has another type than the codec expects
   */
  public <T> T to(JsonCodec<T> codec) {
    return JsonReader.fromBytes(codec, JsonWriter.toBytes(CODEC, this));
  }

  /**
   * Converts a tree of Jackson to an object.
   *
   * @throws CodecException if it is not an object, or has metadata of a wrong type
   */
  @SuppressWarnings("exports") // a caller that has such a tree already requires databind
  public static Unstructured fromJackson(JsonNode tree) {
    return parse(tree.toString());
  }

  /**
   * Converts this object to a tree of Jackson.
   *
   * @throws ConfigException if {@code tools.jackson.core:jackson-databind} is not on the class
   *     path; it is not a dependency of this library
   */
  @SuppressWarnings("exports") // a caller that has such a tree already requires databind
  public JsonNode toJackson() {
    try {
      return Databind.MAPPER.readTree(toJson());
    } catch (NoClassDefFoundError e) {
      throw new ConfigException(
          "a tree of Jackson needs databind, which is missing: add"
              + " tools.jackson.core:jackson-databind to the class path",
          e);
    }
  }

  /** A separate class, so a program that does not convert does not load databind. */
  private static final class Databind {

    private static final JsonMapper MAPPER =
        JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  }

  /**
   * Returns a codec with a fallback for a missing {@code apiVersion} and {@code kind}: the items of
   * a list have neither.
   */
  public static JsonCodec<Unstructured> codec(GroupVersionKind fallback) {
    return new UnstructuredCodec(fallback.apiVersion(), fallback.kind());
  }

  /** Returns a resource whose objects are read as trees. */
  public static ResourceType<Unstructured> type(
      GroupVersionKind kind, String plural, boolean namespaced) {
    JsonCodec<Unstructured> codec = codec(kind);
    return namespaced
        ? ResourceType.namespaced(kind, plural, codec)
        : ResourceType.clusterScoped(kind, plural, codec);
  }

  /**
   * Returns a resource whose kind is unknown. Its objects are read as trees, and have the kind that
   * the server sends.
   */
  public static ResourceType<Unstructured> type(GroupVersionResource resource) {
    GroupVersionKind unknown = resource.groupVersion().withKind("");
    return ResourceType.namespaced(unknown, resource.resource(), CODEC)
        .with(json -> NegotiatedSerializer.json(CODEC, UnstructuredCodec.ITEMS));
  }

  private static Unstructured ofTree(Map<String, @Nullable Object> tree) {
    Map<String, @Nullable Object> body = new LinkedHashMap<>(tree);
    String apiVersion = requireString(body.remove("apiVersion"), "apiVersion");
    String kind = requireString(body.remove("kind"), "kind");
    Object metadata = body.remove("metadata");
    return new Unstructured(apiVersion, kind, null, Map.of(), Tree.freeze(body))
        .withMetadataTree(metadata);
  }

  private static String requireString(@Nullable Object value, String field) {
    if (value == null) {
      return "";
    } else if (value instanceof String text) {
      return text;
    }
    throw Tree.mismatch("a string", value, field);
  }

  private Unstructured withMetadataTree(@Nullable Object tree) {
    if (tree == null) {
      return new Unstructured(apiVersion, kind, null, Map.of(), body);
    } else if (!(tree instanceof Map)) {
      throw Tree.mismatch("a map", tree, "metadata");
    }
    try {
      Unstructured head = CODEC.read(Tree.reader(Map.of("metadata", tree)));
      return new Unstructured(apiVersion, kind, head.metadata, head.otherMetadata, body);
    } catch (CodecException e) {
      throw new IllegalArgumentException(e.problem() + " at " + e.path(), e);
    }
  }

  /** Returns the {@code apiVersion}; empty if there is none. */
  @Override
  public String apiVersion() {
    return apiVersion;
  }

  /** Returns the {@code kind}; empty if there is none. */
  @Override
  public String kind() {
    return kind;
  }

  @Override
  public ObjectMeta metadata() {
    return metadata == null ? ObjectMeta.EMPTY : metadata;
  }

  /** Returns the kind that {@code apiVersion} and {@code kind} name. */
  public GroupVersionKind groupVersionKind() {
    return GroupVersionKind.fromApiVersionAndKind(apiVersion, kind);
  }

  /** Returns the whole object as a tree: apiVersion, kind, metadata, and the rest in its order. */
  public Map<String, @Nullable Object> content() {
    Map<String, @Nullable Object> content = new LinkedHashMap<>();
    if (!apiVersion.isEmpty()) {
      content.put("apiVersion", apiVersion);
    }
    if (!kind.isEmpty()) {
      content.put("kind", kind);
    }
    if (metadata != null) {
      content.put("metadata", metadataTree());
    }
    content.putAll(body);
    return Tree.freeze(content);
  }

  private Map<String, @Nullable Object> metadataTree() {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>(Tree.of(ObjectMeta.CODEC, metadata()));
    tree.putAll(otherMetadata);
    return Tree.freeze(tree);
  }

  // ------------------------------------------------------------------------------------ Look-up

  /**
   * Returns the value at a path.
   *
   * <p>A path into the metadata creates a tree at each call; {@link #metadata} does not.
   *
   * @return empty if there is no value, or null
   * @throws IllegalArgumentException if a value on the path is not a map
   */
  public Optional<Object> nested(String... path) {
    return Optional.ofNullable(Tree.find(root(path), path));
  }

  /**
   * Returns the tree in which a path is looked up. Does not create the tree of the metadata if the
   * path needs none.
   */
  private Map<String, @Nullable Object> root(String... path) {
    return switch (path.length == 0 ? "" : path[0]) {
      case "", "apiVersion", "kind", "metadata" -> content();
      default -> body;
    };
  }

  /**
   * Returns the string at a path.
   *
   * @return empty if there is no value, or null
   * @throws IllegalArgumentException if it has another type
   */
  public Optional<String> nestedString(String... path) {
    return nested(path).map(value -> Tree.require(String.class, "a string", value, path));
  }

  /**
   * Returns the whole number at a path.
   *
   * @return empty if there is no value, or null
   * @throws IllegalArgumentException if it has another type
   */
  public Optional<Long> nestedLong(String... path) {
    return nested(path).map(value -> Tree.require(Long.class, "a whole number", value, path));
  }

  /**
   * Returns the truth value at a path.
   *
   * @return empty if there is no value, or null
   * @throws IllegalArgumentException if it has another type
   */
  public Optional<Boolean> nestedBoolean(String... path) {
    return nested(path).map(value -> Tree.require(Boolean.class, "a boolean", value, path));
  }

  /**
   * Returns the number at a path, as the nearest double.
   *
   * @return empty if there is no value, or null
   * @throws IllegalArgumentException if it has another type
   */
  public Optional<Double> nestedDouble(String... path) {
    return nested(path)
        .map(value -> Tree.require(Number.class, "a number", value, path).doubleValue());
  }

  /**
   * Returns the list at a path.
   *
   * @return empty if there is no value, or null
   * @throws IllegalArgumentException if it has another type
   */
  @SuppressWarnings("unchecked") // the elements of a tree are of any type
  public Optional<List<@Nullable Object>> nestedList(String... path) {
    return nested(path)
        .map(value -> (List<@Nullable Object>) Tree.require(List.class, "a list", value, path));
  }

  /**
   * Returns the map at a path.
   *
   * @return empty if there is no value, or null
   * @throws IllegalArgumentException if it has another type
   */
  @SuppressWarnings("unchecked") // the keys in a tree are strings
  public Optional<Map<String, @Nullable Object>> nestedMap(String... path) {
    return nested(path)
        .map(
            value -> (Map<String, @Nullable Object>) Tree.require(Map.class, "a map", value, path));
  }

  /**
   * Returns the map of strings at a path.
   *
   * @return empty if there is no value, or null
   * @throws IllegalArgumentException if it has another type, or an element of it has
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // checked entry by entry
  public Optional<Map<String, String>> nestedStringMap(String... path) {
    Optional<Map<String, @Nullable Object>> map = nestedMap(path);
    map.ifPresent(entries -> entries.forEach((key, value) -> Tree.requireString(value, key, path)));
    return (Optional) map;
  }

  /**
   * Returns the list of strings at a path.
   *
   * @return empty if there is no value, or null
   * @throws IllegalArgumentException if it has another type, or an element of it has
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // checked element by element
  public Optional<List<String>> nestedStringList(String... path) {
    Optional<List<@Nullable Object>> list = nestedList(path);
    list.ifPresent(
        elements -> {
          for (int i = 0; i < elements.size(); i++) {
            Tree.requireString(elements.get(i), Integer.toString(i), path);
          }
        });
    return (Optional) list;
  }

  /**
   * Returns the value at a path, read with a codec.
   *
   * <pre>{@code
   * List<Condition> conditions =
   *     object.nested(Conditions.CODEC, "status", "conditions").orElse(List.of());
   * }</pre>
   *
   * @return empty if there is no value, or null
   * @throws IllegalArgumentException if a value on the path is not a map
   * @throws CodecException if it has another type
   */
  public <T> Optional<T> nested(JsonCodec<T> codec, String... path) {
    return nested(path).map(value -> codec.read(Tree.reader(value)));
  }

  // ------------------------------------------------------------------------------------- Edits

  /**
   * Returns this object with a value at a path, written with a codec. Adds missing maps on the
   * path.
   *
   * @throws IllegalArgumentException if the path is empty, or a value on the path is not a map
   */
  public <T> Unstructured withNested(JsonCodec<T> codec, T value, String... path) {
    return with(RawJson.of(codec, value).reader().nextTree(), path);
  }

  /**
   * Returns this object with a copy of a value at a path. Adds missing maps on the path.
   *
   * @param value a string, boolean, number, map, list or null, see {@link #of}
   * @throws IllegalArgumentException if the path is empty, if a value on the path is not a map, or
   *     if JSON or the place does not allow the type of the value
   */
  public Unstructured with(@Nullable Object value, String... path) {
    requirePath(path);
    Object copy = Tree.copy(value);
    if (root(path) == body) {
      return withBody(Tree.with(body, copy, 0, path));
    }
    return ofTree(Tree.with(content(), copy, 0, path));
  }

  /**
   * Returns this object without the value at a path; the same object if there is none.
   *
   * @throws IllegalArgumentException if the path is empty
   */
  public Unstructured without(String... path) {
    requirePath(path);
    Map<String, @Nullable Object> root = root(path);
    Map<String, @Nullable Object> changed = Tree.without(root, 0, path);
    if (changed == root) {
      return this;
    }
    return root == body ? withBody(changed) : ofTree(changed);
  }

  private static void requirePath(String... path) {
    if (path.length == 0) {
      throw new IllegalArgumentException("path is empty");
    }
  }

  private Unstructured withBody(Map<String, @Nullable Object> changed) {
    return new Unstructured(apiVersion, kind, metadata, otherMetadata, changed);
  }

  /** Returns this object with other metadata, and keeps fields that {@link ObjectMeta} lacks. */
  @Override
  public Unstructured withMetadata(ObjectMeta metadata) {
    return new Unstructured(
        apiVersion, kind, requireNonNull(metadata, "metadata"), otherMetadata, body);
  }

  /** Returns this object with another apiVersion and kind; empty for none. */
  public Unstructured withType(String apiVersion, String kind) {
    return new Unstructured(
        requireNonNull(apiVersion, "apiVersion"),
        requireNonNull(kind, "kind"),
        metadata,
        otherMetadata,
        body);
  }

  // -------------------------------------------------------------------------------------- Text

  /** Returns the object as JSON. */
  public String toJson() {
    return RawJson.of(CODEC, this).toString();
  }

  /**
   * Returns the object as JSON for people, as {@code kubectl get -o json} prints it: one value a
   * line, keys sorted, four spaces for each level. Unlike kubectl, {@code <}, {@code >} and {@code
   * &} stay as they are.
   */
  public String toPrettyJson() {
    return PrettyJson.format(content());
  }

  /** Returns the object as YAML, as {@code kubectl get -o yaml} prints it. */
  public String toYaml() {
    return YamlWriter.format(CODEC, this);
  }

  void write(JsonWriter out) {
    out.beginObject();
    out.field("apiVersion", apiVersion.isEmpty() ? null : apiVersion);
    out.field("kind", kind.isEmpty() ? null : kind);
    if (otherMetadata.isEmpty()) {
      out.field("metadata", ObjectMeta.CODEC, metadata);
    } else {
      out.name("metadata");
      out.tree(metadataTree());
    }
    out.fields(body);
    out.endObject();
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof Unstructured other
        && apiVersion.equals(other.apiVersion)
        && kind.equals(other.kind)
        && Objects.equals(metadata, other.metadata)
        && otherMetadata.equals(other.otherMetadata)
        && body.equals(other.body);
  }

  @Override
  public int hashCode() {
    return Objects.hash(apiVersion, kind, metadata, otherMetadata, body);
  }

  /** Returns the object as JSON, cut off if it is long. */
  @Override
  public String toString() {
    String json = toJson();
    return json.length() <= MAX_TEXT ? json : json.substring(0, MAX_TEXT) + "…";
  }
}
