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
import dev.clientgo.clock.Interruptible;
import dev.clientgo.rest.RESTClient;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A mapper that also finds resources by short name, such as {@code deploy} for deployments.
 *
 * <p>A plural or singular name takes precedence over a short name. Safe for use by many threads if
 * its delegate is. Corresponds to client-go's {@code restmapper.NewShortcutExpander}.
 */
public final class ShortcutExpander implements RESTMapper {

  private static final System.Logger LOG = System.getLogger(ShortcutExpander.class.getName());

  private final RESTMapper delegate;
  private final Discovery discovery;
  private final Consumer<String> warnings;

  private ShortcutExpander(RESTMapper delegate, Discovery discovery, Consumer<String> warnings) {
    this.delegate = requireNonNull(delegate, "delegate");
    this.discovery = requireNonNull(discovery, "discovery");
    this.warnings = requireNonNull(warnings, "warnings");
  }

  /**
   * Returns a mapper that finds all that a server serves, as kubectl does: by kind, by resource, by
   * short name, and also what was created after the first call. It runs discovery at its first use
   * and keeps the results in memory. Warnings are logged.
   *
   * <pre>{@code
   * RESTMapping deployments = ShortcutExpander.of(client).find("deploy");
   * ResourceClient<Unstructured> objects = client.dynamic(deployments);
   * }</pre>
   */
  public static ShortcutExpander of(RESTClient client) {
    MemCacheClient discovery = MemCacheClient.of(DiscoveryClient.of(client));
    return of(
        DeferredDiscoveryRESTMapper.of(discovery),
        discovery,
        warning -> LOG.log(System.Logger.Level.WARNING, warning));
  }

  /**
   * Returns a mapper with short names.
   *
   * @param delegate finds full names
   * @param discovery finds short names; it is called at each use, so it should be a cache
   * @param warnings receives a warning if a short name stands for several resources
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
      // The delegate may have run discovery again, which may have found a new short name.
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

  /** Looks up the full name; an error shows the name that the caller wrote. */
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
    Map<GroupVersion, List<APIResource>> served =
        Interruptible.get(() -> discovery.serverGroupsAndResources().resources());
    if (isName(resource, served)) {
      return resource;
    }
    List<GroupResource> meant = List.copyOf(meant(resource, served, /* prefix= */ false));
    if (!meant.isEmpty()) {
      GroupResource first = meant.get(0);
      meant.stream().skip(1).forEach(other -> warn(resource.resource(), other));
      return first.withVersion("");
    }
    // A prefix of the group is enough: hpa.autoscal.
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
