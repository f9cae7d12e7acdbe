package dev.clientgo.controller.predicate;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import java.util.Objects;
import java.util.function.BiPredicate;

/**
 * Decides which events of an informer reach the queue of a controller. By default all do; override
 * the methods that you need, or use one of the ready ones:
 *
 * <pre>{@code
 * Controller.builder(reconciler)
 *     .forKind(Foo.TYPE, Predicate.<Foo>generationChanged().or(Predicate.labelsChanged()))
 * }</pre>
 *
 * <p>The informer's thread calls it for each event, so it must be quick. If it throws, the event
 * passes, and the controller logs the exception.
 *
 * <p>Corresponds to controller-runtime's {@code predicate.Predicate}.
 *
 * @param <T> the type of the objects
 */
public interface Predicate<T extends KubernetesObject> {

  /** Returns whether the appearance of an object passes. */
  default boolean onAdd(T object) {
    return true;
  }

  /**
   * Returns whether a change of an object passes. At a resync both states are the same. Both have
   * the same uid: if another object has the name, that is a deletion and an addition.
   *
   * @param before the state before
   * @param after the current state
   */
  default boolean onUpdate(T before, T after) {
    return true;
  }

  /** Returns whether the deletion of an object passes, which was last seen in this state. */
  default boolean onDelete(T lastKnown) {
    return true;
  }

  /** Returns the predicate that all events pass. */
  static <T extends KubernetesObject> Predicate<T> everything() {
    return new Predicate<>() {};
  }

  /**
   * Returns the predicate of the objects that meet a condition; an update passes if the new state
   * does. An object that stops to meet the condition is not seen any more, so use it for what does
   * not change.
   */
  static <T extends KubernetesObject> Predicate<T> of(
      java.util.function.Predicate<? super T> condition) {
    requireNonNull(condition, "condition");
    return new Predicate<>() {
      @Override
      public boolean onAdd(T object) {
        return condition.test(object);
      }

      @Override
      public boolean onUpdate(T before, T after) {
        return condition.test(after);
      }

      @Override
      public boolean onDelete(T lastKnown) {
        return condition.test(lastKnown);
      }
    };
  }

  /** Returns the predicate of all additions and deletions, and of the updates that are chosen. */
  static <T extends KubernetesObject> Predicate<T> ofUpdates(
      BiPredicate<? super T, ? super T> updates) {
    requireNonNull(updates, "updates");
    return new Predicate<>() {
      @Override
      public boolean onUpdate(T before, T after) {
        return updates.test(before, after);
      }
    };
  }

  /**
   * Returns the predicate of updates that changed {@code metadata.generation}: the server raises it
   * when the spec changes, and not for status and metadata. Resyncs do not pass. Not all built-in
   * kinds have a generation: Pods, Services and ConfigMaps do not.
   */
  static <T extends KubernetesObject> Predicate<T> generationChanged() {
    return ofUpdates(
        (before, after) ->
            !Objects.equals(before.metadata().generation(), after.metadata().generation()));
  }

  /** Returns the predicate of updates that changed the object at all. Resyncs do not pass. */
  static <T extends KubernetesObject> Predicate<T> resourceVersionChanged() {
    return ofUpdates(
        (before, after) ->
            !Objects.equals(
                before.metadata().resourceVersion(), after.metadata().resourceVersion()));
  }

  /** Returns the predicate of updates that changed labels. */
  static <T extends KubernetesObject> Predicate<T> labelsChanged() {
    return ofUpdates(
        (before, after) -> !Objects.equals(before.metadata().labels(), after.metadata().labels()));
  }

  /** Returns the predicate of updates that changed annotations. */
  static <T extends KubernetesObject> Predicate<T> annotationsChanged() {
    return ofUpdates(
        (before, after) ->
            !Objects.equals(before.metadata().annotations(), after.metadata().annotations()));
  }

  /** Returns the predicate of the events that pass both. */
  default Predicate<T> and(Predicate<? super T> other) {
    return combine(other, (first, second) -> first && second);
  }

  /** Returns the predicate of the events that pass at least one of both. */
  default Predicate<T> or(Predicate<? super T> other) {
    return combine(other, (first, second) -> first || second);
  }

  /** Returns the predicate of the events that do not pass this one. */
  default Predicate<T> negate() {
    return combine(this, (first, second) -> !first);
  }

  private Predicate<T> combine(
      Predicate<? super T> other, BiPredicate<Boolean, Boolean> combination) {
    requireNonNull(other, "other");
    Predicate<T> first = this;
    return new Predicate<>() {
      @Override
      public boolean onAdd(T object) {
        return combination.test(first.onAdd(object), other.onAdd(object));
      }

      @Override
      public boolean onUpdate(T before, T after) {
        return combination.test(first.onUpdate(before, after), other.onUpdate(before, after));
      }

      @Override
      public boolean onDelete(T lastKnown) {
        return combination.test(first.onDelete(lastKnown), other.onDelete(lastKnown));
      }
    };
  }
}
