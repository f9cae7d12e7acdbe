package dev.clientgo.apimachinery.watch;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;

/**
 * One event of a watch.
 *
 * <p>Corresponds to client-go's {@code watch.Event}, as a closed set of types. On Java 17, where
 * {@code switch} knows no patterns, {@link #match} makes sure that no case is forgotten.
 *
 * @param <T> the type of the objects watched
 */
public sealed interface WatchEvent<T> {

  /**
   * The object was created, or existed when the watch began and is part of its initial events.
   *
   * @param <T> the type of the object
   * @param object the object as it is now
   */
  record Added<T>(T object) implements WatchEvent<T> {
    public Added {
      requireNonNull(object, "object");
    }
  }

  /**
   * The object was changed.
   *
   * @param <T> the type of the object
   * @param object the object as it is now
   */
  record Modified<T>(T object) implements WatchEvent<T> {
    public Modified {
      requireNonNull(object, "object");
    }
  }

  /**
   * The object was deleted, or no longer matches the selector of the watch.
   *
   * @param <T> the type of the object
   * @param object the last state, with the resourceVersion of the deletion
   */
  record Deleted<T>(T object) implements WatchEvent<T> {
    public Deleted {
      requireNonNull(object, "object");
    }
  }

  /**
   * Nothing happened up to this resourceVersion that this watch has not sent.
   *
   * @param <T> the type of the objects watched
   * @param resourceVersion from where a new watch may go on
   * @param initialEventsEnd whether this closes the initial events of a streaming list (the
   *     annotation {@code k8s.io/initial-events-end} is {@code "true"})
   */
  record Bookmark<T>(String resourceVersion, boolean initialEventsEnd) implements WatchEvent<T> {
    public Bookmark {
      requireNonNull(resourceVersion, "resourceVersion");
    }
  }

  /**
   * Something went wrong: the server reported an error ({@link
   * dev.clientgo.apimachinery.status.ApiStatusException}, its last event), it did not answer at all
   * ({@link dev.clientgo.apimachinery.errors.TransportException}, the only event), one object could
   * not be decoded (a {@linkplain dev.clientgo.apimachinery.errors.CodecException#isRecoverable
   * recoverable} {@link dev.clientgo.apimachinery.errors.CodecException}; the watch goes on), or
   * the stream could not be understood any further (the watch ends).
   *
   * @param <T> the type of the objects watched
   * @param error what went wrong
   */
  record Failed<T>(KubernetesException error) implements WatchEvent<T> {
    public Failed {
      requireNonNull(error, "error");
    }
  }

  /** Calls the function for the type of this event. */
  default <R> R match(Cases<? super T, ? extends R> cases) {
    if (this instanceof Added<T> event) {
      return cases.added(event.object);
    } else if (this instanceof Modified<T> event) {
      return cases.modified(event.object);
    } else if (this instanceof Deleted<T> event) {
      return cases.deleted(event.object);
    } else if (this instanceof Bookmark<T> event) {
      return cases.bookmark(event.resourceVersion, event.initialEventsEnd);
    } else {
      return cases.failed(((Failed<T>) this).error);
    }
  }

  /**
   * What to do for each type of event.
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

    /** Nothing happened up to this resourceVersion that this watch has not sent. */
    R bookmark(String resourceVersion, boolean initialEventsEnd);

    /** Something went wrong. */
    R failed(KubernetesException error);
  }
}
