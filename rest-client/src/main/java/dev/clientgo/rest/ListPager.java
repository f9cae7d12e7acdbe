package dev.clientgo.rest;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.status.ApiStatusException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a list page by page.
 *
 * <p>Corresponds to client-go's {@code tools/pager.ListPager}, which the cache has its own of, as
 * it does not know this module.
 */
final class ListPager<T extends KubernetesObject> {

  /** How many objects a page has if nobody says. */
  private static final long SIZE = 500;

  private final ResourceClient<T> client;

  ListPager(ResourceClient<T> client) {
    this.client = client;
  }

  /** Reads all pages; from the beginning and at once, if the server forgets the version. */
  ResourceList<T> all(ListOptions options) throws InterruptedException {
    List<T> items = new ArrayList<>();
    ListMeta first = client.list(options, items::add);
    if (hasMore(first)) {
      try {
        readOn(options, first, items::add);
      } catch (ApiStatusException e) {
        if (!e.isResourceExpired()) {
          throw e;
        }
        items.clear();
        first = client.list(options.toBuilder().limit(null).build(), items::add);
      }
    }
    return new ResourceList<>(
        first.toBuilder().continueToken(null).remainingItemCount(null).build(), items);
  }

  /** Hands over the objects of all pages. */
  ListMeta each(ListOptions options, ListSink<? super T> sink) throws InterruptedException {
    Long limit = options.limit();
    ListOptions page =
        limit == null || limit == 0 ? options.toBuilder().limit(SIZE).build() : options;
    ListMeta first = client.list(page, sink);
    readOn(page, first, sink);
    return first;
  }

  private void readOn(ListOptions options, ListMeta first, ListSink<? super T> sink)
      throws InterruptedException {
    // The token says which version is listed; to name one besides is an error.
    ListOptions next = options.toBuilder().resourceVersion(null).resourceVersionMatch(null).build();
    for (ListMeta page = first; hasMore(page); ) {
      page = client.list(next.toBuilder().continueToken(page.continueToken()).build(), sink);
    }
  }

  private static boolean hasMore(ListMeta page) {
    String token = page.continueToken();
    return token != null && !token.isEmpty();
  }
}
