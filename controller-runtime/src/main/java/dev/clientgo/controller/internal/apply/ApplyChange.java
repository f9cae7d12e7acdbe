package dev.clientgo.controller.internal.apply;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.managedfields.ManagedFields;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The effect of a server-side apply, derived from the object before and after it. */
public enum ApplyChange {
  /** It has created the object. */
  CREATED,
  /** It has changed the object. */
  UPDATED,
  /** It has changed nothing. */
  UNCHANGED;

  /**
   * Returns what an apply has done.
   *
   * @param before the object as the cache had it; null if it had none
   * @param after the response
   */
  public static <T extends KubernetesObject> ApplyChange of(
      JsonCodec<T> codec, ApplyOptions options, String subresource, @Nullable T before, T after) {
    String manager = options.fieldManager();
    if (before == null || !Objects.equals(before.metadata().uid(), after.metadata().uid())) {
      return subresource.isEmpty() && isNew(after, manager) ? CREATED : UPDATED;
    }
    return isSameVersion(before, after, options)
            || isOfOthers(codec, manager, subresource, before, after)
        ? UNCHANGED
        : UPDATED;
  }

  /** A new object has fields of its creator only; controllers may have added its status. */
  private static boolean isNew(KubernetesObject object, String manager) {
    return object.metadata().managedFields().stream()
        .allMatch(entry -> manager.equals(entry.manager()) || entry.subresource() != null);
  }

  /** A dry run may answer with the version that is stored, whatever it would change. */
  private static boolean isSameVersion(
      KubernetesObject before, KubernetesObject after, ApplyOptions options) {
    return options.isDryRun()
        ? before.equals(after)
        : Objects.equals(before.metadata().resourceVersion(), after.metadata().resourceVersion());
  }

  /**
   * Returns whether the new version is the work of others, who wrote between the read and the
   * apply: their entries have changed, and that of the manager has not, nor the values of its
   * fields.
   */
  private static <T extends KubernetesObject> boolean isOfOthers(
      JsonCodec<T> codec, String manager, String subresource, T before, T after) {
    Predicate<ManagedFieldsEntry> own =
        entry ->
            manager.equals(entry.manager())
                && subresource.equals(Objects.requireNonNullElse(entry.subresource(), ""));
    List<ManagedFieldsEntry> entries = entries(before, own);
    return !entries.isEmpty()
        && entries.equals(entries(after, own))
        && !entries(before, own.negate()).equals(entries(after, own.negate()))
        && ManagedFields.extract(codec, before, manager, subresource)
            .equals(ManagedFields.extract(codec, after, manager, subresource));
  }

  private static List<ManagedFieldsEntry> entries(
      KubernetesObject object, Predicate<ManagedFieldsEntry> which) {
    return object.metadata().managedFields().stream().filter(which).toList();
  }
}
