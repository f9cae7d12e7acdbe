package dev.clientgo.cache;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.clock.Clock;

/**
 * The state LISTING of a Reflector: reads the whole collection as a list, page by page if that is
 * better for the server.
 *
 * <p>Used by one thread. Corresponds to client-go's {@code Reflector.list}.
 *
 * @param <T> the type of the objects
 */
final class ReflectorList<T extends KubernetesObject> {

  private final ListerWatcher<T> listerWatcher;
  private final SnapshotStore<T> store;
  private final ReflectorPosition position;
  private final Clock clock;

  ReflectorList(
      ListerWatcher<T> listerWatcher,
      SnapshotStore<T> store,
      ReflectorPosition position,
      Clock clock) {
    this.listerWatcher = listerWatcher;
    this.store = store;
    this.position = position;
    this.clock = clock;
  }

  NextStep run() throws InterruptedException {
    long start = clock.nanoTime();
    Pager.Listed<Snapshot<T>> listed = list();
    ListMeta metadata = listed.metadata();
    String version = metadata.resourceVersion() == null ? "" : metadata.resourceVersion();
    store.commit(listed.sink(), version, start, false);
    return NextStep.now(Reflector.State.WATCHING);
  }

  private Pager.Listed<Snapshot<T>> list() throws InterruptedException {
    ListOptions request = position.listOptions();
    Pager<T> pager = Pager.<T>of(listerWatcher::list).withPageSize(position.pageSize(request));
    Pager.Listed<Snapshot<T>> listed;
    try {
      listed = pager.list(request, store::begin);
    } catch (ApiStatusException e) {
      if (!ServerErrors.isVersionRefused(e)) {
        throw e;
      }
      position.versionRefused();
      listed = pager.list(position.listOptions(), store::begin);
    }
    position.listed(request, listed.paginated());
    return listed;
  }
}
