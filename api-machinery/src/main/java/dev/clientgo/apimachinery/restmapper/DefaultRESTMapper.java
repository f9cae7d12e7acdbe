package dev.clientgo.apimachinery.restmapper;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.AmbiguousMatchException;
import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A mapper over a fixed table of kinds. Immutable once built. Corresponds to apimachinery's {@code
 * meta.DefaultRESTMapper}.
 *
 * <pre>{@code
 * RESTMapper mapper =
 *     DefaultRESTMapper.builder(new GroupVersion("apps", "v1"))
 *         .add(new GroupVersionKind("apps", "v1", "Deployment"), RESTMapping.Scope.NAMESPACE)
 *         .build();
 * mapper.resourceFor(new GroupVersionResource("", "", "deployment")); // apps/v1, deployments
 * }</pre>
 */
public final class DefaultRESTMapper implements RESTMapper {

  private final List<GroupVersion> preferred;

  /** Singular and plural names, in the order in which they were added. */
  private final Map<GroupVersionResource, GroupVersionKind> kinds;

  private final Map<GroupVersionKind, RESTMapping> mappings;
  private final Map<GroupVersionResource, GroupVersionResource> singularToPlural;

  private DefaultRESTMapper(Builder builder) {
    preferred = builder.preferred;
    kinds = new LinkedHashMap<>(builder.kinds);
    mappings = new LinkedHashMap<>(builder.mappings);
    singularToPlural = new LinkedHashMap<>(builder.singularToPlural);
  }

  /**
   * Returns a builder of a mapper that prefers these versions, in this order. A look-up of a kind
   * without a version finds it only in these versions.
   */
  public static Builder builder(GroupVersion... preferred) {
    return new Builder(List.of(preferred));
  }

  /**
   * Guesses the resource of a kind, a plural, as upstream does: {@code endpoints} stays, {@code s}
   * becomes {@code ses}, {@code y} becomes {@code ies}, and any other name gets an {@code s}.
   */
  public static GroupVersionResource guessPlural(GroupVersionKind kind) {
    String singular = kind.kind().toLowerCase(Locale.ROOT);
    String plural;
    if (singular.isEmpty() || singular.endsWith("endpoints")) {
      plural = singular;
    } else if (singular.endsWith("s")) {
      plural = singular + "es";
    } else if (singular.endsWith("y")) {
      plural = singular.substring(0, singular.length() - 1) + "ies";
    } else {
      plural = singular + "s";
    }
    return kind.groupVersion().withResource(plural);
  }

  @Override
  public List<GroupVersionResource> resourcesFor(GroupVersionResource partial) {
    GroupVersionResource wanted = coerce(partial);
    Set<GroupVersionResource> found = new LinkedHashSet<>();
    for (GroupVersionResource name : matching(wanted)) {
      found.add(singularToPlural.getOrDefault(name, name));
    }
    if (found.isEmpty()) {
      throw NoMatchException.resource(partial);
    }
    return sorted(
        found,
        GroupVersionResource::groupVersion,
        Comparator.comparing(GroupVersionResource::resource));
  }

  @Override
  public GroupVersionResource resourceFor(GroupVersionResource partial) {
    List<GroupVersionResource> found = resourcesFor(partial);
    if (found.size() > 1) {
      throw AmbiguousMatchException.resource(partial, "resources", found);
    }
    return found.get(0);
  }

  @Override
  public List<GroupVersionKind> kindsFor(GroupVersionResource partial) {
    GroupVersionResource wanted = coerce(partial);
    Set<GroupVersionKind> found = new LinkedHashSet<>();
    for (GroupVersionResource name : matching(wanted)) {
      found.add(requireNonNull(kinds.get(name)));
    }
    if (found.isEmpty()) {
      throw NoMatchException.resource(partial);
    }
    return sorted(
        found, GroupVersionKind::groupVersion, Comparator.comparing(GroupVersionKind::kind));
  }

  @Override
  public GroupVersionKind kindFor(GroupVersionResource partial) {
    List<GroupVersionKind> found = kindsFor(partial);
    if (found.size() > 1) {
      throw AmbiguousMatchException.resource(partial, "kinds", found);
    }
    return found.get(0);
  }

  @Override
  public RESTMapping restMapping(GroupKind kind, String... versions) {
    return restMappings(kind, versions).get(0);
  }

  @Override
  public List<RESTMapping> restMappings(GroupKind kind, String... versions) {
    List<String> asked = new ArrayList<>();
    for (String version : versions) {
      if (version.isEmpty() || version.equals(GroupVersion.INTERNAL)) {
        continue;
      }
      asked.add(version);
      @Nullable RESTMapping mapping = mappings.get(kind.withVersion(version));
      if (mapping != null) {
        return List.of(mapping);
      }
    }
    // If the caller named versions and none is known, the other versions do not replace them.
    List<GroupVersion> candidates =
        asked.isEmpty()
            ? preferred.stream().filter(version -> version.group().equals(kind.group())).toList()
            : List.of();
    if (candidates.isEmpty()) {
      throw NoMatchException.kind(kind, asked);
    }
    List<RESTMapping> found = new ArrayList<>();
    for (GroupVersion candidate : candidates) {
      @Nullable RESTMapping mapping = mappings.get(candidate.withKind(kind.kind()));
      if (mapping != null) {
        found.add(mapping);
      }
    }
    if (found.isEmpty()) {
      throw NoMatchException.kind(kind, List.of());
    }
    return found;
  }

  @Override
  public String singularize(String resource) {
    GroupVersionResource partial = new GroupVersionResource("", "", resource);
    Set<String> singulars = new LinkedHashSet<>();
    for (GroupVersionResource plural : resourcesFor(partial)) {
      singularToPlural.forEach(
          (singular, its) -> {
            if (its.equals(plural)) {
              singulars.add(singular.resource());
            }
          });
    }
    if (singulars.size() > 1) {
      throw AmbiguousMatchException.resource(partial, "singulars", List.copyOf(singulars));
    }
    return singulars.iterator().next();
  }

  private static GroupVersionResource coerce(GroupVersionResource partial) {
    String resource = partial.resource().toLowerCase(Locale.ROOT);
    if (resource.isEmpty()) {
      throw new IllegalArgumentException("the name of the resource is empty");
    }
    String version = partial.version().equals(GroupVersion.INTERNAL) ? "" : partial.version();
    return new GroupVersionResource(partial.group(), version, resource);
  }

  private List<GroupVersionResource> matching(GroupVersionResource wanted) {
    Predicate<GroupVersionResource> resource = name -> name.resource().equals(wanted.resource());
    Predicate<GroupVersionResource> version =
        wanted.version().isEmpty() ? name -> true : name -> name.version().equals(wanted.version());
    if (wanted.group().isEmpty()) {
      return names(resource.and(version));
    }
    List<GroupVersionResource> exact =
        names(resource.and(version).and(name -> name.group().equals(wanted.group())));
    if (!exact.isEmpty() || !wanted.version().isEmpty()) {
      return exact;
    }
    // Without a version, the beginning of a group is enough: storageclass.storage.
    return names(resource.and(name -> name.group().startsWith(wanted.group())));
  }

  private List<GroupVersionResource> names(Predicate<GroupVersionResource> condition) {
    return kinds.keySet().stream().filter(condition).toList();
  }

  /**
   * Sorts by version: first the preferred ones, then the others in the order in which they were
   * added. Unlike apimachinery, whose comparator defines no order for versions outside the list.
   */
  private <T> List<T> sorted(
      Collection<T> found, Function<T, GroupVersion> version, Comparator<T> within) {
    List<GroupVersion> order = new ArrayList<>(preferred);
    found.stream().map(version).filter(other -> !order.contains(other)).forEach(order::add);
    Comparator<T> byVersion = Comparator.comparingInt(item -> order.indexOf(version.apply(item)));
    return found.stream().sorted(byVersion.thenComparing(within)).toList();
  }

  /** Builds a {@link DefaultRESTMapper}. Not safe for use by many threads. */
  public static final class Builder {
    private final List<GroupVersion> preferred;
    private final Map<GroupVersionResource, GroupVersionKind> kinds = new LinkedHashMap<>();
    private final Map<GroupVersionKind, RESTMapping> mappings = new LinkedHashMap<>();
    private final Map<GroupVersionResource, GroupVersionResource> singularToPlural =
        new LinkedHashMap<>();

    private Builder(List<GroupVersion> preferred) {
      this.preferred = preferred;
    }

    /** Adds a kind with guessed names of its resource: see {@link #guessPlural}. */
    public Builder add(GroupVersionKind kind, RESTMapping.Scope scope) {
      return addSpecific(
          kind, guessPlural(kind).resource(), kind.kind().toLowerCase(Locale.ROOT), scope);
    }

    /** Adds a kind under the given names. */
    public Builder addSpecific(
        GroupVersionKind kind, String plural, String singular, RESTMapping.Scope scope) {
      GroupVersionResource plurals = kind.groupVersion().withResource(plural);
      GroupVersionResource singulars = kind.groupVersion().withResource(singular);
      singularToPlural.put(singulars, plurals);
      kinds.put(singulars, kind);
      kinds.put(plurals, kind);
      mappings.put(kind, new RESTMapping(plurals, kind, scope));
      return this;
    }

    /** Returns the mapper built. */
    public DefaultRESTMapper build() {
      return new DefaultRESTMapper(this);
    }
  }
}
