package dev.clientgo.controller;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.cache.DeletedObject;
import java.util.Collection;
import java.util.List;

/**
 * Maps an object that has changed to requests, as {@link MapFunction} does, and reads other objects
 * to find them.
 *
 * <pre>{@code
 * .watches(ConfigMap.TYPE, (map, client) ->
 *     client.resource(Foo.TYPE).byIndex("configMap", map.metadata().name()).stream()
 *         .map(Request::of)
 *         .toList())
 * }</pre>
 *
 * <p>If a read fails, the event is not lost: the function is called again after a second, then
 * after twice as long each time, a minute at most. The later events of the kind wait for it. Each
 * failure is counted, the first and some of the others are logged, and three in a row make the
 * controller not ready. So does any other exception, but it is taken for a bug: the function is not
 * called again for that event, which then makes no request.
 *
 * <p>The informer's thread calls it, so a read of the server delays later events of the kind.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface ReadingMapFunction<T extends KubernetesObject> {

  /**
   * Returns the requests for an object; none, if it concerns nothing.
   *
   * @param client reads what the reconciler reads; it refuses to write
   */
  Collection<Request> map(T object, Client client) throws InterruptedException;

  /**
   * Returns the requests for an object that was deleted. Default: those for its last known state.
   *
   * @param client reads what the reconciler reads; it refuses to write
   */
  default Collection<Request> mapDeleted(DeletedObject<T> deleted, Client client)
      throws InterruptedException {
    T last = deleted.lastKnown();
    return last == null ? List.of() : map(last, client);
  }
}
