package dev.clientgo.apimachinery.managedfields;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.patch.Patch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Transfers the fields that a manager set by updates to a manager that applies, so that an apply
 * request without one of them removes it.
 *
 * <pre>{@code
 * CsaUpgrade upgrade = CsaUpgrade.of(Set.of("kubectl-client-side-apply"), "kubectl");
 * Optional<Patch> patch = upgrade.patch(configMap);
 * if (patch.isPresent()) {
 *   configMaps.patch("settings", patch.get());
 * }
 * }</pre>
 *
 * <p>The transfer cannot be undone: the record of the updating manager is lost. It may happen
 * before the first apply or after it. Immutable. Corresponds to client-go's {@code
 * util/csaupgrade}.
 */
public final class CsaUpgrade {

  private static final JsonCodec<List<ManagedFieldsEntry>> ENTRIES =
      JsonCodecs.list(ManagedFieldsEntry.CODEC);

  private final List<String> from;
  private final String to;
  private final String subresource;

  private CsaUpgrade(List<String> from, String to, String subresource) {
    this.from = List.copyOf(from);
    this.to = requireNonNull(to, "to");
    this.subresource = requireNonNull(subresource, "subresource");
  }

  /** Returns the transfer from managers that update to one that applies. */
  public static CsaUpgrade of(Set<String> from, String to) {
    return new CsaUpgrade(from.stream().sorted().toList(), to, "");
  }

  /** Returns the same transfer for fields written through a subresource, such as {@code status}. */
  public CsaUpgrade ofSubresource(String subresource) {
    return new CsaUpgrade(from, to, subresource);
  }

  /**
   * Returns an object with the fields transferred; the object itself if there are none.
   *
   * @throws CodecException if the managed fields cannot be read
   */
  public <T extends KubernetesObject> T apply(T object) {
    List<ManagedFieldsEntry> before = ManagedFields.entries(object);
    List<ManagedFieldsEntry> after = upgraded(before);
    return after.equals(before)
        ? object
        : KubernetesObject.edit(object, meta -> meta.with(m -> m.managedFields(after)));
  }

  /**
   * Returns the patch that transfers the fields on the server, which answers with a conflict if the
   * object has changed; empty if there are no such fields.
   *
   * @throws CodecException if the managed fields cannot be read
   */
  public Optional<Patch> patch(KubernetesObject object) {
    List<ManagedFieldsEntry> before = ManagedFields.entries(object);
    List<ManagedFieldsEntry> after = upgraded(before);
    if (after.equals(before)) {
      return Optional.empty();
    }
    return Optional.of(
        Patch.json(
            JsonPatch.builder()
                .replace("/metadata/managedFields", RawJson.of(ENTRIES, after).reader().nextTree())
                // A replace, not a test: servers report a failed test as invalid, a changed version
                // as a conflict.
                .replace("/metadata/resourceVersion", object.metadata().resourceVersion())
                .build()));
  }

  private List<ManagedFieldsEntry> upgraded(List<ManagedFieldsEntry> entries) {
    List<ManagedFieldsEntry> upgraded = entries;
    for (String manager : from) {
      upgraded = upgraded(upgraded, manager);
    }
    return upgraded;
  }

  private List<ManagedFieldsEntry> upgraded(List<ManagedFieldsEntry> entries, String manager) {
    Predicate<ManagedFieldsEntry> updates =
        entry -> ManagedFields.is(entry, manager, ManagedFields.UPDATE, subresource);
    return first(entries, entry -> ManagedFields.is(entry, to, ManagedFields.APPLY, subresource))
        .or(() -> first(entries, updates))
        .map(target -> upgraded(entries, target, updates))
        .orElse(entries);
  }

  private List<ManagedFieldsEntry> upgraded(
      List<ManagedFieldsEntry> entries,
      ManagedFieldsEntry target,
      Predicate<ManagedFieldsEntry> updates) {
    // In another version of the type the fields may have other names, so they are dropped.
    Optional<ManagedFieldsEntry> source =
        first(
            entries, updates.and(entry -> Objects.equals(entry.apiVersion(), target.apiVersion())));
    List<ManagedFieldsEntry> result = new ArrayList<>();
    for (ManagedFieldsEntry entry : entries) {
      if (entry.equals(target)) {
        result.add(merged(target, source));
      } else if (!updates.test(entry)) {
        result.add(entry);
      }
    }
    return List.copyOf(result);
  }

  private ManagedFieldsEntry merged(
      ManagedFieldsEntry target, Optional<ManagedFieldsEntry> source) {
    FieldSet fields = FieldSet.parse(target.fieldsV1());
    if (source.isPresent()) {
      fields = fields.union(FieldSet.parse(source.get().fieldsV1()));
    }
    return target.toBuilder()
        .manager(to)
        .operation(ManagedFields.APPLY)
        .fieldsV1(fields.toFieldsV1())
        .build();
  }

  private static Optional<ManagedFieldsEntry> first(
      List<ManagedFieldsEntry> entries, Predicate<ManagedFieldsEntry> which) {
    return entries.stream().filter(which).findFirst();
  }
}
