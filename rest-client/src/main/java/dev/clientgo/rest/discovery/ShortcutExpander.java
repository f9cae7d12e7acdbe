package dev.clientgo.rest.discovery;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.restmapper.RESTMapper;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A mapper that knows the short names of resources, too, such as {@code deploy} for deployments.
 *
 * <p>A name that is a plural or a singular of something is not taken for a short one. As safe for
 * use by many threads as the mapper behind it. Corresponds to client-go's {@code
 * restmapper.NewShortcutExpander}.
 */
public final class ShortcutExpander implements RESTMapper {

  private final RESTMapper delegate;
  private final Discovery discovery;
  private final Consumer<String> warnings;

  private ShortcutExpander(RESTMapper delegate, Discovery discovery, Consumer<String> warnings) {
    this.delegate = requireNonNull(delegate, "delegate");
    this.discovery = requireNonNull(discovery, "discovery");
    this.warnings = requireNonNull(warnings, "warnings");
  }

  /**
   * Returns a mapper that knows short names.
   *
   * @param delegate finds the full names
   * @param discovery knows the short names; it is asked at each use, so it should be a cache
   * @param warnings is told when a short name stands for several resources
   */
  public static ShortcutExpander of(
      RESTMapper delegate, Discovery discovery, Consumer<String> warnings) {
    return new ShortcutExpander(delegate, discovery, warnings);
  }

  @Override
  public GroupVersionKind kindFor(GroupVersionResource resource) {
    try {
      return delegate.kindFor(expand(resource));
    } catch (NoMatchException e) {
      // The mapper may have asked the server again meanwhile, and so may know a new short name.
      return lookUp(resource, delegate::kindFor);
    }
  }

  @Override
  public List<GroupVersionKind> kindsFor(GroupVersionResource resource) {
    return lookUp(resource, delegate::kindsFor);
  }

  @Override
  public GroupVersionResource resourceFor(GroupVersionResource resource) {
    return lookUp(resource, delegate::resourceFor);
  }

  @Override
  public List<GroupVersionResource> resourcesFor(GroupVersionResource resource) {
    return lookUp(resource, delegate::resourcesFor);
  }

  @Override
  public RESTMapping restMapping(GroupKind kind, String... versions) {
    return delegate.restMapping(kind, versions);
  }

  @Override
  public List<RESTMapping> restMappings(GroupKind kind, String... versions) {
    return delegate.restMappings(kind, versions);
  }

  @Override
  public String singularize(String resource) {
    return lookUp(
        new GroupVersionResource("", "", resource),
        expanded -> delegate.singularize(expanded.resource()));
  }

  /** Asks for the full name; an error names what the caller wrote. */
  private <T> T lookUp(GroupVersionResource written, Function<GroupVersionResource, T> question) {
    GroupVersionResource expanded = expand(written);
    try {
      return question.apply(expanded);
    } catch (NoMatchException e) {
      if (expanded.equals(written)) {
        throw e;
      }
      NoMatchException asWritten = NoMatchException.resource(written);
      asWritten.addSuppressed(e);
      throw asWritten;
    }
  }

  private GroupVersionResource expand(GroupVersionResource resource) {
    Map<GroupVersion, List<APIResource>> served;
    try {
      served = discovery.serverGroupsAndResources().resources();
    } catch (InterruptedException e) {
      throw Interruptions.unchecked(e);
    }
    if (isName(resource, served)) {
      return resource;
    }
    List<GroupResource> meant = List.copyOf(meant(resource, served, /* prefix= */ false));
    if (!meant.isEmpty()) {
      GroupResource first = meant.get(0);
      meant.stream().skip(1).forEach(other -> warn(resource.resource(), other));
      return first.withVersion("");
    }
    // The beginning of a group is enough: hpa.autoscal.
    return meant(resource, served, /* prefix= */ true).stream()
        .findFirst()
        .map(first -> first.withVersion(resource.version()))
        .orElse(resource);
  }

  private void warn(String shortName, GroupResource other) {
    warnings.accept(
        "short name \"" + shortName + "\" could also match lower priority resource " + other);
  }

  private static boolean isName(
      GroupVersionResource resource, Map<GroupVersion, List<APIResource>> served) {
    return served.entrySet().stream()
        .filter(entry -> fits(resource.group(), entry.getKey().group(), false))
        .flatMap(entry -> entry.getValue().stream())
        .anyMatch(
            known ->
                resource.resource().equals(known.name())
                    || resource.resource().equals(known.singularName()));
  }

  private static Set<GroupResource> meant(
      GroupVersionResource resource, Map<GroupVersion, List<APIResource>> served, boolean prefix) {
    Set<GroupResource> meant = new LinkedHashSet<>();
    served.forEach(
        (version, resources) -> {
          for (APIResource known : resources) {
            if (fits(resource.group(), version.group(), prefix)
                && known.shortNames().contains(resource.resource())) {
              meant.add(new GroupResource(version.group(), known.name()));
            }
          }
        });
    return meant;
  }

  private static boolean fits(String asked, String group, boolean prefix) {
    return asked.isEmpty() || (prefix ? group.startsWith(asked) : group.equals(asked));
  }
}
