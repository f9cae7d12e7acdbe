package dev.clientgo.rest.discovery;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resource or a subresource in one version of a group.
 *
 * <p>Corresponds to apimachinery's {@code meta/v1.APIResource}.
 *
 * @param name the plural name; a subresource follows after a slash, as in {@code pods/status}
 * @param singularName the singular name, empty if the server sends none
 * @param namespaced whether the objects live in namespaces
 * @param group the group of the kind, empty if it equals the group of the resource
 * @param version the version of the kind, empty if it equals the version of the resource
 * @param kind the kind of the objects
 * @param verbs the supported verbs, such as {@code get} and {@code deletecollection}
 * @param shortNames the short names, such as {@code po}
 * @param categories the categories it belongs to, such as {@code all}
 * @param storageVersionHash changes with the version in which the objects are stored; null if the
 *     server sends none
 */
public record APIResource(
    String name,
    String singularName,
    boolean namespaced,
    String group,
    String version,
    String kind,
    List<String> verbs,
    List<String> shortNames,
    List<String> categories,
    @Nullable String storageVersionHash) {

  public APIResource {
    requireNonNull(name, "name");
    verbs = List.copyOf(verbs);
    shortNames = List.copyOf(shortNames);
    categories = List.copyOf(categories);
  }

  /** Returns whether this is a subresource. */
  public boolean isSubresource() {
    return name.indexOf('/') >= 0;
  }

  /** Returns whether all of these verbs are supported. */
  public boolean supports(Collection<String> verbs) {
    return this.verbs.containsAll(verbs);
  }

  /**
   * Returns the kind of the objects with its group and version.
   *
   * @param served the version of the group in which the resource is served
   */
  public GroupVersionKind groupVersionKind(GroupVersion served) {
    return version.isEmpty() ? served.withKind(kind) : new GroupVersionKind(group, version, kind);
  }
}
