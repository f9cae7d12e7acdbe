package dev.clientgo.controller.internal.apply;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.managedfields.ManagedFields;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configurations that a controller has applied, and what the server made of them: so that a
 * server-side apply that would change nothing is not sent.
 *
 * <p>For each object it keeps a hash of the configuration, and a hash of the fields that the field
 * manager owned after it, with their values. An apply is up to date if the object is still the same
 * one, and both hashes are as they were. So a change of a field that the manager owns is noticed,
 * and the loss of one, but not what other managers do with their fields.
 *
 * <p>If the objects of the cache have no managed fields, because a transform removes them, an apply
 * is up to date as long as the object has the version that the last apply returned.
 *
 * <p>Memory is bounded: it keeps the {@value #CAPACITY} objects that were used last, about 300
 * bytes for each. Safe for use by many threads.
 */
public final class AppliedConfigurations {

  /** How many objects are remembered. */
  public static final int CAPACITY = 50_000;

  /**
   * Names what was applied.
   *
   * @param subresource such as {@code status}, empty for the object
   */
  public record Target(
      GroupVersionResource resource,
      String namespace,
      String name,
      String fieldManager,
      String subresource) {}

  /**
   * An apply.
   *
   * @param owned the fields of the manager after it
   * @param version the newest known version of the object in which the manager's fields were such
   */
  private record Applied(String uid, TreeHash configuration, TreeHash owned, String version) {

    Applied at(String newest) {
      return new Applied(uid, configuration, owned, newest);
    }
  }

  private final Runnable sent;
  private final Runnable skipped;

  /** The least recently used first. */
  private final Map<Target, Applied> applied;

  /**
   * Creates an instance that remembers nothing yet.
   *
   * @param sent counts the applies that were sent
   * @param skipped counts the applies that were not
   */
  public AppliedConfigurations(Runnable sent, Runnable skipped) {
    this(CAPACITY, sent, skipped);
  }

  AppliedConfigurations(int capacity, Runnable sent, Runnable skipped) {
    this.sent = sent;
    this.skipped = skipped;
    applied =
        Collections.synchronizedMap(
            new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
              @Override
              protected boolean removeEldestEntry(Map.Entry<Target, Applied> eldest) {
                return size() > capacity;
              }
            });
  }

  /**
   * Returns whether to send an apply. If so, forgets the last one, because the response of this one
   * may be lost.
   *
   * @param configuration what would be applied
   * @param current the object as the cache has it, with own writes; null if there is none
   */
  public <T extends KubernetesObject> boolean begin(
      Target target, JsonCodec<T> codec, T configuration, @Nullable T current) {
    Applied last = applied.get(requireNonNull(target, "target"));
    if (last != null
        && current != null
        && isUpToDate(last, target, codec, configuration, current)) {
      applied.put(target, last.at(version(current)));
      skipped.run();
      return false;
    }
    applied.remove(target);
    sent.run();
    return true;
  }

  private static <T extends KubernetesObject> boolean isUpToDate(
      Applied last, Target target, JsonCodec<T> codec, T configuration, T current) {
    return last.uid.equals(uid(current))
        && last.configuration.equals(hash(codec, configuration))
        && (last.version.equals(version(current))
            || (!current.metadata().managedFields().isEmpty()
                && last.owned.equals(owned(target, codec, current))));
  }

  /**
   * Remembers an apply that has succeeded.
   *
   * @param stored what the server returned
   */
  public <T extends KubernetesObject> void end(
      Target target, JsonCodec<T> codec, T configuration, T stored) {
    applied.put(
        target,
        new Applied(
            uid(stored),
            hash(codec, configuration),
            owned(target, codec, stored),
            version(stored)));
  }

  private static <T extends KubernetesObject> TreeHash hash(JsonCodec<T> codec, T object) {
    return TreeHash.of(Unstructured.from(codec, object).content());
  }

  private static <T extends KubernetesObject> TreeHash owned(
      Target target, JsonCodec<T> codec, T object) {
    Unstructured all = Unstructured.from(codec, object);
    if (all.metadata().managedFields().isEmpty()) {
      return TreeHash.of(Map.of()); // not read, so only the version shows whether they are the same
    }
    return TreeHash.of(
        ManagedFields.extract(Unstructured.CODEC, all, target.fieldManager(), target.subresource())
            .content());
  }

  private static String uid(KubernetesObject object) {
    String uid = object.metadata().uid();
    return uid == null ? "" : uid;
  }

  private static String version(KubernetesObject object) {
    String version = object.metadata().resourceVersion();
    return version == null ? "" : version;
  }

  int size() {
    return applied.size();
  }
}
