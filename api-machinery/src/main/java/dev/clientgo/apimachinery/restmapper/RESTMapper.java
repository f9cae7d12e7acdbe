package dev.clientgo.apimachinery.restmapper;

import dev.clientgo.apimachinery.errors.AmbiguousMatchException;
import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.List;

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
   * Returns the singular form of a resource's name.
   *
   * @throws NoMatchException if the resource is not known
   * @throws AmbiguousMatchException if it has several
   */
  String singularize(String resource);
}
