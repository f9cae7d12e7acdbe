package dev.clientgo.envtest;

import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.envtest.Store.Batch;
import dev.clientgo.envtest.Store.News;
import dev.clientgo.envtest.Store.Subscription;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of the answer to a watch: events, one a line, until the time is up, the client goes, or
 * the server has forgotten what comes next.
 *
 * <p>It runs on the thread that serves the request, and pulls: a client that does not read blocks
 * that thread in a write, and nobody else.
 */
final class WatchStream implements Response.Stream {

  /** The client gets a last bookmark that long before its time is up. */
  private static final long LAST_BOOKMARK = Duration.ofSeconds(2).toNanos();

  private final Subscription subscription;
  private final ListQuery query;
  private final Encoding encoding;
  private final Clock clock;
  private final long bookmarkInterval;
  private final long deadline;
  private long nextBookmark;
  private volatile boolean stopped;

  /**
   * Creates the stream of a watch.
   *
   * @param bookmarkInterval how often a client that wants bookmarks gets one
   * @param timeout when the stream ends
   */
  WatchStream(
      Subscription subscription,
      ListQuery query,
      Encoding encoding,
      Clock clock,
      Duration bookmarkInterval,
      Duration timeout) {
    this.subscription = subscription;
    this.query = query;
    this.encoding = encoding;
    this.clock = clock;
    this.bookmarkInterval = bookmarkInterval.toNanos();
    this.deadline = clock.nanoTime() + timeout.toNanos();
  }

  @Override
  public void stop() {
    stopped = true;
    subscription.wake();
  }

  @Override
  public void writeTo(Response.Sink sink) throws IOException, InterruptedException {
    sendInitialEvents(sink);
    scheduleBookmark();
    sink.flush();
    while (!stopped) {
      long wait = Math.min(deadline, nextBookmark) - clock.nanoTime();
      Batch batch = subscription.next(Duration.ofNanos(wait));
      if (batch.news() != News.CHANGES) {
        return; // The client comes back, and learns then whether it is too late.
      }
      for (Change change : batch.changes()) {
        send(sink, change);
      }
      if (clock.nanoTime() - nextBookmark >= 0) {
        sendBookmark(sink, batch);
      }
      sink.flush();
      if (clock.nanoTime() - deadline >= 0) {
        return;
      }
    }
  }

  private void sendInitialEvents(Response.Sink sink) throws IOException {
    if (!query.wantsInitialEvents()) {
      return;
    }
    for (Stored object : subscription.start().objects().values()) {
      if (query.selection().matches(object)) {
        write(sink, encoding.event("ADDED", object));
      }
    }
    if (query.bookmarks()) {
      write(sink, encoding.bookmark(subscription.start().revision(), true));
    }
  }

  private void scheduleBookmark() {
    long now = clock.nanoTime();
    long last = deadline - LAST_BOOKMARK;
    nextBookmark = now + bookmarkInterval;
    if (last - now > 0 && nextBookmark - last > 0) {
      nextBookmark = last;
    }
  }

  private void sendBookmark(Response.Sink sink, Batch batch) throws IOException {
    if (query.bookmarks()) {
      write(sink, encoding.bookmark(batch.revision(), false));
    }
    scheduleBookmark();
  }

  /** Sends a change as it looks to a client that sees the selected objects only. */
  private void send(Response.Sink sink, Change change) throws IOException {
    Stored after = change.after();
    boolean before = isSelected(change.before());
    if (after != null && isSelected(after)) {
      write(sink, encoding.event(before ? "MODIFIED" : "ADDED", after));
    } else if (before) {
      write(sink, encoding.event("DELETED", change.gone()));
    }
  }

  private boolean isSelected(@Nullable Stored object) {
    return object != null && query.selection().matches(object);
  }

  private static void write(Response.Sink sink, List<byte[]> parts) throws IOException {
    for (byte[] part : parts) {
      sink.write(part);
    }
  }
}
