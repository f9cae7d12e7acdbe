package dev.clientgo.cache.internal.reflector;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.internal.errors.ServerErrors;
import dev.clientgo.cache.internal.reflector.Pager.PageFunction;
import java.util.function.Supplier;

/**
 * Reads the whole collection as a list, in pages if the server has no watch cache: the state
 * LISTING of a Reflector.
 *
 * <p>Used by one thread. Corresponds to client-go's {@code Reflector.list}.
 *
 * @param <T> the type of the objects
 */
public final class ReflectorList<T extends KubernetesObject> {

  private final PageFunction<T> source;
  private final Supplier<InitialList<T>> initialLists;
  private final ReflectorPosition position;

  /** Creates an instance that sends each request with the given function. */
  public ReflectorList(
      PageFunction<T> source, Supplier<InitialList<T>> initialLists, ReflectorPosition position) {
    this.source = source;
    this.initialLists = initialLists;
    this.position = position;
  }

  /** Returns the collection. If the server refuses the requested version, asks once more. */
  public InitialList<T> run() throws InterruptedException {
    ListOptions request = position.listOptions();
    Pager<T> pager = Pager.of(source).withPageSize(position.pageSize(request));
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
