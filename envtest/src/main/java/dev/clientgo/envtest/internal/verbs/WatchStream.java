package dev.clientgo.envtest.internal.verbs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.encoding.ObjectEncoding;
import dev.clientgo.envtest.internal.http.ConnectionCutException;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.requests.ListQuery;
import dev.clientgo.envtest.internal.storage.ObjectChange;
import dev.clientgo.envtest.internal.storage.ObjectStore.Batch;
import dev.clientgo.envtest.internal.storage.ObjectStore.News;
import dev.clientgo.envtest.internal.storage.ObjectStore.Subscription;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.envtest.traffic.OpenWatch;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The body of the answer to a watch: events, one a line, until the time is up, the client goes, or
 * the server has forgotten what comes next.
 *
 * <p>It runs on the thread that serves the request, and pulls: a client that does not read blocks
 * that thread in a write, and nobody else. Other threads only leave orders and wake it.
 */
final class WatchStream implements Response.Stream, OpenWatch {

  private static final String HALF_EVENT = "{\"type\":\"MODIFIED\",\"object\":{\"kind\":";

  /** The client gets a last bookmark that long before its time is up. */
  private static final long LAST_BOOKMARK = Duration.ofSeconds(2).toNanos();

  /** An order that another thread leaves. */
  private interface Order {
    /** Is carried out on the thread of the stream; what it throws ends the stream. */
    void run(Response.Sink sink) throws IOException, InterruptedException;
  }

  private final Subscription subscription;
  private final ListQuery query;
  private final ObjectEncoding encoding;
  private final Clock clock;
  private final long bookmarkInterval;
  private final long deadline;
  private final WatchRegistry registry;
  private final ApiRequest request;
  private final Queue<Order> orders = new ConcurrentLinkedQueue<>();
  private long nextBookmark;
  private volatile boolean stopped;
  private volatile boolean silent;

  /**
   * Creates the stream of a watch.
   *
   * @param request what asked for the watch
   * @param timeout when the stream ends
   */
  WatchStream(
      ApiRequest request,
      Subscription subscription,
      ListQuery query,
      ObjectEncoding encoding,
      ServerSettings settings,
      Duration timeout,
      WatchRegistry registry) {
    this.subscription = subscription;
    this.query = query;
    this.encoding = encoding;
    this.clock = settings.clock();
    this.bookmarkInterval = settings.bookmarkInterval().toNanos();
    this.deadline = clock.nanoTime() + timeout.toNanos();
    this.registry = registry;
    this.request = request;
  }

  @Override
  public void stop() {
    stopped = true;
    subscription.wake();
  }

  @Override
  public void poke() {
    subscription.wake();
  }

  @Override
  public ApiRequest request() {
    return request;
  }

  @Override
  public void end() {
    stop();
  }

  @Override
  public void cut() {
    order(
        sink -> {
          sink.write(HALF_EVENT.getBytes(UTF_8));
          throw new ConnectionCutException();
        });
  }

  @Override
  public void goSilent() {
    setSilent(true);
  }

  @Override
  public void resume() {
    setSilent(false);
  }

  @Override
  public void send(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    order(sink -> sink.write(bytes));
  }

  private void order(Order order) {
    orders.add(order);
    subscription.wake();
  }

  private void setSilent(boolean silent) {
    this.silent = silent;
    subscription.wake();
  }

  @Override
  public void writeTo(Response.Sink sink) throws IOException, InterruptedException {
    registry.add(this);
    try {
      sendInitialEvents(sink);
      scheduleBookmark();
      sink.flush();
      while (!stopped && sendNext(sink)) {
        sink.flush();
      }
    } finally {
      registry.remove(this);
    }
  }

  /** Waits for something to do and does it; returns whether there will be more. */
  private boolean sendNext(Response.Sink sink) throws IOException, InterruptedException {
    long wait = Math.min(deadline, nextBookmark) - clock.nanoTime();
    Batch batch = subscription.next(silent, Duration.ofNanos(wait));
    for (Order order = orders.poll(); order != null; order = orders.poll()) {
      order.run(sink);
    }
    if (batch.news() != News.CHANGES) {
      return false; // The client comes back, and learns then whether it is too late.
    }
    for (ObjectChange change : batch.changes()) {
      if (subscription.isAbout(change)) {
        send(sink, change);
      }
    }
    if (silent) {
      return true;
    }
    if (clock.nanoTime() - nextBookmark >= 0) {
      sendBookmark(sink, batch);
    }
    return clock.nanoTime() - deadline < 0;
  }

  private void sendInitialEvents(Response.Sink sink) throws IOException, InterruptedException {
    if (!query.wantsInitialEvents()) {
      return;
    }
    for (StoredObject object : subscription.start().objects().values()) {
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

  private void sendBookmark(Response.Sink sink, Batch batch)
      throws IOException, InterruptedException {
    // Nothing new is no news: the client knows where it began.
    if (query.bookmarks() && batch.revision() > subscription.start().revision()) {
      write(sink, encoding.bookmark(batch.revision(), false));
    }
    scheduleBookmark();
  }

  /** Sends a change as it looks to a client that sees the selected objects only. */
  private void send(Response.Sink sink, ObjectChange change)
      throws IOException, InterruptedException {
    StoredObject after = change.after();
    boolean before = isSelected(change.before());
    if (after != null && isSelected(after)) {
      write(sink, encoding.event(before ? "MODIFIED" : "ADDED", after));
    } else if (before) {
      write(sink, encoding.event("DELETED", change.gone()));
    }
  }

  private boolean isSelected(@Nullable StoredObject object) {
    return object != null && query.selection().matches(object);
  }

  private static void write(Response.Sink sink, List<byte[]> parts)
      throws IOException, InterruptedException {
    for (byte[] part : parts) {
      sink.write(part);
    }
  }

  @Override
  public String toString() {
    return request.toString();
  }
}
