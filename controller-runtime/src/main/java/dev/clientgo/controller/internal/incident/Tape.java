package dev.clientgo.controller.internal.incident;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.rest.RESTClient;
import java.util.List;
import java.util.Optional;

/**
 * Stands between a reconcile and all that it reads and writes by its context: a recording tape
 * keeps the answers, a replayed one gives them. By default passes all on. Safe for use by many
 * threads.
 */
public interface Tape {

  /** Keeps nothing, and costs next to nothing. */
  Tape NONE =
      new Tape() {
        @Override
        public <T extends KubernetesObject, E extends Exception> Optional<T> object(
            String verb, ResourceType<T> type, Object subject, Live<Optional<T>, E> live) throws E {
          return live.get();
        }

        @Override
        public <E extends Exception> boolean holds(
            String verb, Object subject, Live<Boolean, E> live) throws E {
          return live.get();
        }
      };

  /** The answer of a cache, a clock or another source. */
  @FunctionalInterface
  interface Live<R, E extends Exception> {
    R get() throws E;
  }

  /** A configuration to apply; if the object is up to date, it is not sent. */
  record Wanted(String target, ResourceType<?> type, KubernetesObject configuration) {}

  /**
   * Returns objects of a cache.
   *
   * @param subject which ones, by its text
   */
  default <T extends KubernetesObject, E extends Exception> List<T> objects(
      String verb, ResourceType<T> type, Object subject, Live<List<T>, E> live) throws E {
    return live.get();
  }

  /** Returns an object of a cache, if it is there; see {@link #objects}. */
  default <T extends KubernetesObject, E extends Exception> Optional<T> object(
      String verb, ResourceType<T> type, Object subject, Live<Optional<T>, E> live) throws E {
    return objects(verb, type, subject, () -> live.get().stream().toList()).stream().findFirst();
  }

  /** Returns a value that is no object: a decision, the time, a random number. */
  default <E extends Exception> String value(String verb, Object subject, Live<String, E> live)
      throws E {
    return live.get();
  }

  /** Returns whether something holds; see {@link #value}. */
  default <E extends Exception> boolean holds(String verb, Object subject, Live<Boolean, E> live)
      throws E {
    return Boolean.parseBoolean(value(verb, subject, () -> String.valueOf(live.get())));
  }

  /** Returns the client of the reconcile for requests to the server. */
  default RESTClient client(RESTClient rest) {
    return rest;
  }

  /** Returns whether there are no caches, because this answers. */
  default boolean isReplay() {
    return false;
  }
}
