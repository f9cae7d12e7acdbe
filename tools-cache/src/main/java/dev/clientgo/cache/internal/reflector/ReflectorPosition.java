package dev.clientgo.cache.internal.reflector;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions.ResourceVersionMatch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The version up to which a Reflector has read the collection. It makes the options of the next
 * request: which version to ask for, and whether in pages.
 *
 * <p>The Reflector's thread writes; any thread may read the version.
 */
public final class ReflectorPosition {

  private static final String MOST_RECENT = "";
  private static final String ANY = "0";

  private final long watchListPageSize;

  private volatile String lastSyncResourceVersion = "";

  /** Whether the version is of no use for a list: the server refused it, or the store is ahead. */
  private boolean versionUnavailable;

  /** Whether a list of any version came in pages, so that the server has no watch cache. */
  private boolean withoutWatchCache;

  /**
   * Creates the position of a Reflector that has read nothing.
   *
   * @param watchListPageSize the number of objects to ask for in one request, zero for the default
   */
  public ReflectorPosition(long watchListPageSize) {
    this.watchListPageSize = watchListPageSize;
  }

  /** Returns the version up to which the collection has been read; empty at first. */
  public String lastSyncResourceVersion() {
    return lastSyncResourceVersion;
  }

  /** Records that an event brought the collection to that version. */
  public void reached(@Nullable String resourceVersion) {
    if (resourceVersion != null && !resourceVersion.isEmpty()) {
      lastSyncResourceVersion = resourceVersion;
    }
  }

  /** Records that the whole collection was read at that version. */
  public void replaced(@Nullable String resourceVersion) {
    lastSyncResourceVersion = resourceVersion == null ? "" : resourceVersion;
    versionUnavailable = false;
  }

  /** Makes the next list show the most recent state, because the store has newer objects. */
  public void requireMostRecent() {
    versionUnavailable = true;
  }

  /**
   * Records that the server does not have the requested version.
   *
   * @return false if it was refused before, and a request for the most recent state did not help
   */
  boolean versionRefused() {
    boolean isNew = !versionUnavailable;
    versionUnavailable = true;
    return isNew;
  }

  /**
   * Returns the options of the next list. The first list may be of any version, so the server can
   * answer from its cache; a later one is not older than the last, so nothing goes back in time.
   */
  ListOptions listOptions() {
    String version =
        versionUnavailable
            ? MOST_RECENT
            : lastSyncResourceVersion.isEmpty() ? ANY : lastSyncResourceVersion;
    return ListOptions.builder().resourceVersion(version).build();
  }

  /** Returns the number of objects to ask for in one request, zero for all. */
  long pageSize(ListOptions list) {
    if (watchListPageSize != 0) {
      return watchListPageSize;
    }
    // A server with a watch cache ignores the limit of a list of version 0. With a limit, it would
    // read a list of a later version from etcd.
    boolean fromCache = isVersion(list.resourceVersion()) && !withoutWatchCache;
    return fromCache ? 0 : Pager.DEFAULT_PAGE_SIZE;
  }

  /** Records whether the server answered a list in pages. */
  void listed(ListOptions list, boolean paginated) {
    if (paginated && ANY.equals(list.resourceVersion())) {
      withoutWatchCache = true;
    }
  }

  /** Returns the options of a watch of all changes after the known version. */
  ListOptions watchOptions(Duration timeout) {
    return ListOptions.builder()
        .resourceVersion(lastSyncResourceVersion)
        .allowWatchBookmarks(true)
        .timeout(timeout)
        .build();
  }

  /**
   * Returns the options of a list that shows, at little cost, whether the server has the version.
   */
  ListOptions probeOptions() {
    return ListOptions.builder()
        .resourceVersion(lastSyncResourceVersion)
        .resourceVersionMatch(ResourceVersionMatch.NOT_OLDER_THAN)
        .limit(1L)
        .build();
  }

  /** Returns the options of a watch that begins with the whole collection. */
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
   * Returns whether a watch from the known version begins with the current objects, whose versions
   * come in no particular order.
   */
  boolean watchBeginsWithObjects() {
    return !isVersion(lastSyncResourceVersion);
  }

  private static boolean isVersion(@Nullable String version) {
    return version != null && !version.isEmpty() && !version.equals(ANY);
  }
}
