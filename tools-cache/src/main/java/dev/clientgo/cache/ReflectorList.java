package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import java.util.function.Supplier;

/**
 * Reads the whole collection as a list, in pages if the server has no watch cache: the state
 * LISTING of a Reflector.
 *
 * <p>Used by one thread. Corresponds to client-go's {@code Reflector.list}.
 *
 * @param <T> the type of the objects
 */
final class ReflectorList<T extends KubernetesObject> {

  private final ListerWatcher<T> listerWatcher;
  private final Supplier<InitialList<T>> initialLists;
  private final ReflectorPosition position;

  ReflectorList(
      ListerWatcher<T> listerWatcher,
      Supplier<InitialList<T>> initialLists,
      ReflectorPosition position) {
    this.listerWatcher = listerWatcher;
    this.initialLists = initialLists;
    this.position = position;
  }

  /** Returns the collection. If the server refuses the requested version, asks once more. */
  InitialList<T> run() throws InterruptedException {
    ListOptions request = position.listOptions();
    Pager<T> pager = Pager.<T>of(listerWatcher::list).withPageSize(position.pageSize(request));
    Pager.Listed<InitialList<T>> listed;
    try {
      listed = pager.list(request, initialLists);
    } catch (ApiStatusException e) {
      if (!ServerErrors.isVersionRefused(e)) {
        throw e;
      }
      position.versionRefused();
      listed = pager.list(position.listOptions(), initialLists);
    }
    position.listed(request, listed.paginated());
    InitialList<T> initial = listed.sink();
    String version = listed.metadata().resourceVersion();
    initial.complete(version == null ? "" : version);
    return initial;
  }
}
