package dev.clientgo.apimachinery.restmapper;

import dev.clientgo.apimachinery.errors.AmbiguousMatchException;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Chooses, where another mapper finds several, by a list of patterns: each narrows down what is
 * left, unless nothing would be left. As safe for use by many threads as the other mapper is.
 * Corresponds to apimachinery's {@code meta.PriorityRESTMapper}.
 */
public final class PriorityRESTMapper implements RESTMapper {

  /** Fits anything, in any part of a pattern. */
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
   * Returns a mapper that chooses among what another one finds.
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
    List<GroupVersionKind> left = narrow(found, kinds, PriorityRESTMapper::fits);
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
    List<GroupVersionResource> left = narrow(found, resources, PriorityRESTMapper::fits);
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
        narrow(found, patterns, (pattern, mapping) -> fits(pattern, mapping.kind()));
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

  private static <P, T> List<T> narrow(List<T> found, List<P> patterns, BiPredicate<P, T> fits) {
    List<T> left = found;
    for (P pattern : patterns) {
      if (left.size() <= 1) {
        break;
      }
      List<T> fewer = left.stream().filter(item -> fits.test(pattern, item)).toList();
      if (!fewer.isEmpty()) {
        left = fewer;
      }
    }
    return left;
  }

  private static boolean fits(GroupVersionResource pattern, GroupVersionResource resource) {
    return fits(pattern.group(), resource.group())
        && fits(pattern.version(), resource.version())
        && fits(pattern.resource(), resource.resource());
  }

  private static boolean fits(GroupVersionKind pattern, GroupVersionKind kind) {
    return fits(pattern.group(), kind.group())
        && fits(pattern.version(), kind.version())
        && fits(pattern.kind(), kind.kind());
  }

  private static boolean fits(String pattern, String part) {
    return pattern.equals(ANY) || pattern.equals(part);
  }
}
