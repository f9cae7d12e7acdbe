package dev.clientgo.apimachinery.managedfields;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the managed fields of an object: which manager owns which fields.
 *
 * <p>Corresponds to apimachinery's {@code util/managedfields}. Unlike client-go: no schema is
 * needed, since {@code fieldsV1} names the keys of the elements of lists.
 */
public final class ManagedFields {

  /** The operation of an entry from server-side apply. */
  public static final String APPLY = "Apply";

  /** The operation of an entry from any other write. */
  public static final String UPDATE = "Update";

  private ManagedFields() {}

  /** Returns the apply entry of a manager, if it has one. */
  public static Optional<ManagedFieldsEntry> applied(KubernetesObject object, String manager) {
    return applied(object, manager, "");
  }

  /** Returns the apply entry of a manager for a subresource, if it has one. */
  public static Optional<ManagedFieldsEntry> applied(
      KubernetesObject object, String manager, String subresource) {
    return entries(object).stream().filter(e -> is(e, manager, APPLY, subresource)).findFirst();
  }

  /**
   * Returns the entries of an operation that own all fields of a set. Skips malformed entries.
   *
   * <p>Corresponds to client-go's {@code csaupgrade.FindFieldsOwners}.
   *
   * @param operation {@link #APPLY} or {@link #UPDATE}
   */
  public static List<ManagedFieldsEntry> owners(
      KubernetesObject object, String operation, FieldSet fields) {
    return entries(object).stream()
        .filter(entry -> operation.equals(entry.operation()))
        .filter(entry -> readable(entry).filter(set -> set.containsAll(fields)).isPresent())
        .toList();
  }

  /**
   * Returns the configuration that a manager has applied to an object, to change and apply again:
   * the fields that it owns, with their current values, and the identity of the object.
   *
   * <pre>{@code
   * Deployment mine = ManagedFields.extract(Deployment.CODEC, deployments.get("web"), "scaler");
   * deployments.apply(mine.with(d -> d.editSpec(s -> s.replicas(5))), ApplyOptions.of("scaler"));
   * }</pre>
   *
   * <p>If the manager owns no fields, the configuration only identifies the object. Corresponds to
   * client-go's {@code ExtractDeployment} and its siblings.
   *
   * @throws CodecException if the managed fields are malformed
   */
  public static <T extends KubernetesObject> T extract(
      JsonCodec<T> codec, T object, String manager) {
    return extract(codec, object, manager, "");
  }

  /**
   * Returns the configuration that a manager has applied to a subresource with the form of the
   * object, such as {@code status}.
   *
   * @throws CodecException if the managed fields are malformed
   */
  public static <T extends KubernetesObject> T extract(
      JsonCodec<T> codec, T object, String manager, String subresource) {
    FieldSet owned =
        applied(object, manager, subresource)
            .map(entry -> FieldSet.parse(entry.fieldsV1()))
            .orElse(FieldSet.EMPTY);
    Map<String, @Nullable Object> content = Unstructured.from(codec, object).content();
    Unstructured kept = Unstructured.of(Extraction.extractMap(content, owned, all(object)));
    return identified(kept, object).to(codec);
  }

  private static Unstructured identified(Unstructured configuration, KubernetesObject object) {
    ObjectMeta metadata = object.metadata();
    return configuration
        .withType(object.apiVersion(), object.kind())
        .withMetadata(
            configuration
                .metadata()
                .with(m -> m.name(metadata.name()).namespace(metadata.namespace())));
  }

  private static FieldSet all(KubernetesObject object) {
    return entries(object).stream()
        .flatMap(entry -> readable(entry).stream())
        .reduce(FieldSet.EMPTY, FieldSet::union);
  }

  private static Optional<FieldSet> readable(ManagedFieldsEntry entry) {
    try {
      return Optional.of(FieldSet.parse(entry.fieldsV1()));
    } catch (CodecException e) {
      return Optional.empty();
    }
  }

  static List<ManagedFieldsEntry> entries(KubernetesObject object) {
    object.metadata().requireManagedFields();
    return object.metadata().managedFields();
  }

  static boolean is(
      ManagedFieldsEntry entry, String manager, String operation, String subresource) {
    return manager.equals(entry.manager())
        && operation.equals(entry.operation())
        && subresource.equals(entry.subresource() == null ? "" : entry.subresource());
  }
}
