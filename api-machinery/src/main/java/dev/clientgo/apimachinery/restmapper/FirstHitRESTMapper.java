package dev.clientgo.apimachinery.restmapper;

import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A mapper over several others. Methods with one result return that of the first mapper that has
 * one; methods with several results return those of all mappers. Thread-safe if the other mappers
 * are. Corresponds to apimachinery's {@code meta.FirstHitRESTMapper}.
 */
public final class FirstHitRESTMapper implements RESTMapper {

  private final List<RESTMapper> mappers;
  private final MultiRESTMapper all;

  private FirstHitRESTMapper(List<RESTMapper> mappers) {
    this.mappers = mappers;
    this.all = MultiRESTMapper.of(mappers);
  }

  /** Returns a mapper over several others, the preferred one first. */
  public static FirstHitRESTMapper of(List<? extends RESTMapper> mappers) {
    return new FirstHitRESTMapper(List.copyOf(mappers));
  }

  @Override
  public GroupVersionKind kindFor(GroupVersionResource partial) {
    return first(mapper -> mapper.kindFor(partial), NoMatchException.resource(partial));
  }

  @Override
  public List<GroupVersionKind> kindsFor(GroupVersionResource partial) {
    return all.kindsFor(partial);
  }

  @Override
  public GroupVersionResource resourceFor(GroupVersionResource partial) {
    return first(mapper -> mapper.resourceFor(partial), NoMatchException.resource(partial));
  }

  @Override
  public List<GroupVersionResource> resourcesFor(GroupVersionResource partial) {
    return all.resourcesFor(partial);
  }

  @Override
  public RESTMapping restMapping(GroupKind kind, String... versions) {
    return first(
        mapper -> mapper.restMapping(kind, versions),
        NoMatchException.kind(kind, List.of(versions)));
  }

  @Override
  public List<RESTMapping> restMappings(GroupKind kind, String... versions) {
    return all.restMappings(kind, versions);
  }

  @Override
  public String singularize(String resource) {
    return all.singularize(resource);
  }

  /** Returns the first result. Throws the errors of mappers only if no mapper has a result. */
  private <T> T first(Function<RESTMapper, T> lookup, NoMatchException none) {
    List<RuntimeException> failures = new ArrayList<>();
    for (RESTMapper mapper : mappers) {
      try {
        return lookup.apply(mapper);
      } catch (NoMatchException e) {
        // The next mapper may know it.
      } catch (RuntimeException e) {
        failures.add(e);
      }
    }
    if (failures.isEmpty()) {
      throw none;
    }
    RuntimeException first = failures.get(0);
    failures.stream().skip(1).forEach(first::addSuppressed);
    throw first;
  }
}
