package dev.clientgo.cache;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads the whole collection as the first events of a watch, up to the bookmark that ends them: the
 * state STREAMING of a Reflector. The stream is then left open, and goes on as the watch. A server
 * can answer this from its cache without ever holding a list.
 *
 * <p>Not every server supports it, and some that accept it never send the bookmark. So this reports
 * no error: if the stream does not succeed, the Reflector lists.
 *
 * <p>Used by one thread. Corresponds to client-go's {@code Reflector.watchList}.
 *
 * @param <T> the type of the objects
 */
final class ReflectorWatchList<T extends KubernetesObject> {

  private static final Logger LOG = System.getLogger(Reflector.class.getName());

  /** How long to wait for the bookmark if it did not come the last time. */
  private static final Duration SHORT_BOOKMARK_WAIT = Duration.ofSeconds(1);

  /** How often a stream may end before its bookmark until the collection is listed. */
  private static final int MAX_EARLY_ENDS = 3;

  private final String name;
  private final CurrentWatch<T> currentWatch;
  private final Supplier<InitialList<T>> initialLists;
  private final ReflectorPosition position;
  private final ReflectorHealth health;
  private final ReflectorBackoff backoff;
  private final Duration usualBookmarkWait;

  private Duration bookmarkWait;

  ReflectorWatchList(
      CurrentWatch<T> currentWatch,
      Supplier<InitialList<T>> initialLists,
      ReflectorPosition position,
      ReflectorHealth health,
      ReflectorBackoff backoff,
      ReflectorOptions options) {
    this.name = options.name();
    this.currentWatch = currentWatch;
    this.initialLists = initialLists;
    this.position = position;
    this.health = health;
    this.backoff = backoff;
    this.usualBookmarkWait = options.initialEventsTimeout();
    this.bookmarkWait = usualBookmarkWait;
  }

  /** Returns the collection, and leaves the watch open; empty if the collection is to be listed. */
  Optional<InitialList<T>> run() throws InterruptedException {
    int earlyEnds = 0;
    while (true) {
      InitialList<T> initial = initialLists.get();
      try {
        OpenWatch<T> watch = currentWatch.open(position.streamOptions(currentWatch.timeout()));
        // Unlike client-go, which only warns: the wait for the bookmark has an end.
        watch.endIfSilent(bookmarkWait, bookmarkWait);
        if (currentWatch.readUntil(watch, initial)) {
          bookmarkWait = usualBookmarkWait;
          return Optional.of(initial);
        }
        currentWatch.close();
        if (!isWorthAnotherTry(watch) || ++earlyEnds == MAX_EARLY_ENDS) {
          return Optional.empty();
        }
        backoff.pauseAfterEarlyEnd();
      } catch (KubernetesException e) {
        currentWatch.close();
        if (!isWorthAnotherTry(e)) {
          return Optional.empty();
        }
      }
    }
  }

  /** The stream has ended before the bookmark. */
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
      health.notTaken(name, error);
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
