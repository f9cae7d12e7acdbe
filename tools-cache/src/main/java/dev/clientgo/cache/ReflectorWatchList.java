package dev.clientgo.cache;

import static dev.clientgo.cache.Reflector.State.LISTING;
import static dev.clientgo.cache.Reflector.State.STREAMING;
import static dev.clientgo.cache.Reflector.State.WATCHING;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * The state STREAMING of a Reflector: reads the whole collection as the first events of a watch, up
 * to the bookmark that says that they are complete. The stream is then left open, and goes on as
 * the watch. A server can answer this from its cache without ever holding a list.
 *
 * <p>Not every server knows it, and some that accept it never send the bookmark. So this never
 * reports an error: what it cannot do, a list does.
 *
 * <p>Used by one thread. Corresponds to client-go's {@code Reflector.watchList}.
 *
 * @param <T> the type of the objects
 */
final class ReflectorWatchList<T extends KubernetesObject> {

  private static final Logger LOG = System.getLogger(Reflector.class.getName());

  /** How long to wait for the end of initial events that did not end the last time. */
  private static final Duration SHORT_BOOKMARK_WAIT = Duration.ofSeconds(1);

  /** How often a stream may end before its initial events do, until the collection is listed. */
  private static final int MAX_EARLY_ENDS = 3;

  private final String name;
  private final WatchSlot<T> slot;
  private final SnapshotStore<T> store;
  private final ReflectorPosition position;
  private final ReflectorVitals vitals;
  private final ReflectorBackoff backoff;
  private final Clock clock;
  private final Duration usualBookmarkWait;

  private Duration bookmarkWait;
  private int earlyEnds;

  ReflectorWatchList(
      WatchSlot<T> slot,
      SnapshotStore<T> store,
      ReflectorPosition position,
      ReflectorVitals vitals,
      ReflectorBackoff backoff,
      ReflectorOptions options) {
    this.name = options.name();
    this.slot = slot;
    this.store = store;
    this.position = position;
    this.vitals = vitals;
    this.backoff = backoff;
    this.clock = options.clock();
    this.usualBookmarkWait = options.initialEventsTimeout();
    this.bookmarkWait = usualBookmarkWait;
  }

  /** Forgets what went wrong in the round before. */
  void newRound() {
    earlyEnds = 0;
  }

  NextStep run() throws InterruptedException {
    long start = clock.nanoTime();
    InitialEvents<T> initial = new InitialEvents<>(store.begin());
    try {
      OpenWatch<T> watch = slot.open(position.streamOptions(slot.timeout()));
      // Unlike client-go, which only warns: the wait for the bookmark has an end.
      watch.endIfSilent(bookmarkWait, bookmarkWait);
      if (!slot.readUntil(watch, initial)) {
        slot.close();
        return ended(watch);
      }
    } catch (KubernetesException e) {
      slot.close();
      return failed(e);
    }
    bookmarkWait = usualBookmarkWait;
    store.commit(initial.snapshot(), initial.resourceVersion(), start, true);
    return NextStep.now(WATCHING);
  }

  /** The stream is over, but the initial events were not. */
  private NextStep ended(OpenWatch<T> watch) {
    if (watch.isEndedForSilence()) {
      LOG.log(
          Level.WARNING,
          "The initial events of a watch did not end, the collection is listed instead; something"
              + " between here and the server may not support streaming lists: reflector={0}"
              + " events={1} silence={2}",
          name,
          watch.events(),
          bookmarkWait);
      bookmarkWait = SHORT_BOOKMARK_WAIT;
      return NextStep.now(LISTING);
    }
    boolean supported = watch.events() > 0 || !watch.isShort();
    return supported && ++earlyEnds < MAX_EARLY_ENDS
        ? NextStep.after(backoff.afterEarlyEnd(), STREAMING)
        : NextStep.now(LISTING);
  }

  private NextStep failed(KubernetesException error) {
    if (ServerErrors.isWatchErrorRetriable(error)) {
      vitals.notTaken(name, error);
      return NextStep.after(backoff.afterFailure(), STREAMING);
    }
    if (ServerErrors.isVersionRefused(error) && position.versionRefused()) {
      return NextStep.now(STREAMING);
    }
    // Expected of servers that do not support streaming lists.
    LOG.log(Level.DEBUG, () -> "Cannot stream, the collection is listed: reflector=" + name, error);
    return NextStep.now(LISTING);
  }
}
