package dev.clientgo.apimachinery.restmapper;

import dev.clientgo.apimachinery.errors.AmbiguousMatchException;
import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The union of several mappers. Thread-safe if they are. Corresponds to apimachinery's {@code
 * meta.MultiRESTMapper}.
 */
public final class MultiRESTMapper implements RESTMapper {

  private final List<RESTMapper> mappers;

  private MultiRESTMapper(List<RESTMapper> mappers) {
    this.mappers = List.copyOf(mappers);
  }

  /** Returns a mapper over several others. */
  public static MultiRESTMapper of(List<? extends RESTMapper> mappers) {
    return new MultiRESTMapper(List.copyOf(mappers));
  }

  @Override
  public List<GroupVersionResource> resourcesFor(GroupVersionResource partial) {
    return union(mapper -> mapper.resourcesFor(partial), NoMatchException.resource(partial));
  }

  @Override
  public List<GroupVersionKind> kindsFor(GroupVersionResource partial) {
    return union(mapper -> mapper.kindsFor(partial), NoMatchException.resource(partial));
  }

  @Override
  public GroupVersionResource resourceFor(GroupVersionResource partial) {
    return single(
        resourcesFor(partial),
        found -> AmbiguousMatchException.resource(partial, "resources", found));
  }

  @Override
  public GroupVersionKind kindFor(GroupVersionResource partial) {
    return single(
        kindsFor(partial), found -> AmbiguousMatchException.resource(partial, "kinds", found));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Throws the errors of mappers only if no mapper has a result.
   */
  @Override
  public RESTMapping restMapping(GroupKind kind, String... versions) {
    Set<RESTMapping> hits = new LinkedHashSet<>();
    List<RuntimeException> failures =
        collect(mapper -> List.of(mapper.restMapping(kind, versions)), hits);
    if (hits.isEmpty()) {
      throw failures.isEmpty() ? NoMatchException.kind(kind, List.of(versions)) : all(failures);
    }
    return single(hits, found -> AmbiguousMatchException.kind(kind, "mappings", found));
  }

  @Override
  public List<RESTMapping> restMappings(GroupKind kind, String... versions) {
    Set<RESTMapping> found = new LinkedHashSet<>();
    List<RuntimeException> failures = collect(mapper -> mapper.restMappings(kind, versions), found);
    if (!failures.isEmpty()) {
      throw all(failures);
    }
    if (found.isEmpty()) {
      throw NoMatchException.kind(kind, List.of(versions));
    }
    return List.copyOf(found);
  }

  @Override
  public String singularize(String resource) {
    RuntimeException last = NoMatchException.resource(new GroupVersionResource("", "", resource));
    for (RESTMapper mapper : mappers) {
      try {
        return mapper.singularize(resource);
      } catch (RuntimeException e) {
        last = e;
      }
    }
    throw last;
  }

  /** Adds the results of all mappers to a set; returns the errors of the mappers that failed. */
  private <T> List<RuntimeException> collect(Function<RESTMapper, List<T>> lookup, Set<T> found) {
    List<RuntimeException> failures = new ArrayList<>();
    for (RESTMapper mapper : mappers) {
      try {
        found.addAll(lookup.apply(mapper));
      } catch (NoMatchException e) {
        // Another mapper may know it.
      } catch (RuntimeException e) {
        failures.add(e);
      }
    }
    return failures;
  }

  private <T> List<T> union(Function<RESTMapper, List<T>> lookup, NoMatchException none) {
    Set<T> found = new LinkedHashSet<>();
    for (RESTMapper mapper : mappers) {
      try {
        found.addAll(lookup.apply(mapper));
      } catch (NoMatchException e) {
        // Another mapper may know it.
      }
    }
    if (found.isEmpty()) {
      throw none;
    }
    return List.copyOf(found);
  }

  private static <T> T single(
      Collection<T> found, Function<List<T>, AmbiguousMatchException> ambiguous) {
    if (found.size() > 1) {
      throw ambiguous.apply(List.copyOf(found));
    }
    return found.iterator().next();
  }

  private static RuntimeException all(List<RuntimeException> failures) {
    RuntimeException first = failures.get(0);
    failures.stream().skip(1).forEach(first::addSuppressed);
    return first;
  }
}
