package dev.clientgo.envtest.internal.kinds;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.envtest.internal.schema.StructuralSchema;
import dev.clientgo.envtest.internal.tables.Column;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A kind of object and how the server treats it: what a line of {@link BuiltInResources}, or a
 * CustomResourceDefinition, says. Immutable.
 *
 * @param group the API group, empty for the core group
 * @param plural the name in paths
 * @param singular the name for people
 * @param kind the kind of one object
 * @param listKind the kind of a list
 * @param namespaced whether objects live in namespaces
 * @param shortNames abbreviations
 * @param categories groups of resources such as {@code all}
 * @param versions the versions, the preferred first
 * @param traits what sets the kind apart
 */
public record Resource(
    String group,
    String plural,
    String singular,
    String kind,
    String listKind,
    boolean namespaced,
    List<String> shortNames,
    List<String> categories,
    List<Version> versions,
    Set<Trait> traits) {

  /** How objects of some kinds are treated unlike those of others. */
  public enum Trait {
    /** Defined by a CustomResourceDefinition. */
    CUSTOM,
    /** {@code metadata.generation} counts the changes to what is desired. */
    GENERATION,
    /** A PUT of an object that does not exist creates it. */
    CREATE_ON_UPDATE,
    /** A PUT must name the version that it replaces. */
    VERSION_REQUIRED,
    /** A DELETE answers with the object instead of a Status. */
    RETURNS_DELETED,
    /** A DELETE leaves dependents alone unless it says otherwise. */
    ORPHANS_DEPENDENTS,
    /** A DELETE sets a deadline by which someone else has to finish. */
    GRACEFUL,
    /** There is no DELETE of many. */
    NO_DELETE_COLLECTION
  }

  /**
   * A version in which a kind is served.
   *
   * @param name such as {@code v1}
   * @param served whether requests are answered
   * @param subresources {@code status} and the like
   * @param selectableFields the paths that field selectors may name besides the metadata, each with
   *     what it is if an object does not have it
   * @param schema what objects of custom kinds look like
   * @param scale where the replicas are, null if there are none
   * @param columns what tables show
   */
  public record Version(
      String name,
      boolean served,
      Set<String> subresources,
      Map<String, String> selectableFields,
      StructuralSchema schema,
      @Nullable ScalePaths scale,
      List<Column> columns) {

    public Version {
      requireNonNull(name, "name");
      subresources = Set.copyOf(subresources);
      selectableFields = Map.copyOf(selectableFields);
      columns = List.copyOf(columns);
    }
  }

  /**
   * Where an object says how many replicas there are.
   *
   * @param spec how many are wanted
   * @param status how many there are
   * @param selector what selects them, empty if it is not said
   */
  public record ScalePaths(List<String> spec, List<String> status, List<String> selector) {}

  public Resource {
    shortNames = List.copyOf(shortNames);
    categories = List.copyOf(categories);
    versions = List.copyOf(versions);
    traits = traits.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(traits));
  }

  public boolean is(Trait trait) {
    return traits.contains(trait);
  }

  public boolean isDefinition() {
    return group.equals("apiextensions.k8s.io") && plural.equals("customresourcedefinitions");
  }

  public boolean isNamespace() {
    return group.isEmpty() && plural.equals("namespaces");
  }

  public GroupResource groupResource() {
    return new GroupResource(group, plural);
  }

  /** Returns the kind in the place of the resource, as some errors have it. */
  public GroupResource groupKind() {
    return new GroupResource(group, kind);
  }

  public Optional<Version> version(String name) {
    return versions.stream().filter(version -> version.name().equals(name)).findFirst();
  }

  public String apiVersion(String version) {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** Returns the verbs that discovery lists. */
  public List<String> verbs() {
    if (is(Trait.CUSTOM)) {
      return List.of(
          "delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");
    }
    return is(Trait.NO_DELETE_COLLECTION)
        ? List.of("create", "delete", "get", "list", "patch", "update", "watch")
        : List.of(
            "create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
  }
}
