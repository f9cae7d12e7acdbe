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
 * Who owns which fields of an object, as the server keeps account of it.
 *
 * <p>Corresponds to apimachinery's {@code util/managedfields}. Unlike client-go: no schema is
 * needed, since {@code fieldsV1} says itself by which key the elements of a list are found.
 */
public final class ManagedFields {

  /** The operation of an entry that was made by server-side apply. */
  public static final String APPLY = "Apply";

  /** The operation of an entry that was made by any other write. */
  public static final String UPDATE = "Update";

  private ManagedFields() {}

  /** Returns what a manager has applied to an object: its entry, if it has one. */
  public static Optional<ManagedFieldsEntry> applied(KubernetesObject object, String manager) {
    return applied(object, manager, "");
  }

  /** Returns what a manager has applied to a subresource of an object, if it has done so. */
  public static Optional<ManagedFieldsEntry> applied(
      KubernetesObject object, String manager, String subresource) {
    return entries(object).stream().filter(e -> is(e, manager, APPLY, subresource)).findFirst();
  }

  /**
   * Returns those entries of one operation that own all fields of a set. Entries that cannot be
   * read are left out.
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
   * Returns what a manager has applied to an object, as a configuration that it can change and
   * apply again: the fields that it owns with their current values, and what identifies the object.
   *
   * <pre>{@code
   * Deployment mine = ManagedFields.extract(Deployment.CODEC, deployments.get("web"), "scaler");
   * deployments.apply(mine.with(d -> d.editSpec(s -> s.replicas(5))), ApplyOptions.of("scaler"));
   * }</pre>
   *
   * <p>If it owns nothing, the configuration does no more than identify the object. Corresponds to
   * client-go's {@code ExtractDeployment} and its siblings.
   *
   * @throws CodecException if the managed fields cannot be read
   */
  public static <T extends KubernetesObject> T extract(
      JsonCodec<T> codec, T object, String manager) {
    return extract(codec, object, manager, "");
  }

  /**
   * Does the same for what was applied to a subresource that has the form of the object, such as
   * {@code status}.
   *
   * @throws CodecException if the managed fields cannot be read
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
    List<ManagedFieldsEntry> entries = object.metadata().managedFields();
    return entries == null ? List.of() : entries;
  }

  static boolean is(
      ManagedFieldsEntry entry, String manager, String operation, String subresource) {
    return manager.equals(entry.manager())
        && operation.equals(entry.operation())
        && subresource.equals(entry.subresource() == null ? "" : entry.subresource());
  }
}
