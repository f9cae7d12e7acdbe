package dev.clientgo.apimachinery.restmapper;

import dev.clientgo.apimachinery.errors.AmbiguousMatchException;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * A mapper that chooses among the results of another mapper by a list of patterns. Each pattern in
 * turn drops the results that do not match it, unless it would drop all. Thread-safe if the other
 * mapper is. Corresponds to apimachinery's {@code meta.PriorityRESTMapper}.
 */
public final class PriorityRESTMapper implements RESTMapper {

  /** Matches anything, in any part of a pattern. */
  public static final String ANY = "*";

  private final RESTMapper delegate;
  private final List<GroupVersionResource> resources;
  private final List<GroupVersionKind> kinds;

  private PriorityRESTMapper(
      RESTMapper delegate, List<GroupVersionResource> resources, List<GroupVersionKind> kinds) {
    this.delegate = delegate;
    this.resources = List.copyOf(resources);
    this.kinds = List.copyOf(kinds);
  }

  /**
   * Returns a mapper that chooses among the results of another mapper.
   *
   * @param resources the preferred resources, first choice first; parts may be {@link #ANY}
   * @param kinds the preferred kinds, first choice first; parts may be {@link #ANY}
   */
  public static PriorityRESTMapper of(
      RESTMapper delegate, List<GroupVersionResource> resources, List<GroupVersionKind> kinds) {
    return new PriorityRESTMapper(delegate, resources, kinds);
  }

  @Override
  public GroupVersionKind kindFor(GroupVersionResource partial) {
    List<GroupVersionKind> found = delegate.kindsFor(partial);
    List<GroupVersionKind> left = narrow(found, kinds, PriorityRESTMapper::matches);
    if (left.size() != 1) {
      throw AmbiguousMatchException.resource(partial, "kinds", found);
    }
    return left.get(0);
  }

  @Override
  public List<GroupVersionKind> kindsFor(GroupVersionResource partial) {
    return delegate.kindsFor(partial);
  }

  @Override
  public GroupVersionResource resourceFor(GroupVersionResource partial) {
    List<GroupVersionResource> found = delegate.resourcesFor(partial);
    List<GroupVersionResource> left = narrow(found, resources, PriorityRESTMapper::matches);
    if (left.size() != 1) {
      throw AmbiguousMatchException.resource(partial, "resources", found);
    }
    return left.get(0);
  }

  @Override
  public List<GroupVersionResource> resourcesFor(GroupVersionResource partial) {
    return delegate.resourcesFor(partial);
  }

  @Override
  public RESTMapping restMapping(GroupKind kind, String... versions) {
    List<RESTMapping> found = delegate.restMappings(kind, versions);
    List<GroupVersionKind> patterns = new ArrayList<>();
    for (String version : versions) {
      patterns.add(new GroupVersionKind(kind.group(), version, ANY));
    }
    patterns.addAll(kinds);
    List<RESTMapping> left =
        narrow(found, patterns, (pattern, mapping) -> matches(pattern, mapping.kind()));
    if (left.size() != 1) {
      throw AmbiguousMatchException.kind(
          kind, "kinds", found.stream().map(RESTMapping::kind).toList());
    }
    return left.get(0);
  }

  @Override
  public List<RESTMapping> restMappings(GroupKind kind, String... versions) {
    return delegate.restMappings(kind, versions);
  }

  @Override
  public String singularize(String resource) {
    return delegate.singularize(resource);
  }

  private static <P, T> List<T> narrow(List<T> found, List<P> patterns, BiPredicate<P, T> matches) {
    List<T> left = found;
    for (P pattern : patterns) {
      if (left.size() <= 1) {
        break;
      }
      List<T> fewer = left.stream().filter(item -> matches.test(pattern, item)).toList();
      if (!fewer.isEmpty()) {
        left = fewer;
      }
    }
    return left;
  }

  private static boolean matches(GroupVersionResource pattern, GroupVersionResource resource) {
    return matches(pattern.group(), resource.group())
        && matches(pattern.version(), resource.version())
        && matches(pattern.resource(), resource.resource());
  }

  private static boolean matches(GroupVersionKind pattern, GroupVersionKind kind) {
    return matches(pattern.group(), kind.group())
        && matches(pattern.version(), kind.version())
        && matches(pattern.kind(), kind.kind());
  }

  private static boolean matches(String pattern, String part) {
    return pattern.equals(ANY) || pattern.equals(part);
  }
}
