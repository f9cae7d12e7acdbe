package dev.clientgo.controller.internal.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.cache.IndexSnapshot;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a write, to find out whether a cache shows it and which of two writes is newer. It
 * does not hold the object, which may be large.
 *
 * @param key the key of the object in a cache
 * @param uid the uid of the object
 * @param version the version of the write; for a deletion, the newest known one of the object
 */
record WriteMark(String key, String uid, String version, boolean isDeletion) {

  /** Returns the mark of a write, empty if the object has no uid or no version that compares. */
  static Optional<WriteMark> of(KubernetesObject object, boolean isDeletion) {
    String uid = object.metadata().uid();
    String version = versionOf(object);
    return uid == null || !ResourceVersion.isComparable(version)
        ? Optional.empty()
        : Optional.of(new WriteMark(ObjectName.of(object).toString(), uid, version, isDeletion));
  }

  static String versionOf(KubernetesObject object) {
    String version = object.metadata().resourceVersion();
    return version == null ? "" : version;
  }

  /** Responses of concurrent writes may come in any order. */
  boolean isNewerThan(@Nullable WriteMark other) {
    if (other == null) {
      return true;
    }
    if ((isDeletion || other.isDeletion) && uid.equals(other.uid)) {
      return isDeletion; // The object was written before it was deleted.
    }
    return isReached(other.version, version);
  }

  /** Returns whether a cache shows the write, or what came after it. */
  boolean isShownBy(IndexSnapshot<? extends KubernetesObject> cached) {
    return isReached(version, cached.resourceVersion())
        && !(isDeletion && cached.getByKey(key).filter(this::hasUid).isPresent());
  }

  /** Returns whether an object of the same key has the write, or what came after it. */
  boolean isIn(KubernetesObject cached) {
    return !(isDeletion && hasUid(cached)) // However new: it was deleted after that.
        && isReached(version, versionOf(cached));
  }

  /** Returns whether an object is the one that was written, not another of its name. */
  boolean hasUid(KubernetesObject object) {
    return uid.equals(object.metadata().uid());
  }

  private static boolean isReached(String version, String by) {
    return ResourceVersion.isComparable(by) && ResourceVersion.compare(by, version) >= 0;
  }
}
