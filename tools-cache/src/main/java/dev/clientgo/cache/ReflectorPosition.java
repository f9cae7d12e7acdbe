package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.meta.ListOptions.ResourceVersionMatch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Up to where a Reflector knows the collection, and what follows from that for its next request:
 * which version to ask for, and whether in pages.
 *
 * <p>The Reflector's thread writes, others may ask for the version.
 */
final class ReflectorPosition {

  private static final String MOST_RECENT = "";
  private static final String ANY = "0";

  private final long watchListPageSize;

  private volatile String lastSyncResourceVersion = "";

  /** The server refused the version as too old, or as newer than what it knows. */
  private boolean versionUnavailable;

  /** The first list came in pages although any version would have done: there is no watch cache. */
  private boolean withoutWatchCache;

  ReflectorPosition(long watchListPageSize) {
    this.watchListPageSize = watchListPageSize;
  }

  String lastSyncResourceVersion() {
    return lastSyncResourceVersion;
  }

  /** Takes note that an event brought the collection to that version. */
  void reached(@Nullable String resourceVersion) {
    if (resourceVersion != null && !resourceVersion.isEmpty()) {
      lastSyncResourceVersion = resourceVersion;
    }
  }

  /** Takes note that the whole collection was read at that version. */
  void replaced(@Nullable String resourceVersion) {
    lastSyncResourceVersion = resourceVersion == null ? "" : resourceVersion;
    versionUnavailable = false;
  }

  /**
   * Takes note that the server does not have the version that was asked for.
   *
   * @return false if this was so before, and asking for the most recent state did not help
   */
  boolean versionRefused() {
    boolean isNew = !versionUnavailable;
    versionUnavailable = true;
    return isNew;
  }

  /**
   * Returns what to list. The first list may be of any version, so that the server can answer from
   * its cache; each later one not older than what is known, so that nothing goes back in time.
   */
  ListOptions listOptions() {
    String version =
        versionUnavailable
            ? MOST_RECENT
            : lastSyncResourceVersion.isEmpty() ? ANY : lastSyncResourceVersion;
    return ListOptions.builder().resourceVersion(version).build();
  }

  /** Returns how many objects to ask for at once, zero for all. */
  long pageSize(ListOptions list) {
    if (watchListPageSize != 0) {
      return watchListPageSize;
    }
    // A server with a watch cache ignores the limit for version 0, but for a later version it
    // would go to etcd because of it.
    boolean fromCache = isVersion(list.resourceVersion()) && !withoutWatchCache;
    return fromCache ? 0 : Pager.DEFAULT_PAGE_SIZE;
  }

  /** Takes note of how the server answered a list. */
  void listed(ListOptions list, boolean paginated) {
    if (paginated && ANY.equals(list.resourceVersion())) {
      withoutWatchCache = true;
    }
  }

  /** Returns what to watch in order to get the changes since the version that is known. */
  ListOptions watchOptions(Duration timeout) {
    return ListOptions.builder()
        .resourceVersion(lastSyncResourceVersion)
        .allowWatchBookmarks(true)
        .timeout(timeout)
        .build();
  }

  /** Returns what to list in order to learn, at little cost, whether the version is there. */
  ListOptions probeOptions() {
    return ListOptions.builder()
        .resourceVersion(lastSyncResourceVersion)
        .resourceVersionMatch(ResourceVersionMatch.NOT_OLDER_THAN)
        .limit(1L)
        .build();
  }

  /** Returns what to watch in order to get the whole collection, then the changes. */
  ListOptions streamOptions(Duration timeout) {
    return ListOptions.builder()
        .resourceVersion(versionUnavailable ? MOST_RECENT : lastSyncResourceVersion)
        .resourceVersionMatch(ResourceVersionMatch.NOT_OLDER_THAN)
        .sendInitialEvents(true)
        .allowWatchBookmarks(true)
        .timeout(timeout)
        .build();
  }

  /**
   * Returns whether a watch from the version that is known begins with the current objects, which
   * come in no particular order of versions.
   */
  boolean watchBeginsWithObjects() {
    return !isVersion(lastSyncResourceVersion);
  }

  private static boolean isVersion(@Nullable String version) {
    return version != null && !version.isEmpty() && !version.equals(ANY);
  }
}
