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
 * A kind of object, as a line of {@link BuiltInResources} or a CustomResourceDefinition describes
 * it. Immutable.
 *
 * @param group the API group, empty for the core group
 * @param plural the name in paths
 * @param singular the name in the singular
 * @param kind the kind of an object
 * @param listKind the kind of a list
 * @param namespaced whether objects live in namespaces
 * @param shortNames abbreviations
 * @param categories groups of resources, such as {@code all}
 * @param versions the versions, the preferred one first
 * @param storage how objects of a custom kind are stored
 * @param traits special treatment
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
    Storage storage,
    Set<Trait> traits) {

  /** A special treatment that some kinds get. */
  public enum Trait {
    /** A CustomResourceDefinition defines the kind. */
    CUSTOM,
    /** {@code metadata.generation} counts the changes to the desired state. */
    GENERATION,
    /** A PUT of an object that does not exist creates it. */
    CREATE_ON_UPDATE,
    /** A PUT must contain the version that it replaces. */
    VERSION_REQUIRED,
    /** A DELETE returns the object instead of a Status. */
    RETURNS_DELETED,
    /** A DELETE orphans dependents by default. */
    ORPHANS_DEPENDENTS,
    /** A DELETE sets a grace period, which a kubelet ends. */
    GRACEFUL,
    /** Objects are answered, not stored. */
    REVIEW,
    /** The kind has no {@code deletecollection}. */
    NO_DELETE_COLLECTION
  }

  /**
   * A version of a kind.
   *
   * @param name the version, such as {@code v1}
   * @param served whether requests for it are answered
   * @param subresources the subresources, such as {@code status}
   * @param selectableFields the paths that field selectors may name besides the metadata, with the
   *     value of objects without the field
   * @param schema the schema of custom kinds
   * @param scale the paths of the replicas, null for a kind that does not scale
   * @param columns the columns of tables
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
   * How objects are stored and converted.
   *
   * @param version the name of the version in which objects are written; empty for built-in kinds,
   *     whose objects are the same in all versions
   * @param webhook {@code spec.conversion.webhook} of the definition; empty if versions differ in
   *     {@code apiVersion} alone
   */
  public record Storage(String version, Map<String, Object> webhook) {

    /** Of objects that are the same in all versions. */
    public static final Storage SAME_IN_ALL_VERSIONS = new Storage("", Map.of());
  }

  /**
   * The paths of the replicas in an object.
   *
   * @param spec the desired number
   * @param status the actual number
   * @param selector the label selector, empty if there is none
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

  public boolean isCustom() {
    return is(Trait.CUSTOM);
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

  /** Returns the group with the kind instead of the resource, as some errors contain it. */
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
    if (isCustom()) {
      return List.of(
          "delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");
    }
    if (is(Trait.REVIEW)) {
      return List.of("create");
    }
    return is(Trait.NO_DELETE_COLLECTION)
        ? List.of("create", "delete", "get", "list", "patch", "update", "watch")
        : List.of(
            "create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
  }
}
