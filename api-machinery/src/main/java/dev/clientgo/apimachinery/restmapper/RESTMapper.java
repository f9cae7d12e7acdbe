package dev.clientgo.apimachinery.restmapper;

import dev.clientgo.apimachinery.errors.AmbiguousMatchException;
import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds the kinds of resources and the resources of kinds.
 *
 * <p>The name of a resource may be partial: without a version or a group, with the beginning of a
 * group, in the singular, in capitals. Results are in the mapper's order of preference. Corresponds
 * to apimachinery's {@code meta.RESTMapper}.
 */
public interface RESTMapper {

  /**
   * Returns the kind of a resource, of which any part but the name may be empty.
   *
   * @throws NoMatchException if there is none
   * @throws AmbiguousMatchException if there are several and none is preferred
   */
  GroupVersionKind kindFor(GroupVersionResource resource);

  /**
   * Returns the kinds of a resource, preferred ones first.
   *
   * @throws NoMatchException if there is none
   */
  List<GroupVersionKind> kindsFor(GroupVersionResource resource);

  /**
   * Returns the full name of a resource, of which any part but the name may be empty.
   *
   * @throws NoMatchException if there is none
   * @throws AmbiguousMatchException if there are several and none is preferred
   */
  GroupVersionResource resourceFor(GroupVersionResource resource);

  /**
   * Returns the full names that match a resource, preferred ones first.
   *
   * @throws NoMatchException if there is none
   */
  List<GroupVersionResource> resourcesFor(GroupVersionResource resource);

  /**
   * Returns the resource and scope of a kind, in the first of the given versions that is known, or
   * in the preferred version if none is given.
   *
   * @throws NoMatchException if there is none
   * @throws AmbiguousMatchException if there are several and none is preferred
   */
  RESTMapping restMapping(GroupKind kind, String... versions);

  /**
   * Returns the resources and scopes of a kind, in the given versions, or in all preferred versions
   * if none is given.
   *
   * @throws NoMatchException if there is none
   */
  List<RESTMapping> restMappings(GroupKind kind, String... versions);

  /**
   * Returns the mapping of a resource or a kind as a person writes it for kubectl: {@code pods},
   * {@code deployments.apps}, {@code deployments.v1.apps}, {@code Deployment.apps}; {@code deploy},
   * too, if the mapper knows short names.
   *
   * <pre>{@code
   * ResourceClient<Unstructured> deployments = client.dynamic(mapper.find("deploy.apps"));
   * }</pre>
   *
   * @throws NoMatchException if there is none; the message names what the caller wrote
   * @throws AmbiguousMatchException if there are several and none is preferred
   */
  default RESTMapping find(String resourceOrKind) {
    GroupResource resource = GroupResource.parse(resourceOrKind);
    List<GroupVersionResource> resources =
        Stream.concat(
                GroupVersionResource.parseResourceArg(resourceOrKind).stream(),
                Stream.of(resource.withVersion("")))
            .toList();
    for (GroupVersionResource candidate : resources) {
      try {
        GroupVersionKind kind = kindFor(candidate);
        return restMapping(kind.groupKind(), kind.version());
      } catch (NoMatchException e) {
        // It may be a kind.
      }
    }
    try {
      GroupVersionKind kind = GroupVersionKind.parseKindArg(resourceOrKind).orElse(null);
      if (kind != null) {
        return restMapping(kind.groupKind(), kind.version());
      }
    } catch (NoMatchException e) {
      // It may have a group of several parts and no version.
    }
    try {
      return restMapping(GroupKind.parse(resourceOrKind));
    } catch (NoMatchException e) {
      throw NoMatchException.resource(resource.withVersion(""));
    }
  }

  /**
   * Returns the singular form of a resource's name.
   *
   * @throws NoMatchException if the resource is not known
   * @throws AmbiguousMatchException if it has several
   */
  String singularize(String resource);
}
