package dev.clientgo.apimachinery.watch;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import org.jspecify.annotations.Nullable;

/**
 * One event of a watch.
 *
 * <p>Corresponds to client-go's {@code watch.Event}, as a closed set of types. Java 17 has no
 * patterns in {@code switch}; there, {@link #match} ensures that a program handles every case.
 *
 * @param <T> the type of the objects watched
 */
public sealed interface WatchEvent<T> {

  /**
   * Returns the object of an event that has one: {@link Added}, {@link Modified} or {@link
   * Deleted}; null for the others.
   */
  default @Nullable T value() {
    return null;
  }

  /**
   * The object was created, or existed when the watch began and is part of its initial events.
   *
   * @param <T> the type of the object
   * @param value the object as it is now
   */
  record Added<T>(T value) implements WatchEvent<T> {
    public Added {
      requireNonNull(value, "value");
    }
  }

  /**
   * The object was changed.
   *
   * @param <T> the type of the object
   * @param value the object as it is now
   */
  record Modified<T>(T value) implements WatchEvent<T> {
    public Modified {
      requireNonNull(value, "value");
    }
  }

  /**
   * The object was deleted, or no longer matches the selector of the watch.
   *
   * @param <T> the type of the object
   * @param value the last state, with the resourceVersion of the deletion
   */
  record Deleted<T>(T value) implements WatchEvent<T> {
    public Deleted {
      requireNonNull(value, "value");
    }
  }

  /**
   * A version up to which the watch has sent all events.
   *
   * @param <T> the type of the objects watched
   * @param resourceVersion the version from which a new watch can continue
   * @param initialEventsEnd whether this ends the initial events of a streaming list (the
   *     annotation {@code k8s.io/initial-events-end} is {@code "true"})
   */
  record Bookmark<T>(String resourceVersion, boolean initialEventsEnd) implements WatchEvent<T> {
    public Bookmark {
      requireNonNull(resourceVersion, "resourceVersion");
    }
  }

  /**
   * A failure. There are four kinds:
   *
   * <ul>
   *   <li>The server reported an error: {@link
   *       dev.clientgo.apimachinery.status.ApiStatusException}, the last event.
   *   <li>The server did not answer: {@link dev.clientgo.apimachinery.errors.TransportException},
   *       the only event.
   *   <li>One object could not be decoded: a {@linkplain
   *       dev.clientgo.apimachinery.errors.CodecException#isRecoverable recoverable} {@link
   *       dev.clientgo.apimachinery.errors.CodecException}; the watch continues.
   *   <li>The stream is malformed: another {@link dev.clientgo.apimachinery.errors.CodecException},
   *       the last event.
   * </ul>
   *
   * @param <T> the type of the objects watched
   * @param error the cause
   */
  record Failed<T>(KubernetesException error) implements WatchEvent<T> {
    public Failed {
      requireNonNull(error, "error");
    }
  }

  /** Calls the function for the type of this event. */
  default <R> R match(Cases<? super T, ? extends R> cases) {
    if (this instanceof Added<T> event) {
      return cases.added(event.value);
    } else if (this instanceof Modified<T> event) {
      return cases.modified(event.value);
    } else if (this instanceof Deleted<T> event) {
      return cases.deleted(event.value);
    } else if (this instanceof Bookmark<T> event) {
      return cases.bookmark(event.resourceVersion, event.initialEventsEnd);
    } else {
      return cases.failed(((Failed<T>) this).error);
    }
  }

  /**
   * A function for each type of event.
   *
   * @param <T> the type of the objects watched
   * @param <R> the result
   */
  interface Cases<T, R> {
    /** The object was created or is part of the initial events. */
    R added(T object);

    /** The object was changed. */
    R modified(T object);

    /** The object was deleted; this is its last state. */
    R deleted(T object);

    /** The watch has sent all events up to this resourceVersion. */
    R bookmark(String resourceVersion, boolean initialEventsEnd);

    /** The watch or the decoding of an object failed. */
    R failed(KubernetesException error);
  }
}
