package dev.clientgo.apimachinery.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A registry of types: the Java type of each kind and its codec, the preferred version of each
 * group, and the conversions between types.
 *
 * <pre>{@code
 * Scheme scheme =
 *     Scheme.builder()
 *         .add(new GroupVersion("example.com", "v1"), Widget.class) // bound by databind
 *         .add(Gadget.TYPE, Gadget.class)                           // has its own codec
 *         .build();
 * }</pre>
 *
 * <p>Immutable. Corresponds to apimachinery's {@code runtime.Scheme}.
 */
public final class Scheme {

  /** A registered type. */
  private record Registration<T>(Class<T> type, JsonCodec<T> codec) {}

  private record Conversion(Class<?> from, Class<?> to) {}

  /**
   * The kinds that an object may have.
   *
   * @param kinds the kinds, in the order in which they were registered
   * @param unversioned whether the type is the same in all versions
   */
  public record ObjectKinds(List<GroupVersionKind> kinds, boolean unversioned) {
    public ObjectKinds {
      kinds = List.copyOf(kinds);
    }
  }

  private final Map<GroupVersionKind, Registration<?>> types;
  private final Map<Class<?>, List<GroupVersionKind>> kinds;
  private final Map<String, Registration<?>> unversioned;
  private final Map<String, List<GroupVersion>> versions;
  private final Map<Class<?>, UnaryOperator<Object>> defaulters;
  private final Map<Conversion, Function<Object, Object>> conversions;

  private Scheme(Builder builder) {
    types = new LinkedHashMap<>(builder.types);
    kinds = new HashMap<>();
    types.forEach(
        (kind, registration) -> {
          // All lists are of one type, which so has no kind.
          if (registration.type != ResourceList.class) {
            kinds.computeIfAbsent(registration.type, type -> new ArrayList<>()).add(kind);
          }
        });
    unversioned = Map.copyOf(builder.unversioned);
    versions = new LinkedHashMap<>();
    builder.observed.forEach(
        (group, observed) -> versions.put(group, prioritized(observed, builder.priority(group))));
    defaulters = Map.copyOf(builder.defaulters);
    conversions = Map.copyOf(builder.conversions);
  }

  private static List<GroupVersion> prioritized(
      Set<GroupVersion> observed, List<GroupVersion> priority) {
    Set<GroupVersion> ordered = new LinkedHashSet<>(priority);
    ordered.retainAll(observed);
    ordered.addAll(observed);
    return List.copyOf(ordered);
  }

  /** Returns a builder of a scheme without types. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the kinds that an object may have: those under which its type is registered, or for
   * {@link Unstructured} its own.
   *
   * @throws NotRegisteredException if the type is not registered
   * @throws IllegalArgumentException if an unstructured object has no kind or no version
   */
  public ObjectKinds objectKinds(Object object) {
    if (object instanceof Unstructured unstructured) {
      return new ObjectKinds(List.of(kindOf(unstructured)), false);
    }
    @Nullable List<GroupVersionKind> found = kinds.get(object.getClass());
    if (found == null) {
      throw NotRegisteredException.type(object.getClass());
    }
    boolean same =
        found.stream()
            .map(kind -> unversioned.get(kind.kind()))
            .anyMatch(other -> other != null && other.type == object.getClass());
    return new ObjectKinds(found, same);
  }

  private static GroupVersionKind kindOf(Unstructured object) {
    if (object.kind().isEmpty()) {
      throw new IllegalArgumentException("Object 'Kind' is missing in '" + object + "'");
    }
    if (object.apiVersion().isEmpty()) {
      throw new IllegalArgumentException("Object 'apiVersion' is missing in '" + object + "'");
    }
    return GroupVersionKind.fromApiVersionAndKind(object.apiVersion(), object.kind());
  }

  /** Returns whether a kind is registered. */
  public boolean recognizes(GroupVersionKind kind) {
    return types.containsKey(kind);
  }

  /** Returns all kinds with their types. */
  public Map<GroupVersionKind, Class<?>> allKnownTypes() {
    return types.entrySet().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> entry.getValue().type));
  }

  /** Returns the kinds of one version with their types. */
  public Map<String, Class<?>> knownTypes(GroupVersion version) {
    return types.entrySet().stream()
        .filter(entry -> entry.getKey().groupVersion().equals(version))
        .collect(
            Collectors.toUnmodifiableMap(
                entry -> entry.getKey().kind(), entry -> entry.getValue().type));
  }

  /** Returns the versions in which a kind is registered, preferred ones first. */
  public List<GroupVersion> versionsForGroupKind(GroupKind kind) {
    return prioritizedVersionsForGroup(kind.group()).stream()
        .filter(version -> recognizes(version.withKind(kind.kind())))
        .toList();
  }

  /** Returns whether a group has a registered type, except internal ones. */
  public boolean isGroupRegistered(String group) {
    return versions.containsKey(group);
  }

  /** Returns whether a version has a registered type, except internal ones. */
  public boolean isVersionRegistered(GroupVersion version) {
    return prioritizedVersionsForGroup(version.group()).contains(version);
  }

  /** Returns the versions of a group without internal ones, preferred ones first. */
  public List<GroupVersion> prioritizedVersionsForGroup(String group) {
    return versions.getOrDefault(group, List.of());
  }

  /** Returns the versions of all groups, preferred ones of each group first. */
  public List<GroupVersion> prioritizedVersionsAllGroups() {
    return versions.values().stream().flatMap(List::stream).toList();
  }

  /** Returns the preferred version of each group. */
  public List<GroupVersion> preferredVersionAllGroups() {
    return versions.values().stream().map(ordered -> ordered.get(0)).toList();
  }

  /**
   * Returns the codec of a kind.
   *
   * @throws NotRegisteredException if the kind is not registered
   */
  public JsonCodec<?> codec(GroupVersionKind kind) {
    return registration(kind).codec;
  }

  /**
   * Returns the codec of a registered type.
   *
   * @throws NotRegisteredException if the type is not registered
   */
  @SuppressWarnings("unchecked") // A registration binds its codec to its type.
  public <T> JsonCodec<T> codec(Class<T> type) {
    @Nullable List<GroupVersionKind> found = kinds.get(type);
    if (found == null) {
      throw NotRegisteredException.type(type);
    }
    return (JsonCodec<T>) registration(found.get(0)).codec;
  }

  /**
   * Returns an object of a kind in which nothing is set.
   *
   * @throws NotRegisteredException if the kind is not registered
   */
  public Object newObject(GroupVersionKind kind) {
    return requireNonNull(codec(kind).read(JsonReader.of("{}".getBytes(UTF_8))), "read");
  }

  /**
   * Reads an object of the registered kind that it names.
   *
   * @throws NotRegisteredException if the kind is not registered
   * @throws dev.clientgo.apimachinery.errors.CodecException if it is not such an object
   */
  public Object decode(byte[] json) {
    Unstructured any = Unstructured.CODEC.read(JsonReader.of(json));
    return requireNonNull(codec(kindOf(any)).read(JsonReader.of(json)), "read");
  }

  private Registration<?> registration(GroupVersionKind kind) {
    @Nullable Registration<?> exact = types.get(kind);
    if (exact != null) {
      return exact;
    }
    @Nullable Registration<?> any = unversioned.get(kind.kind());
    if (any == null) {
      throw NotRegisteredException.kind(kind);
    }
    return any;
  }

  /** Returns the object with the defaults of its type, or unchanged if none are registered. */
  @SuppressWarnings("unchecked") // A defaulter returns the type of its argument.
  public <T> T withDefaults(T object) {
    @Nullable UnaryOperator<Object> defaulter = defaulters.get(object.getClass());
    return defaulter == null ? object : (T) defaulter.apply(object);
  }

  /**
   * Converts an object to another type. Reads an unstructured object first as the type that is
   * registered for its kind.
   *
   * @throws NotRegisteredException if there is no conversion
   */
  public <T> T convert(Object object, Class<T> target) {
    if (target.isInstance(object)) {
      return target.cast(object);
    }
    Object typed = object instanceof Unstructured any ? typed(any) : object;
    if (target.isInstance(typed)) {
      return target.cast(typed);
    }
    @Nullable Function<Object, Object> conversion =
        conversions.get(new Conversion(typed.getClass(), target));
    if (conversion == null) {
      throw NotRegisteredException.conversion(typed.getClass(), target.getName());
    }
    return target.cast(conversion.apply(typed));
  }

  /**
   * Converts an object to another version: to the type that is registered there, or unchanged if it
   * is its own type. An unversioned type is the same in all versions.
   *
   * @throws NotRegisteredException if the group has no such kind, or there is no conversion
   */
  public Object convertToVersion(Object object, GroupVersion target) {
    Object typed = object instanceof Unstructured any ? typed(any) : object;
    ObjectKinds own = objectKinds(typed);
    if (own.unversioned) {
      return typed;
    }
    GroupVersionKind kind =
        target
            .kindFor(own.kinds)
            .orElseThrow(() -> NotRegisteredException.conversion(typed.getClass(), target));
    @Nullable Registration<?> registration = types.get(kind);
    if (registration == null) {
      throw NotRegisteredException.kind(kind);
    }
    return convert(typed, registration.type);
  }

  private Object typed(Unstructured object) {
    return requireNonNull(
        codec(kindOf(object)).read(JsonReader.of(object.toJson().getBytes(UTF_8))), "read");
  }

  /** Builds a {@link Scheme}. Not safe for use by many threads. */
  public static final class Builder {
    private final Map<GroupVersionKind, Registration<?>> types = new LinkedHashMap<>();
    private final Map<String, Registration<?>> unversioned = new HashMap<>();
    private final Map<String, Set<GroupVersion>> observed = new LinkedHashMap<>();
    private final Map<String, List<GroupVersion>> priorities = new HashMap<>();
    private final Map<Class<?>, UnaryOperator<Object>> defaulters = new HashMap<>();
    private final Map<Conversion, Function<Object, Object>> conversions = new HashMap<>();

    private Builder() {}

    private List<GroupVersion> priority(String group) {
      return priorities.getOrDefault(group, List.of());
    }

    /**
     * Registers a hand-written record or class under its simple name, bound by databind: components
     * and properties have the names of the fields.
     *
     * @throws IllegalArgumentException if the version is empty or the kind has another type
     */
    public <T> Builder add(GroupVersion version, Class<T> type) {
      return add(version.withKind(type.getSimpleName()), type, DatabindCodec.of(type));
    }

    /**
     * Registers a type with its own codec, and lists of it.
     *
     * @throws IllegalArgumentException if the version is empty or the kind has another type
     */
    public <T extends KubernetesObject> Builder add(ResourceType<T> resource, Class<T> type) {
      @SuppressWarnings("unchecked") // The one class stands for lists of all types.
      Class<ResourceList<T>> list = (Class<ResourceList<T>>) (Class<?>) ResourceList.class;
      add(resource.kind(), type, resource.codec());
      return add(resource.listKind(), list, resource.listCodec());
    }

    /**
     * Registers a type under a kind. A second registration changes nothing; a type may have several
     * kinds.
     *
     * @throws IllegalArgumentException if the version is empty or the kind has another type
     */
    public <T> Builder add(GroupVersionKind kind, Class<T> type, JsonCodec<T> codec) {
      requireNonNull(type, "type");
      requireNonNull(codec, "codec");
      if (kind.version().isEmpty()) {
        throw new IllegalArgumentException(
            "version is required on all types: " + kind + " " + type.getName());
      }
      @Nullable Registration<?> before = types.get(kind);
      if (before != null && before.type != type) {
        throw new IllegalArgumentException(
            "double registration of different types for "
                + kind
                + ": "
                + before.type.getName()
                + " and "
                + type.getName());
      }
      types.putIfAbsent(kind, new Registration<>(type, codec));
      if (!kind.version().equals(GroupVersion.INTERNAL)) {
        observed
            .computeIfAbsent(kind.group(), group -> new LinkedHashSet<>())
            .add(kind.groupVersion());
      }
      return this;
    }

    /**
     * Registers a type that is the same in all versions and groups, such as {@code Status}.
     *
     * @throws IllegalArgumentException if the kind has another unversioned type
     */
    public <T> Builder addUnversioned(GroupVersionKind kind, Class<T> type, JsonCodec<T> codec) {
      @Nullable Registration<?> before = unversioned.get(kind.kind());
      if (before != null && before.type != type) {
        throw new IllegalArgumentException(
            kind.kind()
                + " is registered as unversioned type "
                + before.type.getName()
                + " already and cannot be "
                + type.getName()
                + " too");
      }
      add(kind, type, codec);
      unversioned.putIfAbsent(kind.kind(), new Registration<>(type, codec));
      return this;
    }

    /**
     * Sets the order of preference of the versions of a group, the preferred one first; the others
     * follow in the order of their registration. Unlike client-go, versions without a registered
     * type are ignored.
     *
     * @throws IllegalArgumentException if they are of several groups, or one is internal
     */
    public Builder versionPriority(GroupVersion... order) {
      Set<String> groups = new LinkedHashSet<>();
      for (GroupVersion version : order) {
        if (version.version().equals(GroupVersion.INTERNAL)) {
          throw new IllegalArgumentException("internal versions cannot be prioritized: " + version);
        }
        groups.add(version.group());
      }
      if (groups.size() != 1) {
        throw new IllegalArgumentException(
            "must register versions for exactly one group: " + groups);
      }
      priorities.put(groups.iterator().next(), List.of(order));
      return this;
    }

    /** Sets the function that {@link Scheme#withDefaults} applies to objects of a type. */
    public <T> Builder defaulting(Class<T> type, UnaryOperator<T> defaulter) {
      requireNonNull(defaulter, "defaulter");
      defaulters.put(type, object -> defaulter.apply(type.cast(object)));
      return this;
    }

    /** Sets the conversion from one type to another. */
    public <A, B> Builder conversion(Class<A> from, Class<B> to, Function<A, B> conversion) {
      requireNonNull(conversion, "conversion");
      conversions.put(new Conversion(from, to), object -> conversion.apply(from.cast(object)));
      return this;
    }

    /** Returns the scheme built. */
    public Scheme build() {
      return new Scheme(this);
    }
  }

  /**
   * A scheme does not know a kind or a type. Corresponds to apimachinery's {@code
   * runtime.IsNotRegisteredError}.
   */
  public static final class NotRegisteredException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private NotRegisteredException(String message) {
      super(message);
    }

    static NotRegisteredException kind(GroupVersionKind kind) {
      return new NotRegisteredException(
          "no kind \""
              + kind.kind()
              + "\" is registered for version \""
              + kind.apiVersion()
              + "\"; register its type with Scheme.Builder.add");
    }

    static NotRegisteredException type(Class<?> type) {
      return new NotRegisteredException(
          "no kind is registered for the type "
              + type.getName()
              + "; register it with Scheme.Builder.add");
    }

    static NotRegisteredException conversion(Class<?> from, Object to) {
      return new NotRegisteredException(
          "no conversion is registered from " + from.getName() + " to " + to);
    }
  }
}
