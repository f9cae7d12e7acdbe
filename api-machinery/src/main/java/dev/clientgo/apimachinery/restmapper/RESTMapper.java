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
 * <p>A resource may be asked for in part: with no version, no group, the beginning of a group, in
 * the singular or in capitals. What fits is found in the order of preference of the mapper.
 * Corresponds to apimachinery's {@code meta.RESTMapper}.
 */
public interface RESTMapper {

  /**
   * Returns the one kind that fits a resource, of which any part but the name may be empty.
   *
   * @throws NoMatchException if there is none
   * @throws AmbiguousMatchException if there are several and none is preferred
   */
  GroupVersionKind kindFor(GroupVersionResource resource);

  /**
   * Returns the kinds that fit a resource, preferred ones first.
   *
   * @throws NoMatchException if there is none
   */
  List<GroupVersionKind> kindsFor(GroupVersionResource resource);

  /**
   * Returns the one full resource that fits a resource, of which any part but the name may be
   * empty.
   *
   * @throws NoMatchException if there is none
   * @throws AmbiguousMatchException if there are several and none is preferred
   */
  GroupVersionResource resourceFor(GroupVersionResource resource);

  /**
   * Returns the full resources that fit a resource, preferred ones first.
   *
   * @throws NoMatchException if there is none
   */
  List<GroupVersionResource> resourcesFor(GroupVersionResource resource);

  /**
   * Returns where objects of a kind are served, in the first of the given versions that is known,
   * or in the preferred version if none is given.
   *
   * @throws NoMatchException if there is none
   * @throws AmbiguousMatchException if there are several and none is preferred
   */
  RESTMapping restMapping(GroupKind kind, String... versions);

  /**
   * Returns the places where objects of a kind are served, in the given versions, or in all that
   * are preferred if none is given.
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
