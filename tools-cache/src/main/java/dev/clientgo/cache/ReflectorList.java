package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.internal.errors.ServerErrors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
  private final @Nullable InformerObserver<T> observer;

  ReflectorList(
      ListerWatcher<T> listerWatcher,
      Supplier<InitialList<T>> initialLists,
      ReflectorPosition position,
      @Nullable InformerObserver<T> observer) {
    this.listerWatcher = listerWatcher;
    this.initialLists = initialLists;
    this.position = position;
    this.observer = observer;
  }

  private ListMeta page(ListOptions request, ListSink<? super T> sink) throws InterruptedException {
    if (observer != null) {
      observer.listing(request);
    }
    return listerWatcher.list(request, sink);
  }

  /** Returns the collection. If the server refuses the requested version, asks once more. */
  InitialList<T> run() throws InterruptedException {
    ListOptions request = position.listOptions();
    Pager<T> pager = Pager.<T>of(this::page).withPageSize(position.pageSize(request));
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
