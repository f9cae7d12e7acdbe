package dev.clientgo.events;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * References to objects, as events hold them. Corresponds to client-go's {@code tools/reference}.
 */
public final class ObjectReferences {

  private static final Logger LOG = System.getLogger(ObjectReferences.class.getName());

  private ObjectReferences() {}

  /** Returns the reference to an object: its kind, its name, its identity and its version. */
  public static ObjectReference of(KubernetesObject object) {
    ObjectMeta metadata = object.metadata();
    return ObjectReference.builder()
        .apiVersion(orNull(object.apiVersion()))
        .kind(orNull(object.kind()))
        .namespace(orNull(metadata.namespace()))
        .name(orNull(metadata.name()))
        .uid(orNull(metadata.uid()))
        .resourceVersion(orNull(metadata.resourceVersion()))
        .build();
  }

  /**
   * Returns the reference to a part of an object.
   *
   * @param fieldPath such as {@code spec.containers{web}}
   */
  public static ObjectReference of(KubernetesObject object, String fieldPath) {
    return of(object).with(reference -> reference.fieldPath(fieldPath));
  }

  /**
   * Returns an empty reference for null or an object that throws, which a recorder reports instead
   * of throwing.
   */
  static ObjectReference orEmpty(@Nullable KubernetesObject object) {
    try {
      return object == null ? ObjectReference.builder().build() : of(object);
    } catch (Throwable e) {
      CrashLog.log(LOG, Level.WARNING, "The object of an event cannot be read", e);
      return ObjectReference.builder().build();
    }
  }

  private static @Nullable String orNull(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text;
  }
}
