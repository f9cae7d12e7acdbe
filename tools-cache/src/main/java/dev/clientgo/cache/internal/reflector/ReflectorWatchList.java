package dev.clientgo.cache.internal.reflector;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.cache.internal.errors.ServerErrors;
import dev.clientgo.cache.internal.reflector.CurrentWatch.OpenWatch;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads the whole collection as the first events of a watch, up to the bookmark that ends them: the
 * state STREAMING of a Reflector. The stream then stays open and continues as the watch. A server
 * can answer this from its cache without holding a list in memory.
 *
 * <p>Not every server supports such streams, and some accept one but never send the bookmark. If
 * the stream fails, this reports no error, and the Reflector lists.
 *
 * <p>Used by one thread. Corresponds to client-go's {@code Reflector.watchList}.
 *
 * @param <T> the type of the objects
 */
public final class ReflectorWatchList<T extends KubernetesObject> {

  private static final Logger LOG = System.getLogger("dev.clientgo.cache.Reflector");

  /** How long to wait for the bookmark if the last stream ended without it. */
  private static final Duration SHORT_BOOKMARK_WAIT = Duration.ofSeconds(1);

  /**
   * After this many streams that ended before their bookmark, the reflector lists the collection.
   */
  private static final int MAX_EARLY_ENDS = 3;

  private final String name;
  private final CurrentWatch<T> currentWatch;
  private final Supplier<InitialList<T>> initialLists;
  private final ReflectorPosition position;
  private final ReflectorShard shard;
  private final ReflectorHealth health;
  private final ReflectorBackoff backoff;
  private final Duration usualBookmarkWait;

  private Duration bookmarkWait;

  /** Creates an instance for one Reflector. */
  public ReflectorWatchList(
      CurrentWatch<T> currentWatch,
      Supplier<InitialList<T>> initialLists,
      ReflectorPosition position,
      ReflectorShard shard,
      ReflectorHealth health,
      ReflectorBackoff backoff,
      ReflectorSettings settings) {
    this.name = settings.name();
    this.currentWatch = currentWatch;
    this.initialLists = initialLists;
    this.position = position;
    this.shard = shard;
    this.health = health;
    this.backoff = backoff;
    this.usualBookmarkWait = settings.initialEventsTimeout();
    this.bookmarkWait = usualBookmarkWait;
  }

  /**
   * Returns the collection and leaves the watch open; empty if the Reflector should list, or
   * another shard is wanted.
   */
  public Optional<InitialList<T>> run() throws InterruptedException {
    int earlyEnds = 0;
    while (true) {
      InitialList<T> initial = initialLists.get();
      try {
        OpenWatch<T> watch = currentWatch.open(position.streamOptions(currentWatch.timeout()));
        // Unlike client-go, which only warns: the wait for the bookmark is limited.
        watch.endIfSilent(bookmarkWait);
        if (watch.readUntil(initial)) {
          watch.endIfOverdue(); // Before the store is filled, which may take longer.
          bookmarkWait = usualBookmarkWait;
          return Optional.of(initial);
        }
        currentWatch.close();
        if (shard.hasChanged() || !isWorthAnotherTry(watch) || ++earlyEnds == MAX_EARLY_ENDS) {
          return Optional.empty();
        }
        backoff.pauseAfterEarlyEnd();
      } catch (KubernetesException e) {
        currentWatch.close();
        if (shard.hasChanged() || !isWorthAnotherTry(e)) {
          return Optional.empty();
        }
      }
    }
  }

  /** Decides after a stream that ended before the bookmark. */
  private boolean isWorthAnotherTry(OpenWatch<T> watch) {
    if (!watch.isEndedForSilence()) {
      return watch.events() > 0 || !watch.isShort();
    }
    LOG.log(
        Level.WARNING,
        "The initial events of a watch did not end, the collection is listed instead; something"
            + " between here and the server may not support streaming lists: reflector={0}"
            + " events={1} silence={2}",
        name,
        watch.events(),
        bookmarkWait);
    bookmarkWait = SHORT_BOOKMARK_WAIT;
    return false;
  }

  private boolean isWorthAnotherTry(KubernetesException error) throws InterruptedException {
    if (ServerErrors.isWatchErrorRetriable(error)) {
      health.watchRefused(name, error);
      backoff.pauseAfterFailure();
      return true;
    }
    if (ServerErrors.isVersionRefused(error) && position.versionRefused()) {
      return true;
    }
    // Expected of servers that do not support streaming lists.
    LOG.log(Level.DEBUG, () -> "Cannot stream, the collection is listed: reflector=" + name, error);
    return false;
  }
}
