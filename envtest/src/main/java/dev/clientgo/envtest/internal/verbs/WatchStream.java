package dev.clientgo.envtest.internal.verbs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.encoding.ObjectEncoding;
import dev.clientgo.envtest.internal.http.AwaitableList;
import dev.clientgo.envtest.internal.http.ConnectionCutException;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.requests.ListQuery;
import dev.clientgo.envtest.internal.storage.ObjectChange;
import dev.clientgo.envtest.internal.storage.ObjectStore.Batch;
import dev.clientgo.envtest.internal.storage.ObjectStore.BatchStatus;
import dev.clientgo.envtest.internal.storage.ObjectStore.Subscription;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.envtest.traffic.OpenWatch;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The body of a watch response: one event per line, until the timeout, until the client
 * disconnects, or until the next changes have been forgotten.
 *
 * <p>It runs on the thread of the request and pulls changes, so a client that does not read blocks
 * only that thread. Other threads queue actions and wake it.
 */
final class WatchStream implements Response.Stream, OpenWatch {

  private static final String HALF_EVENT = "{\"type\":\"MODIFIED\",\"object\":{\"kind\":";

  /** The last bookmark is sent this long before the timeout. */
  private static final long LAST_BOOKMARK = Duration.ofSeconds(2).toNanos();

  /** An action that another thread has queued. */
  private interface Action {
    /** Runs on the thread of the stream; an exception ends the stream. */
    void run(Response.Sink sink) throws IOException, InterruptedException;
  }

  private final Subscription subscription;
  private final ListQuery query;
  private final UnaryOperator<StoredObject> conversion;
  private final ObjectEncoding encoding;
  private final Clock clock;
  private final long bookmarkInterval;
  private final long deadline;
  private final AwaitableList<OpenWatch> registry;
  private final ApiRequest request;
  private final Queue<Action> actions = new ConcurrentLinkedQueue<>();
  private long nextBookmark;
  private volatile boolean stopped;
  private volatile boolean silent;

  /**
   * Creates the stream of a watch.
   *
   * @param request the request that opened the watch
   * @param conversion converts objects to the version of the request
   * @param timeout the time after which the stream ends
   */
  WatchStream(
      ApiRequest request,
      Subscription subscription,
      ListQuery query,
      UnaryOperator<StoredObject> conversion,
      ObjectEncoding encoding,
      ServerSettings settings,
      Duration timeout,
      AwaitableList<OpenWatch> registry) {
    this.subscription = subscription;
    this.query = query;
    this.conversion = conversion;
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
    queue(
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
    queue(sink -> sink.write(bytes));
  }

  @Override
  public void send(WatchEvent<Unstructured> event) {
    List<byte[]> text = event.match(new Encoded());
    queue(sink -> write(sink, text));
  }

  private void queue(Action action) {
    actions.add(action);
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
    } catch (ApiStatusException e) { // An object cannot be converted.
      write(sink, ObjectEncoding.error(e.status()));
      sink.flush();
    } finally {
      registry.remove(this);
    }
  }

  /** Waits for changes or actions and processes them; returns whether to continue. */
  private boolean sendNext(Response.Sink sink) throws IOException, InterruptedException {
    long wait = Math.min(deadline, nextBookmark) - clock.nanoTime();
    Batch batch = subscription.next(() -> silent, Duration.ofNanos(wait));
    for (Action action = actions.poll(); action != null; action = actions.poll()) {
      action.run(sink);
    }
    if (batch.status() != BatchStatus.CHANGES) {
      return false; // The client resumes, and learns then whether its version has expired.
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
    for (StoredObject stored : subscription.start().objects().values()) {
      StoredObject object = conversion.apply(stored);
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
    // Without new changes, no bookmark: the client knows where it started.
    if (query.bookmarks() && batch.revision() > subscription.start().revision()) {
      write(sink, encoding.bookmark(batch.revision(), false));
    }
    scheduleBookmark();
  }

  /** Sends a change as a client sees it that only knows the selected objects. */
  private void send(Response.Sink sink, ObjectChange change)
      throws IOException, InterruptedException {
    StoredObject stored = change.after();
    StoredObject after = stored == null ? null : conversion.apply(stored);
    boolean before = wasSelected(change.before());
    if (after != null && query.selection().matches(after)) {
      write(sink, encoding.event(before ? "MODIFIED" : "ADDED", after));
    } else if (before) {
      write(sink, encoding.event("DELETED", conversion.apply(change.gone())));
    }
  }

  private boolean wasSelected(@Nullable StoredObject object) {
    // Without a selector, the old object need not be converted.
    return object != null
        && (query.selection().isEverything()
            || query.selection().matches(conversion.apply(object)));
  }

  private static void write(Response.Sink sink, List<byte[]> parts)
      throws IOException, InterruptedException {
    for (byte[] part : parts) {
      sink.write(part);
    }
  }

  /** Encodes the events that a test sends. */
  private final class Encoded implements WatchEvent.Cases<Unstructured, List<byte[]>> {
    @Override
    public List<byte[]> added(Unstructured object) {
      return encoding.event("ADDED", StoredObject.unsaved(object));
    }

    @Override
    public List<byte[]> modified(Unstructured object) {
      return encoding.event("MODIFIED", StoredObject.unsaved(object));
    }

    @Override
    public List<byte[]> deleted(Unstructured object) {
      return encoding.event("DELETED", StoredObject.unsaved(object));
    }

    @Override
    public List<byte[]> bookmark(String resourceVersion, boolean initialEventsEnd) {
      return encoding.bookmark(Long.parseLong(resourceVersion), initialEventsEnd);
    }

    @Override
    public List<byte[]> failed(KubernetesException error) {
      if (error instanceof ApiStatusException failure) {
        return ObjectEncoding.error(failure.status());
      }
      throw new IllegalArgumentException(
          "a server sends an ApiStatusException; use cut() or send(text) for " + error);
    }
  }

  @Override
  public String toString() {
    return request.toString();
  }
}
