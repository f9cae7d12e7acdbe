package dev.clientgo.events;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records events: short notes about an object, which {@code kubectl describe} and {@code kubectl
 * events} show.
 *
 * <pre>{@code
 * events.normal(foo, "Created", "CreateDeployment", "created the deployment %s", name);
 * events.warning(foo, "InvalidSpec", "Validate", "spec.replicas is %d", replicas);
 * }</pre>
 *
 * <p>The object is typed, an {@code Unstructured}, or an {@link ObjectReference}. The <i>reason</i>
 * says why, the <i>action</i> says what the controller did; each is one word in upper camel case of
 * at most 128 bytes, on which programs may depend. The <i>note</i> is for people: a format of
 * {@link String#format}, or without arguments the text itself, in which a percent sign has no
 * meaning. A note of more than 1024 bytes is cut.
 *
 * <p>Recording never blocks and never throws. A call that is wrong, with an empty reason or a
 * format that does not fit, is logged and counted as failed; a {@link FakeRecorder} throws, so that
 * a test finds it. Occurrences of one event are counted, not stored one by one: the same type,
 * reason, action and objects, in the same version. Events are not for control flow: they may be
 * late, counted, or missing.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code events.EventRecorder}. An
 * {@link EventBroadcaster} makes recorders.
 */
public interface EventRecorder {

  /** The type of events that only inform. */
  String NORMAL = "Normal";

  /** The type of events about something that is wrong. */
  String WARNING = "Warning";

  /**
   * Records an event.
   *
   * @param regarding the object that the event is about; the event gets its namespace
   * @param related a second object, such as the one that was created; null if there is none
   * @param type {@link #NORMAL} or {@link #WARNING}
   * @param reason why, as one word
   * @param action what the controller did, as one word
   * @param note the text for people
   * @param args the arguments of the note
   */
  void eventf(
      ObjectReference regarding,
      @Nullable ObjectReference related,
      String type,
      String reason,
      String action,
      String note,
      @Nullable Object... args);

  /** Records an event about an object and, if it is not null, a related one. */
  default void eventf(
      KubernetesObject regarding,
      @Nullable KubernetesObject related,
      String type,
      String reason,
      String action,
      String note,
      @Nullable Object... args) {
    ObjectReference other = related == null ? null : ObjectReferences.orEmpty(related);
    eventf(ObjectReferences.orEmpty(regarding), other, type, reason, action, note, args);
  }

  /** Records an event that only informs. */
  default void normal(
      KubernetesObject regarding,
      String reason,
      String action,
      String note,
      @Nullable Object... args) {
    eventf(ObjectReferences.orEmpty(regarding), null, NORMAL, reason, action, note, args);
  }

  /** Records an event that only informs. */
  default void normal(
      ObjectReference regarding,
      String reason,
      String action,
      String note,
      @Nullable Object... args) {
    eventf(regarding, null, NORMAL, reason, action, note, args);
  }

  /** Records an event about something that is wrong. */
  default void warning(
      KubernetesObject regarding,
      String reason,
      String action,
      String note,
      @Nullable Object... args) {
    eventf(ObjectReferences.orEmpty(regarding), null, WARNING, reason, action, note, args);
  }

  /** Records an event about something that is wrong. */
  default void warning(
      ObjectReference regarding,
      String reason,
      String action,
      String note,
      @Nullable Object... args) {
    eventf(regarding, null, WARNING, reason, action, note, args);
  }

  /**
   * Returns a recorder whose events have these annotations. A repetition is counted on the event
   * that is there, whatever its annotations. Corresponds to client-go's {@code
   * AnnotatedEventRecorder}.
   */
  EventRecorder annotated(Map<String, String> annotations);
}
